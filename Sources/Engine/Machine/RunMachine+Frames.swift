internal import Cameras
internal import Lines
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
        if triggers.isOn { return arriveTriggered(frame, hasRoom: hasRoom, now, &actions) }
        let before = clock.last
        let candidate = StreamClock.Candidate(sequence: frame.sequence, stamp: frame.timestamp)
        let gap = clock.advance(to: candidate)
        if gap.isJump, let before {
            flushSkipped(now, &actions)
            actions.push(
                .log(.sequenceJumped(from: before.sequence, to: frame.sequence), at: now))
            timeline.restart(at: observed(candidate, step: 0))
        }
        if startupFramesLeft > 0 {
            startupFramesLeft -= 1
            let step = before.map { Int64(frame.sequence &- $0.sequence) } ?? 0
            if !gap.isJump { timeline.observe(observed(candidate, step: step)) }
            skip(frame.sequence, .startup, now, &actions)
            actions.push(.release(frame))
            return
        }
        if let before {
            isCatchingUp = true
            offerMissing(gap, between: before, and: candidate, now, &actions)
            isCatchingUp = false
        }
        if !gap.isJump {
            timeline.observe(observed(candidate, step: before == nil ? 0 : 1))
        }
        foreign.observe(frame.sequence, timeline)
        if frame.isDamaged {
            actions.push(.log(.frameDamaged(sequence: frame.sequence), at: now))
            offer(candidate, lost: .damaged, isDelivered: true, now, &actions)
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
        // Not `for`: it allocates in debug builds.
        var number: Int64 = 0
        while number < missing {
            number += 1
            let isSequenced = number <= gap.bySequence
            let lost = StreamClock.Candidate(
                sequence: before.sequence &+ UInt32(min(number, gap.bySequence)),
                stamp: before.stamp + step * number)
            timeline.observe(observed(lost, step: isSequenced ? 1 : 0))
            offer(
                lost, lost: isSequenced ? .droppedByDriver : .droppedByDevice, isDelivered: false,
                now, &actions)
        }
    }

    /// A frame as the delay model sees it.
    func observed(_ candidate: StreamClock.Candidate, step: Int64) -> ObservedFrame {
        ObservedFrame(
            step: step, stamp: candidate.stamp,
            readout: clock.readoutStart(of: candidate.stamp).map {
                ObservedFrame.Readout(earliest: $0.earliest, latest: $0.latest)
            })
    }

    func report(
        _ count: Int64, _ reason: HoleReason, before sequence: UInt32,
        _ now: Instant<Monotonic>, _ actions: inout ActionQueue
    ) {
        guard count > 0 else { return }
        actions.push(
            .log(.framesMissing(count: count, before: sequence, reason: reason), at: now))
    }

    /// Offers a frame that was lost: the slot that it belongs to is a hole.
    private mutating func offer(
        _ candidate: StreamClock.Candidate, lost reason: HoleReason, isDelivered: Bool,
        _ now: Instant<Monotonic>, _ actions: inout ActionQueue
    ) {
        switch decide(candidate, now, &actions) {
        case .taken(let slot):
            flushSkipped(now, &actions)
            var row = hole(slot, reason)
            if reason != .droppedByDevice { row.deviceSequence = candidate.sequence }
            lose(row, now, &actions)
            proceed(now, &actions)
        // A frame that never came is in the log as missing; only what came can be skipped.
        case .skipped(let why): if isDelivered { skip(candidate.sequence, why, now, &actions) }
        }
    }

    /// Offers a frame that is there.
    private mutating func offer(
        _ frame: DequeuedFrame, _ candidate: StreamClock.Candidate, hasRoom: Bool,
        _ now: Instant<Monotonic>, _ actions: inout ActionQueue
    ) {
        let slot: PlanSlot
        switch decide(candidate, now, &actions) {
        case .taken(let taken): slot = taken
        case .skipped(let why):
            skip(candidate.sequence, why, now, &actions)
            actions.push(.release(frame))
            return
        }
        flushSkipped(now, &actions)
        if hasRoom {
            keep(row(slot, frame), frame, now, &actions)
        } else {
            var row = hole(slot, .storageFull)
            row.deviceSequence = frame.sequence
            row.rawTimestamp = frame.timestamp
            actions.push(.release(frame))
            if plan.output.whenFull == .stop {
                closeGroup(now, &actions)
                end(.storageFailed)
            }
            lose(row, now, &actions)
        }
    }

    private enum Decision {
        case skipped(SkipReason)
        case taken(PlanSlot)
    }

    /// Decides whether the pending slot gets a candidate, delivered or not.
    private mutating func decide(
        _ candidate: StreamClock.Candidate, _ now: Instant<Monotonic>,
        _ actions: inout ActionQueue
    ) -> Decision {
        let readout = clock.readoutStart(of: candidate.stamp)
        guard case .frame = waiting, let pending else { return .skipped(.idle) }
        if pending.isRefused {
            finishSlot()
            lose(hole(pending.slot, .settingsRefused), now, &actions)
            return .skipped(.settling)
        }
        // First, since it notes that a lit frame has gone by.
        let isLit = isLit(candidate.stamp)
        let wanted = values[pending.slot.settings]
        guard timeline.isExact(wanted), timeline.isCalm(wanted, upTo: pending.calmsAfter) else {
            return .skipped(.settling)
        }
        guard startsInTime(pending, readout), isLit else { return .skipped(.idle) }
        finishSlot()
        return .taken(pending.slot)
    }

    /// Whether a frame's exposure surely begins when the slot may begin.
    private func startsInTime(
        _ pending: PendingSlot,
        _ readout: (earliest: Instant<Monotonic>, latest: Instant<Monotonic>)?
    ) -> Bool {
        if pending.notBefore == .distantPast { return true }
        guard let readout, let window = exposureWindow(exposure(of: pending.slot), readout)
        else { return false }
        return window.earliestStart >= pending.notBefore
    }

    /// Whether the slot's lights, if it has any, are planned for the frame with this stamp.
    ///
    /// If they were planned for an earlier one, that one could not be used: they are planned anew.
    private mutating func isLit(_ stamp: Instant<Monotonic>) -> Bool {
        guard let pending, pending.slot.lights != 0 else { return true }
        guard let lit = pending.litFrame, let period = clock.period else { return false }
        if stamp > lit + period / 2 { self.pending?.litFrame = nil }
        return stamp >= lit - period / 2 && stamp <= lit + period / 2
    }

    mutating func finishSlot() {
        pending = nil
        waiting = .nothing
    }

    func exposureWindow(
        _ duration: Interval?,
        _ readout: (earliest: Instant<Monotonic>, latest: Instant<Monotonic>)
    ) -> ExposureWindow? {
        ExposureWindow(
            readout: readout, duration: duration,
            readoutTime: plan.camera.profile.timestamps.readout, period: clock.period)
    }

    /// Counts a frame that no slot takes; runs of the same kind become one event.
    mutating func skip(
        _ sequence: UInt32, _ why: SkipReason, _ now: Instant<Monotonic>,
        _ actions: inout ActionQueue
    ) {
        let isNext = sequence == skipped.from &+ UInt32(truncatingIfNeeded: skipped.count)
        if skipped.count > 0, skipped.why != why || (triggers.isOn && !isNext) {
            flushSkipped(now, &actions)
        }
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
