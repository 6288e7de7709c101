internal import Cameras
internal import Recipes
internal import Timebase

extension Plan {
    /// The time from frame to frame that a raw sensor's registers say all through the run; nil for cameras that keep
    /// their own time, and where settings differ in their blanking.
    ///
    /// The blanking is written before the stream starts, and again with settings that have the same.
    var registerPeriod: Interval? {
        guard camera.trigger == nil, let timing = camera.profile.timing else { return nil }
        let blanking = timing.blanking
        for settings in settings {
            for code in settings.codes where code.control == blanking.control && code != blanking {
                return nil
            }
        }
        return timing.period
    }
}
