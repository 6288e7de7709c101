internal import Devices
internal import Recipes
internal import Timebase
internal import Tracking

extension RunMachine {
    /// Lights are planned at least this far ahead, so that the timer that switches them can be set in time.
    private static let lightLead = Interval.milliseconds(1)

    /// Lights are on so much longer than the exposure, on both sides: a host wakes up later than it asked to, and a
    /// period is not quite what it is taken for.
    private static let lightGuard = Interval.milliseconds(1)

    /// Frames that may pass without their light for one slot: a host that never is in time must not keep a run from
    /// ending.
    static let mostUnlitFrames = 16

    /// Plans the lights of the pending slot for the first frame that can have them from its first row on.
    ///
    /// The stream is periodic, so the exposures of frames to come are known from the last timestamp. Lights stay on
    /// until the last row has been exposed, and so long that the frame's own timestamp proves it, however late it is.
    ///
    /// Called at every turn that waits for a frame; does nothing while a write is under way or lights are planned
    /// already.
    mutating func planLights(_ now: Instant<Monotonic>) {
        guard case .frame = waiting, let pending, !pending.isRefused, pending.slot.lights != 0,
            pending.litFrame == nil, lights.isIdle, startupFramesLeft == 0, !timeline.isWriting,
            let last = clock.last, let period = clock.period, period > .zero,
            let earliestFrame = timeline.firstFrame(
                with: values[pending.slot.settings], from: 1, period: period),
            let exposed = exposure(lastReadoutStart, pending.slot)
        else { return }
        let margin = plan.camera.profile.timestamps.delay + Self.lightGuard
        let target = max(pending.notBefore, now + Self.lightLead) + margin
        // Rounded up: the first frame whose exposure begins at the target or later.
        let toGo = (target - exposed.start).nanoseconds + period.nanoseconds - 1
        let ahead = period * max(earliestFrame, toGo / period.nanoseconds)
        lights.arm(
            lines: pending.slot.lights, on: exposed.start + ahead - margin,
            off: exposed.end + ahead + margin)
        self.pending?.litFrame = last.timestamp + ahead
    }

    /// Whether a frame had just the lights that the pending slot asks for, all through its exposure; nil if it is not
    /// the one that they are planned for, or is still exposed to those of the slot before.
    ///
    /// If they were planned for an earlier frame, that one could not be used: they are planned again.
    mutating func isLit(
        _ frame: StreamFrame, _ readout: ObservedFrame.Readout?, _ now: Instant<Monotonic>,
        _ actions: inout ActionQueue
    ) -> Bool? {
        guard let pending else { return nil }
        // When they went off is reported: see `noteLight`.
        guard pending.slot.lights != 0 else { return lights.isLit ? nil : true }
        guard let lit = pending.litFrame, let period = clock.period else { return nil }
        if let exposed = exposure(readout, pending.slot), lights.cover(exposed.start, exposed.end) {
            return true
        }
        // This timestamp and the one that was planned by may both be late, in whichever order.
        let delay = plan.camera.profile.timestamps.delay
        let tolerance = delay < period / 2 ? period / 2 : max(.zero, period - delay)
        guard frame.timestamp > lit - tolerance else { return nil }
        lights.cancel(now, &actions)
        self.pending?.litFrame = nil
        return false
    }

    /// An output has been switched, or could not be: a slot without lights begins when those before are out.
    mutating func noteLight(
        _ line: Int32, active: Bool, planned: Instant<Monotonic>, succeeded: Bool,
        _ now: Instant<Monotonic>
    ) {
        lights.note(line, active: active, planned: planned, succeeded: succeeded, now)
        guard let pending, pending.slot.lights == 0 else { return }
        self.pending?.notBefore = max(pending.notBefore, lights.darkFrom)
    }

    /// The longest that a frame with a slot's settings can have been exposed, from the first row to the last.
    ///
    /// - Returns: from the earliest start of the first row to the latest end of the last; nil if too little is known.
    private func exposure(
        _ readout: ObservedFrame.Readout?, _ slot: PlanSlot
    ) -> (start: Instant<Monotonic>, end: Instant<Monotonic>)? {
        guard let readout,
            let window = exposureWindow(exposure(of: slot), readout),
            let readoutTime = plan.camera.profile.timestamps.readout ?? clock.period
        else { return nil }
        let offset = plan.camera.profile.timestamps.exposureEnd
        return (
            window.earliestStart, readout.latest + offset.span + offset.halfWidth + readoutTime
        )
    }
}
