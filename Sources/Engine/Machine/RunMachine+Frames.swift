internal import Cameras
internal import Recipes
internal import Records
internal import Timebase

extension RunMachine {
    /// A frame has come in: first the frames that are missing before it have their turn, then it.
    mutating func arrive(
        _ frame: DequeuedFrame, hasRoom: Bool, _ now: Instant<Monotonic>,
        _ actions: inout ActionQueue
    ) {
        lastFrameAt = now
        let before = clock.last
        let candidate = StreamClock.Candidate(sequence: frame.sequence, stamp: frame.timestamp)
        let gap = clock.advance(to: candidate)
        if gap.isJump, let before {
            actions.push(
                .log(.sequenceJumped(from: before.sequence, to: frame.sequence), at: now))
        }
        if startupFramesLeft > 0 {
            startupFramesLeft -= 1
            skip(frame.sequence, .startup, now, &actions)
            actions.push(.release(frame))
            return
        }
        if let before { offerMissing(gap, between: before, and: candidate, now, &actions) }
        if frame.isDamaged {
            actions.push(.log(.frameDamaged(sequence: frame.sequence), at: now))
            offer(candidate, lost: .damaged, now, &actions)
            actions.push(.release(frame))
        } else {
            offer(frame, candidate, hasRoom: hasRoom, now, &actions)
        }
    }

    private mutating func offerMissing(
        _ gap: StreamClock.Gap, between before: StreamClock.Candidate,
        and after: StreamClock.Candidate, _ now: Instant<Monotonic>, _ actions: inout ActionQueue
    ) {
        let missing = gap.bySequence + gap.bySpacing
        guard missing > 0 else { return }
        flushSkipped(now, &actions)
        report(gap.bySequence, .droppedByDriver, before: after.sequence, now, &actions)
        report(gap.bySpacing, .droppedByDevice, before: after.sequence, now, &actions)
        let step = (after.stamp - before.stamp) / (missing + 1)
        for number in 1...missing {
            let isSequenced = number <= gap.bySequence
            let lost = StreamClock.Candidate(
                sequence: before.sequence &+ UInt32(min(number, gap.bySequence)),
                stamp: before.stamp + step * number)
            offer(lost, lost: isSequenced ? .droppedByDriver : .droppedByDevice, now, &actions)
        }
    }

    private func report(
        _ count: Int64, _ reason: HoleReason, before sequence: UInt32,
        _ now: Instant<Monotonic>, _ actions: inout ActionQueue
    ) {
        guard count > 0 else { return }
        actions.push(
            .log(.framesMissing(count: count, before: sequence, reason: reason), at: now))
    }

    /// Offers a frame that was lost: the slot that it belongs to is a hole.
    private mutating func offer(
        _ candidate: StreamClock.Candidate, lost reason: HoleReason, _ now: Instant<Monotonic>,
        _ actions: inout ActionQueue
    ) {
        guard case .taken(let slot) = decide(candidate, now, &actions) else { return }
        var row = hole(slot, reason)
        if reason != .droppedByDevice { row.deviceSequence = candidate.sequence }
        actions.push(.recordHole(row))
        proceed(now, &actions)
    }

    /// Offers a frame that is there.
    private mutating func offer(
        _ frame: DequeuedFrame, _ candidate: StreamClock.Candidate, hasRoom: Bool,
        _ now: Instant<Monotonic>, _ actions: inout ActionQueue
    ) {
        guard case .taken(let slot) = decide(candidate, now, &actions) else {
            actions.push(.release(frame))
            return
        }
        flushSkipped(now, &actions)
        if hasRoom {
            actions.push(.record(row(slot, frame), frame))
        } else {
            var row = hole(slot, .storageFull)
            row.deviceSequence = frame.sequence
            row.rawTimestamp = frame.timestamp
            actions.push(.recordHole(row))
            actions.push(.release(frame))
            if plan.output.whenFull == .stop { end(.storageFailed) }
        }
    }

    private enum Decision {
        case skipped
        case taken(PlanSlot)
    }

    /// Decides whether the pending slot gets a candidate, delivered or not.
    private mutating func decide(
        _ candidate: StreamClock.Candidate, _ now: Instant<Monotonic>,
        _ actions: inout ActionQueue
    ) -> Decision {
        let readout = clock.readoutStart(of: candidate.stamp)
        let isSure = barrier.admits(
            sequence: candidate.sequence, earliestReadout: readout.earliest)
        guard case .frame = waiting, let pending else {
            skip(candidate.sequence, .idle, now, &actions)
            return .skipped
        }
        if pending.isRefused {
            skip(candidate.sequence, .settling, now, &actions)
            finishSlot()
            actions.push(.recordHole(hole(pending.slot, .settingsRefused)))
            return .skipped
        }
        guard isSure else {
            skip(candidate.sequence, .settling, now, &actions)
            return .skipped
        }
        let window = exposureWindow(pending.slot, readout)
        guard window.earliestStart >= pending.notBefore, isLit(pending, candidate.sequence) else {
            skip(candidate.sequence, .idle, now, &actions)
            return .skipped
        }
        finishSlot()
        return .taken(pending.slot)
    }

    /// Whether the slot's lights, if it has any, are planned for this frame or an earlier one.
    private func isLit(_ pending: PendingSlot, _ sequence: UInt32) -> Bool {
        guard pending.slot.lights != 0 else { return true }
        guard let first = pending.litFrom else { return false }
        return sequence &- first < UInt32.max / 2
    }

    private mutating func finishSlot() {
        pending = nil
        waiting = .nothing
    }

    func exposureWindow(
        _ slot: PlanSlot, _ readout: (earliest: Instant<Monotonic>, latest: Instant<Monotonic>)
    ) -> ExposureWindow {
        ExposureWindow(
            readout: readout,
            duration: applied.exposure
                ?? plan.settings[Int(slot.settings)].quantised.exposure.asked,
            readoutTime: plan.camera.profile.timestamps.readout, period: clock.period ?? .zero)
    }

    private func row(_ slot: PlanSlot, _ frame: DequeuedFrame) -> LedgerRow {
        let window = exposureWindow(slot, clock.readoutStart(of: frame.timestamp))
        let reference = trigger.map { trigger in
            TriggerReference(
                line: trigger.line, lineSequence: trigger.lineSequence,
                delay: window.centre.start - trigger.timestamp, outcome: .matched)
        }
        return LedgerRow(
            slot: slot.number, step: slot.step, settings: slot.settings,
            deviceSequence: frame.sequence, rawTimestamp: frame.timestamp,
            exposureTime: window.onSession(session), applied: applied, trigger: reference)
    }

    func hole(
        _ slot: PlanSlot, _ reason: HoleReason, edgeIsMissing: Bool = false
    ) -> LedgerRow {
        var row = LedgerRow(
            slot: slot.number, step: slot.step, settings: slot.settings, reason: reason)
        if edgeIsMissing {
            row.trigger = TriggerReference(
                line: 0, lineSequence: 0, delay: nil, outcome: .edgeMissing)
        } else if let trigger {
            row.trigger = TriggerReference(
                line: trigger.line, lineSequence: trigger.lineSequence, delay: nil,
                outcome: .frameMissing)
        }
        return row
    }

    /// Counts a frame that no slot takes; runs of the same kind become one event.
    private mutating func skip(
        _ sequence: UInt32, _ why: SkipReason, _ now: Instant<Monotonic>,
        _ actions: inout ActionQueue
    ) {
        if skipped.count > 0, skipped.why != why { flushSkipped(now, &actions) }
        if skipped.count == 0 { skipped = (0, sequence, why) }
        skipped.count += 1
    }

    /// Writes down the frames that were skipped so far.
    mutating func flushSkipped(_ now: Instant<Monotonic>, _ actions: inout ActionQueue) {
        guard skipped.count > 0 else { return }
        actions.push(
            .log(
                .framesSkipped(count: skipped.count, from: skipped.from, why: skipped.why), at: now)
        )
        skipped.count = 0
    }
}
