internal import Devices
internal import Imaging
internal import Recipes
internal import Timebase

extension FrameSeries {
    /// The frames of a run, as its plan and what the camera accepted describe them.
    ///
    /// - Parameter slots: of the plan; nil for an endless one.
    init(
        _ plan: Plan, _ accepted: AcceptedConfiguration, _ names: RunNames, slots: Int64?
    ) {
        let layout = accepted.layout
        let rate = accepted.rate ?? plan.camera.configuration.rate
        self.init(
            name: plan.name, pixelFormat: layout.pixelFormat, size: layout.size,
            plannedSlots: slots, period: names.isUninterrupted ? rate?.period : nil,
            levels: plan.camera.profile.levels(bits: layout.pixelFormat.bitsPerSample))
        metadata = plan.metadata
    }
}
