internal import Devices
internal import Recipes
internal import Records
internal import Timebase
internal import Tracking

/// What decisions about edges and frames mean to the slot that waits.
extension RunMachine {
    /// Offers the frame of a decision to the pending slot.
    ///
    /// The frame's buffer is given back in every case.
    mutating func offer(
        _ decision: TriggerDecision, frame sequence: UInt32, _ now: Instant<Monotonic>,
        _ actions: inout ActionQueue
    ) {
        guard let edge = decision.edge, let undecided = takeUndecided(sequence, now, &actions)
        else { return }
        let frame = undecided.frame
        guard let slot = slot(for: edge, undecided, now, &actions) else {
            if !frame.frame.isDamaged {
                reporter.skip(sequence, reasonToSkip(undecided), now, &actions)
            }
            return actions.push(.release(frame.frame))
        }
        reporter.flushSkipped(now, &actions)
        sequencer.endSlot()
        let reference = TriggerReference(
            line: edge.line, lineSequence: edge.lineSequence, delay: nil,
            outcome: decision.outcome)
        guard !frame.frame.isDamaged, undecided.hasRoom else {
            var row = hole(
                slot, frame.frame.isDamaged ? .damaged : .buffersFull, trigger: reference)
            row.deviceSequence = frame.sequence
            if !frame.frame.isDamaged {
                row.rawTimestamp = frame.timestamps.raw
                row.timestampClock = frame.timestamps.clock
            }
            actions.push(.release(frame.frame))
            if !frame.frame.isDamaged, shared.plan.output.whenFull == .stop {
                groups.close(now, &actions)
                sequencer.end(.storageFailed)
            }
            return lose(row, now, &actions)
        }
        var row = row(
            slot, frame, triggeredBy: reference, at: edge.timestamp)
        if let first = triggers.firstUnanswered, shared.plan.camera.profile.sensor != nil {
            let half = (edge.timestamp - first) / 2
            row.leaveOutSettings(laterBy: .zero - half, within: half)
        }
        keep(row, frame.frame, now, &actions)
    }

    /// The slot that takes the frame of an edge, if it may.
    ///
    /// Not a frame of the start, nor one whose settings are not sure. What was exact when it came is what counts, if
    /// others came since.
    private mutating func slot(
        for edge: LineEdge, _ undecided: TriggerState.Undecided, _ now: Instant<Monotonic>,
        _ actions: inout ActionQueue
    ) -> PlanSlot? {
        guard let slot = slot(for: edge, now, &actions), !undecided.isStartup else { return nil }
        let isExact =
            triggers.isLast(undecided)
            ? timeline.isExact(shared.values[slot.settings]) : undecided.settings == slot.settings
        return isExact
            && timeline.isSettled(shared.values[slot.settings], upTo: planner.settlesAfter)
            ? slot : nil
    }

    /// The slot that waits for an edge like this one.
    ///
    /// Not an edge before the one that its step waited for, nor one from before the slot could begin.
    private mutating func slot(
        for edge: LineEdge, _ now: Instant<Monotonic>, _ actions: inout ActionQueue
    ) -> PlanSlot? {
        guard let pending = sequencer.waitingSlot else { return nil }
        if planner.isRefused {
            loseRefused(pending.slot, now, &actions)
            return nil
        }
        if let first = pending.edge, Int32(bitPattern: edge.lineSequence &- first) < 0 {
            return nil
        }
        return edge.timestamp >= pending.notBefore ? pending.slot : nil
    }

    /// Offers an edge without a delivered frame to the slot that belongs to it.
    ///
    /// It ends the slot as a hole: the frame was lost on its way, or the camera made none.
    mutating func offer(
        _ decision: TriggerDecision, _ edge: LineEdge, _ now: Instant<Monotonic>,
        _ actions: inout ActionQueue
    ) {
        guard let slot = slot(for: edge, now, &actions), startupFramesLeft == 0 else { return }
        // An edge that made no frame matters to the slot whose step waited for just this one.
        guard decision.sequence != nil || sequencer.pending?.edge == edge.lineSequence else {
            return
        }
        reporter.flushSkipped(now, &actions)
        sequencer.endSlot()
        let reference = TriggerReference(
            line: edge.line, lineSequence: edge.lineSequence, delay: nil,
            outcome: decision.outcome)
        var reason = HoleReason.triggerUnanswered
        if let sequence = decision.sequence {
            // Its edge is all that is known of when it came.
            reason = self.reason(
                ofNumbered: StreamFrame(
                    sequence: sequence, timestamp: edge.timestamp, delay: .zero))
        }
        var row = hole(slot, reason, trigger: reference)
        row.deviceSequence = decision.sequence
        if decision.sequence != nil { row.gapEvidence = .sequence }
        lose(row, now, &actions)
    }

    /// As what a frame is skipped that no slot takes.
    private func reasonToSkip(_ undecided: TriggerState.Undecided) -> SkipReason {
        if undecided.isStartup { return .startup }
        guard let pending = sequencer.waitingSlot else { return .idle }
        return timeline.isExact(shared.values[pending.slot.settings]) ? .idle : .settling
    }

    /// The frame with this number; those before it have no edge and no slot.
    ///
    /// Decisions come in the order of frames.
    ///
    /// - Returns: nil if no such frame waits.
    mutating func takeUndecided(
        _ sequence: UInt32, _ now: Instant<Monotonic>, _ actions: inout ActionQueue
    ) -> TriggerState.Undecided? {
        while let undecided = triggers.popUndecided() {
            if undecided.frame.sequence == sequence { return undecided }
            giveUp(undecided, now, &actions)
        }
        return nil
    }

    /// Gives frames back that are in no edge's window: what they are is decided later.
    mutating func releaseStrays(_ now: Instant<Monotonic>, _ actions: inout ActionQueue) {
        guard !triggers.matcher.hasDecisions else { return }
        while let undecided = triggers.popUndecided() { giveUp(undecided, now, &actions) }
    }

    /// Gives one frame back; damaged ones are in the log already.
    mutating func giveUp(
        _ undecided: TriggerState.Undecided, _ now: Instant<Monotonic>,
        _ actions: inout ActionQueue
    ) {
        if !undecided.frame.frame.isDamaged {
            reporter.skip(
                undecided.frame.sequence, undecided.isStartup ? .startup : .idle, now, &actions)
        }
        actions.push(.release(undecided.frame.frame))
    }
}
