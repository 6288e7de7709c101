internal import Devices
internal import Recipes
internal import Timebase
internal import Tracking

extension RunMachine {
    /// Plans the lights of the pending slot.
    ///
    /// Called at every turn that waits for a frame; does nothing while a write is under way or lights are planned
    /// already.
    mutating func planLights(_ now: Instant<Monotonic>) {
        guard let pending = sequencer.waitingSlot, !planner.isRefused, pending.slot.lights != 0,
            !lights.isPlanned, lights.isIdle, startupFramesLeft == 0, !timeline.isWriting,
            let last = clock.last, let period = clock.period, period > .zero,
            let earliestFrame = timeline.firstFrame(
                with: shared.values[pending.slot.settings], from: 1, period: period),
            let exposed = exposure(lastReadoutStart, pending.slot)
        else { return }
        lights.plan(
            pending.slot.lights, after: last.timestamp, exposed: exposed, from: earliestFrame,
            period: period, delay: shared.plan.camera.profile.timestamps.delay,
            notBefore: pending.notBefore, now)
    }

    /// Whether a frame had just the lights that the pending slot asks for, all through its exposure; nil if it is not
    /// the one that they are planned for, or is still exposed to those of the slot before.
    mutating func isLit(
        _ frame: StreamFrame, for slot: PlanSlot, _ readout: ObservedFrame.Readout?,
        _ now: Instant<Monotonic>,
        _ actions: inout ActionQueue
    ) -> Bool? {
        // When they went off is reported: see `noteLight`.
        guard slot.lights != 0 else { return lights.isLit ? nil : true }
        guard lights.isPlanned, let period = clock.period else { return nil }
        // This timestamp and the one that was planned by may both be late, in whichever order.
        let delay = shared.plan.camera.profile.timestamps.delay
        let tolerance = delay < period / 2 ? period / 2 : max(.zero, period - delay)
        return lights.judge(
            frame.timestamp, exposed: exposure(readout, slot), tolerance: tolerance, now, &actions)
    }

    /// An output has been switched, or could not be: a slot without lights begins when those before are out.
    mutating func noteLight(
        _ line: Int32, active: Bool, planned: Instant<Monotonic>, succeeded: Bool,
        _ now: Instant<Monotonic>
    ) {
        lights.note(line, active: active, planned: planned, succeeded: succeeded, now)
        if sequencer.pending?.slot.lights == 0 { sequencer.delaySlot(to: lights.darkFrom) }
    }

    /// The longest that a frame with a slot's settings can have been exposed, from the first row to the last.
    ///
    /// - Returns: from the earliest start of the first row to the latest end of the last; nil if too little is known.
    private mutating func exposure(
        _ readout: ObservedFrame.Readout?, _ slot: PlanSlot
    ) -> ExposedSpan? {
        guard let readout,
            let window = exposureWindow(exposure(of: slot), readout),
            let readoutTime = shared.plan.camera.profile.timestamps.readout ?? clock.period
        else { return nil }
        let offset = shared.plan.camera.profile.timestamps.exposureEnd
        return (
            window.earliestStart, readout.latest + offset.span + offset.halfWidth + readoutTime
        )
    }
}
