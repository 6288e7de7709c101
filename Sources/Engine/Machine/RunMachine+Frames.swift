internal import Devices
internal import Recipes
internal import Records
internal import Timebase
internal import Tracking

extension RunMachine {
    /// A frame has come in: first the frames that are missing before it have their turn, then it.
    mutating func arrive(
        _ frame: DequeuedFrame, hasRoom: Bool, _ now: Instant<Monotonic>,
        _ actions: inout ActionQueue
    ) {
        lastFrameAt = now
        let before = clock.last
        var gap = clock.advance(
            to: FrameArrival(
                sequence: frame.sequence, timestamp: frame.timestamp, takenAt: now,
                notBefore: queueEmptyAt))
        guard !gap.isRepeated, let candidate = clock.last else {
            report(gap, candidate(of: frame), bySlot: nil, now, &actions)
            skip(frame.sequence, .repeated, now, &actions)
            actions.push(.release(frame))
            return
        }
        var frame = frame
        judgeMetadata(&frame, now, &actions)
        noteHoldUp(candidate, now)
        // The edges of a triggered camera tell more than the slot.
        let bySlot = triggers.isOn ? nil : before.flatMap { missingBySlot(candidate, after: $0) }
        if gap.isUnverifiable, let bySlot, bySlot > gap.missing {
            gap.unnumbered = bySlot - gap.numbered
            gap.attribution = .unknown
        }
        report(gap, candidate, bySlot: bySlot, now, &actions)
        // What was skipped so far was counted from one number on.
        if gap.isJump || gap.breaksCount { flushSkipped(now, &actions) }
        if gap.isJump, let before {
            actions.push(
                .log(.sequenceJumped(from: before.sequence, to: frame.sequence), at: now))
        }
        if gap.breaksCount { timeline.restart(at: observed(candidate, step: 0)) }
        if triggers.isOn {
            return arriveTriggered(frame, candidate, gap, after: before, hasRoom, now, &actions)
        }
        // Whatever settles with this frame, it was taken for one of unknown time.
        if isStartingUp {
            startupFramesLeft = max(0, startupFramesLeft - 1)
            let step = before == nil ? 0 : gap.numbered + 1
            if !gap.breaksCount { timeline.observe(observed(candidate, step: step)) }
            compareMetadata(of: frame)
            followFrameLength()
            skip(frame.sequence, .startup, now, &actions)
            actions.push(.release(frame))
            return
        }
        olderShown = nil
        var older: GroupValues?
        if let before {
            isCatchingUp = true
            older = offerMissing(
                gap, between: before, and: candidate, bySlot: bySlot ?? 0, now, &actions)
            isCatchingUp = false
        }
        olderShown = gap.mayBeEarlier > 0 ? older : nil
        if !gap.breaksCount {
            timeline.observe(observed(candidate, step: before == nil ? 0 : 1))
        }
        external.observe(clock, isCounted: !gap.breaksCount, timeline)
        compareMetadata(of: frame)
        if frame.isDamaged {
            actions.push(.log(.frameDamaged(sequence: frame.sequence), at: now))
            offer(candidate, lost: .damaged, by: [], isDelivered: true, now, &actions)
            actions.push(.release(frame))
        } else {
            offer(frame, candidate, hasRoom: hasRoom, now, &actions)
        }
        followFrameLength()
    }

    /// Whether frames are let go by since their times are not known well yet.
    var isStartingUp: Bool {
        startupFramesLeft > 0 || clock.framesToSettle > 0 && !frameLength.hasChanged
    }

    func candidate(of frame: DequeuedFrame) -> StreamFrame {
        StreamFrame(sequence: frame.sequence, timestamp: frame.timestamp, delay: .zero)
    }

    /// A frame as the delay model sees it.
    func observed(_ frame: StreamFrame, step: Int64) -> ObservedFrame {
        ObservedFrame(step: step, timestamp: frame.timestamp, readout: readoutStart(of: frame))
    }

    /// Offers a frame that was lost: the slot that it belongs to is a hole.
    mutating func offer(
        _ candidate: StreamFrame, lost reason: HoleReason, by gapEvidence: GapEvidence,
        isDelivered: Bool, _ now: Instant<Monotonic>, _ actions: inout ActionQueue
    ) {
        let isLitFor = pending?.litFrame != nil
        switch decide(candidate, now, &actions) {
        case .taken(let slot):
            flushSkipped(now, &actions)
            var row = hole(slot, reason)
            if reason.hasNumber { row.deviceSequence = candidate.sequence }
            if !isDelivered { row.gapEvidence = isLitFor ? gapEvidence.union(.slot) : gapEvidence }
            lose(row, now, &actions)
            proceed(now, &actions)
        // A frame that never came is in the log as missing; only what came can be skipped.
        case .skipped(let why): if isDelivered { skip(candidate.sequence, why, now, &actions) }
        }
    }

    /// Offers a frame that is there.
    private mutating func offer(
        _ frame: DequeuedFrame, _ candidate: StreamFrame, hasRoom: Bool,
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
            keep(row(slot, frame, candidate), frame, now, &actions)
        } else {
            var row = hole(slot, .storageFull)
            row.deviceSequence = frame.sequence
            row.rawTimestamp = timestamps.raw
            row.timestampClock = timestamps.clock
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
        _ candidate: StreamFrame, _ now: Instant<Monotonic>,
        _ actions: inout ActionQueue
    ) -> Decision {
        let readout = readoutStart(of: candidate)
        guard case .frame = waiting, let pending else { return .skipped(.idle) }
        if pending.isRefused {
            loseRefused(pending, now, &actions)
            return .skipped(.settling)
        }
        // First, since it notes that a lit frame has gone by.
        let isLit = isLit(candidate, now, &actions)
        let wanted = values[pending.slot.settings]
        guard !frameLength.isChanging, clock.framesToSettle == 0, timeline.isExact(wanted),
            timeline.isSettled(wanted, upTo: pending.settlesAfter),
            olderShown.map({ isShown(wanted, in: $0) }) ?? true
        else { return .skipped(.settling) }
        guard startsInTime(pending, readout), let isLit else { return .skipped(.idle) }
        guard isLit else {
            if pending.unlitFrames + 1 >= Self.mostUnlitFrames {
                finishSlot()
                lose(hole(pending.slot, .lightLate), now, &actions)
            } else {
                self.pending?.unlitFrames += 1
            }
            return .skipped(.dark)
        }
        finishSlot()
        return .taken(pending.slot)
    }

    /// Whether a frame's exposure surely begins when the slot may begin.
    private func startsInTime(
        _ pending: PendingSlot, _ readout: ObservedFrame.Readout?
    ) -> Bool {
        if pending.notBefore == .distantPast { return true }
        guard let readout, let window = exposureWindow(exposure(of: pending.slot), readout)
        else { return false }
        return window.earliestStart >= pending.notBefore
    }

    /// A slot without its settings is a hole; what it had to wait for, the next one has to.
    mutating func loseRefused(
        _ slot: PendingSlot, _ now: Instant<Monotonic>, _ actions: inout ActionQueue
    ) {
        if slot.notBefore > .distantPast { notBefore = slot.notBefore }
        if triggers.isOn { triggers.accepted = slot.edge }
        finishSlot()
        lose(hole(slot.slot, .settingsRefused), now, &actions)
    }

    mutating func finishSlot() {
        pending = nil
        waiting = .nothing
    }

    func exposureWindow(
        _ duration: Interval?, _ readout: ObservedFrame.Readout
    ) -> ExposureWindow? {
        let offset = plan.camera.profile.timestamps.exposureEnd
        return ExposureWindow(
            readout: ObservedFrame.Readout(
                earliest: readout.earliest + offset.span - offset.halfWidth,
                latest: readout.latest + offset.span + offset.halfWidth), duration: duration,
            readoutTime: plan.camera.profile.timestamps.readout, period: clock.period,
            clockPerMillion: plan.camera.profile.clockPerMillion)
    }
}
