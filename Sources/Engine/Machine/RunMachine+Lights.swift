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

    /// Whether the slot's lights, if it has any, are planned for the frame with this stamp.
    ///
    /// If they were planned for an earlier one, that one could not be used: they are planned anew. So they are where
    /// stamps may be so late that it can't be told from its neighbour.
    mutating func isLit(_ stamp: Instant<Monotonic>) -> Bool {
        guard let pending, pending.slot.lights != 0 else { return true }
        guard let lit = pending.litFrame, let period = clock.period else { return false }
        if stamp > lit + period / 2 { self.pending?.litFrame = nil }
        // This stamp and the one that was planned by may both be late, in whichever order.
        let lateness = plan.camera.profile.timestamps.lateness
        let tolerance =
            lateness < period ? min(period / 2, period - lateness - .microseconds(2)) : period / 2
        return stamp >= lit - tolerance && stamp <= lit + tolerance
    }
}
