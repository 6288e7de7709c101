internal import Cameras
internal import Recipes
internal import Timebase

extension RunMachine {
    /// Lights are planned at least this far ahead, so that the timer that switches them can be set in time.
    private static let lightLead = Interval.milliseconds(1)

    /// Plans the lights of the pending slot for the first frame that can have them from its first row on.
    ///
    /// The stream is periodic, so the exposures of frames to come are known from the last stamp. Lights stay on until
    /// the last row has been exposed.
    mutating func planLights(_ now: Instant<Monotonic>) {
        guard case .frame = waiting, let pending, !pending.isRefused, pending.slot.lights != 0,
            pending.litFrame == nil, lights.isIdle, startupFramesLeft == 0, !timeline.isWriting,
            let last = clock.last, let period = clock.period, period > .zero,
            let earliestFrame = timeline.firstFrame(
                with: values[pending.slot.settings], from: 1, period: period),
            let readout = clock.readoutStart(of: last),
            let window = exposureWindow(exposure(of: pending.slot), readout)
        else { return }
        let target = max(pending.notBefore, now + Self.lightLead)
        // Rounded up: the first frame whose exposure begins at the target or later.
        let toGo = (target - window.earliestStart).nanoseconds + period.nanoseconds - 1
        let ahead = period * max(earliestFrame, toGo / period.nanoseconds)
        lights.arm(
            lines: pending.slot.lights, on: window.earliestStart + ahead,
            off: readout.latest + ahead + (plan.camera.profile.timestamps.readout ?? period))
        self.pending?.litFrame = last.stamp + ahead
    }
}
