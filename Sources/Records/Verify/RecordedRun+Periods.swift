internal import Devices
internal import Recipes
internal import Timebase

extension RecordedRun {
    /// Times from frame to frame that manifest and plan have, in nanoseconds: as promised, and by a sensor's registers.
    var periods: [Int64] {
        let timing = plan.camera.profile.timing
        let periods =
            [manifest.configuration.rate?.period, timing?.period]
            + plan.settings.map { $0.timing?.period }
        return periods.compactMap { $0?.nanoseconds }
    }
}
