internal import Devices
internal import Recipes
internal import Timebase

extension Plan {
    /// Whether settings differ in a raw sensor's frame length: then the period is that of the settings in force.
    var variesFrameLength: Bool { settings.contains { $0.timing != nil } }

    /// The frame timing of a raw sensor with some settings; nil for cameras that keep their own time.
    func timing(of settings: Int32) -> SensorTiming? {
        let place = Int(settings)
        guard self.settings.indices.contains(place) else { return camera.profile.timing }
        return self.settings[place].timing ?? camera.profile.timing
    }

    /// The time from frame to frame that follows from a raw sensor's registers with some settings; nil for cameras that
    /// keep their own time, or that a line exposes.
    ///
    /// The blanking of the first settings is written before the stream starts.
    func registerPeriod(of settings: Int32) -> Interval? {
        camera.trigger == nil ? timing(of: settings)?.period : nil
    }

    /// The time from frame to frame by which frames can be counted all through the run; nil where there is none.
    func lastingPeriod(promised rate: FrameRate?) -> Interval? {
        guard camera.trigger == nil, !variesFrameLength else { return nil }
        return registerPeriod(of: 0) ?? rate?.period
    }

    /// The longest time from frame to frame that settings ask for.
    ///
    /// Nil for cameras that keep their own time. The wait for a stalled stream is made from it.
    var longestPeriod: Interval? {
        settings.indices.compactMap { timing(of: Int32($0))?.period }.max()
    }
}
