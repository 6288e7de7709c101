internal import Devices
internal import Recipes
internal import Records
internal import Timebase
internal import Tracking

extension RunMachine {
    /// A frame has come in: first the frames that are missing before it have their turn, then it.
    ///
    /// The order is fixed: timestamps are read first, then the gap is counted, then what is missing is offered to
    /// slots, then the frame itself. A frame's buffer is always given back: it is recorded, held or released by exactly
    /// one action.
    mutating func arrive(
        _ delivered: DequeuedFrame, hasRoom: Bool, _ now: Instant<Monotonic>,
        _ actions: inout ActionQueue
    ) {
        var frame = delivered
        let timestamps = times.read(frame, period: clock.period, now, &actions)
        frame.timestamp = timestamps.time
        let before = clock.last
        var gap = clock.advance(
            to: FrameArrival(
                sequence: frame.sequence, timestamp: frame.timestamp, takenAt: now,
                notBefore: times.queueEmptyAt))
        guard !gap.isRepeated, let candidate = clock.last else {
            let again = StreamFrame(
                sequence: frame.sequence, timestamp: frame.timestamp, delay: .zero)
            report(gap, again, bySlot: nil, now, &actions)
            reporter.skip(frame.sequence, .repeated, now, &actions)
            actions.push(.release(frame))
            return
        }
        if let isMismatched = metadata.judge(&frame, clock) {
            reporter.note(isMismatched: isMismatched, frame.sequence, now, &actions)
        }
        let arrived = ArrivedFrame(frame: frame, stream: candidate, timestamps: timestamps)
        noteHoldUp(candidate, now)
        // The edges of a triggered camera show more than the slot.
        let bySlot = triggers.isOn ? nil : before.flatMap { missingBySlot(candidate, after: $0) }
        if gap.isUnverifiable, let bySlot, bySlot > gap.missing {
            gap.unnumbered = bySlot - gap.numbered
            gap.attribution = .unknown
        }
        // Frames that are missing while the stream begins are not told, so no series is counted over them.
        if isStartingUp, gap.missing > 0 { reporter.flushDoubts(now, &actions) }
        report(gap, candidate, bySlot: bySlot, now, &actions)
        // What was skipped so far was counted from one number on.
        if gap.isJump || gap.breaksCount || gap.leavesNumbersOut {
            reporter.flushSkipped(now, &actions)
        }
        if gap.isJump, let before {
            actions.push(
                .log(.sequenceJumped(from: before.sequence, to: frame.sequence), at: now))
        }
        if gap.breaksCount { timeline.restart(at: observed(arrived, step: 0)) }
        if triggers.isOn {
            return arriveTriggered(arrived, gap, after: before, hasRoom, now, &actions)
        }
        if isStartingUp {
            let step = before == nil ? 0 : gap.numbered + 1
            return letGo(arrived, step: gap.breaksCount ? nil : step, now, &actions)
        }
        var older: GroupValues?
        if let before {
            older = offerMissing(
                gap, between: before, and: candidate, bySlot: bySlot ?? 0, now, &actions)
        }
        follow(
            arrived, gap, isFirst: before == nil,
            older: gap.mayBeEarlier > 0 ? older : nil, hasRoom, now, &actions)
    }

    /// Skips a frame, since the times of frames are not known well yet.
    ///
    /// Whatever settles with it, it was taken for one of unknown time.
    ///
    /// - Parameter step: how much further its number is than that of the frame before; nil where that is not known.
    private mutating func letGo(
        _ frame: ArrivedFrame, step: Int64?, _ now: Instant<Monotonic>,
        _ actions: inout ActionQueue
    ) {
        var frame = frame
        startupFramesLeft = max(0, startupFramesLeft - 1)
        if let step { timeline.observe(observed(frame, step: step)) }
        compareMetadata(of: &frame)
        followFrameLength()
        reporter.skip(frame.sequence, .startup, now, &actions)
        actions.push(.release(frame.frame))
    }

    /// Observes a frame behind those that were missing before it, and offers it.
    ///
    /// - Parameters:
    ///   - gap: what is missing before it.
    ///   - isFirst: whether it is the first of the stream.
    ///   - older: what it had where a receiver put its timestamp on an older picture; nil if that can't be.
    ///   - hasRoom: whether a pool buffer is free for it.
    private mutating func follow(
        _ frame: ArrivedFrame, _ gap: FrameGap, isFirst: Bool, older: GroupValues?,
        _ hasRoom: Bool, _ now: Instant<Monotonic>, _ actions: inout ActionQueue
    ) {
        var frame = frame
        if !gap.breaksCount { timeline.observe(observed(frame, step: isFirst ? 0 : 1)) }
        external.observe(clock, isCounted: gap.isWhole, timeline)
        compareMetadata(of: &frame)
        if frame.frame.isDamaged {
            actions.push(.log(.frameDamaged(sequence: frame.sequence), at: now))
            offer(
                frame.stream, readoutStart(of: frame), lost: .damaged, by: [], isDelivered: true,
                older: older, now, &actions)
            actions.push(.release(frame.frame))
        } else {
            offer(frame, older: older, hasRoom: hasRoom, now, &actions)
        }
        followFrameLength()
    }

    /// Whether frames are skipped since their times are not known well yet.
    ///
    /// After a change of the frame length frames are skipped as settling instead: they are in the run's
    /// count.
    var isStartingUp: Bool {
        startupFramesLeft > 0 || clock.framesToSettle > 0 && !frameLength.hasChanged
    }

    /// The earliest and latest moment at which a frame's readout can have begun; nil while that is not known.
    func readoutStart(of frame: ArrivedFrame) -> ObservedFrame.Readout? {
        readoutStart(of: frame.stream, frame.timestamps)
    }

    /// The same of the last frame that came.
    var lastReadoutStart: ObservedFrame.Readout? {
        clock.last.flatMap { readoutStart(of: $0, times.last) }
    }

    private func readoutStart(
        of frame: StreamFrame, _ timestamps: FrameTimestamps
    ) -> ObservedFrame.Readout? {
        guard let byDriver = clock.readoutStart(of: frame) else { return nil }
        return frame.timestamp == timestamps.time
            ? timestamps.readoutStart(byDriver, shared.plan.camera.profile.timestamps) : byDriver
    }

    /// A frame that came, as the delay model sees it.
    func observed(_ frame: ArrivedFrame, step: Int64) -> ObservedFrame {
        ObservedFrame(
            step: step, timestamp: frame.stream.timestamp, readout: readoutStart(of: frame))
    }

    /// A frame that is missing, as the delay model sees it.
    func observed(
        _ lost: StreamFrame, step: Int64, isLostInside: Bool = false
    ) -> ObservedFrame {
        ObservedFrame(
            step: step, timestamp: lost.timestamp, readout: clock.readoutStart(of: lost),
            isLostInside: isLostInside)
    }

    /// Offers a frame that was lost: the slot that it belongs to is a hole.
    ///
    /// - Parameters:
    ///   - candidate: the frame, with the time that it had or must have had.
    ///   - readout: when its readout can have begun; nil if that is not known.
    ///   - reason: what the row has if a slot loses it.
    ///   - gapEvidence: which counts show that it is missing.
    ///   - isDelivered: whether it came, as a damaged one does.
    mutating func offer(
        _ candidate: StreamFrame, _ readout: ObservedFrame.Readout?, lost reason: HoleReason,
        by gapEvidence: GapEvidence, isDelivered: Bool, older: GroupValues? = nil,
        _ now: Instant<Monotonic>, _ actions: inout ActionQueue
    ) {
        let isLitFor = lights.isPlanned
        switch decide(
            candidate, readout, older, isLostInside: reason == .droppedByDevice, now, &actions)
        {
        case .taken(let slot):
            reporter.flushSkipped(now, &actions)
            if keepsWaiting(reason, now, &actions) { return }
            take(slot, readout, now, &actions)
            var row = hole(slot, reason)
            if reason.hasNumber { row.deviceSequence = candidate.sequence }
            if !isDelivered { row.gapEvidence = isLitFor ? gapEvidence.union(.slot) : gapEvidence }
            lose(row, now, &actions)
            proceed(isCatchingUp: !isDelivered, now, &actions)
        // A frame that never came is in the log as missing; only what came can be skipped.
        case .skipped(let why):
            if isDelivered { reporter.skip(candidate.sequence, why, now, &actions) }
        }
    }

    /// Offers a frame that is there.
    ///
    /// - Parameter hasRoom: without it the slot is a hole, and the run ends where the recipe wants that.
    private mutating func offer(
        _ frame: ArrivedFrame, older: GroupValues?, hasRoom: Bool, _ now: Instant<Monotonic>,
        _ actions: inout ActionQueue
    ) {
        let slot: PlanSlot
        let readout = readoutStart(of: frame)
        switch decide(frame.stream, readout, older, now, &actions) {
        case .taken(let taken): slot = taken
        case .skipped(let why):
            reporter.skip(frame.sequence, why, now, &actions)
            actions.push(.release(frame.frame))
            return
        }
        if !hasRoom, shared.plan.output.whenFull == .hole, keepsWaiting(.buffersFull, now, &actions)
        {
            reporter.skip(frame.sequence, .abandoned, now, &actions)
            return actions.push(.release(frame.frame))
        }
        reporter.flushSkipped(now, &actions)
        take(slot, readout, now, &actions)
        if hasRoom {
            keep(row(slot, frame), frame.frame, now, &actions)
        } else {
            var row = hole(slot, .buffersFull)
            row.deviceSequence = frame.sequence
            row.rawTimestamp = frame.timestamps.raw
            row.timestampClock = frame.timestamps.clock
            actions.push(.release(frame.frame))
            if shared.plan.output.whenFull == .stop {
                groups.close(now, &actions)
                sequencer.end(.storageFailed)
            }
            lose(row, now, &actions)
        }
    }

    /// Whether the pending slot takes a frame; if not, as what it is skipped.
    private enum Decision {
        case skipped(SkipReason)
        case taken(PlanSlot)
    }

    /// Decides whether the pending slot gets a candidate, delivered or not.
    ///
    /// A slot takes the first frame that surely has its settings, begins in time and has its lights.
    ///
    /// - Parameter isLostInside: whether it was lost before anybody could count it: then those that were lost before it
    ///   count as well.
    private mutating func decide(
        _ candidate: StreamFrame, _ readout: ObservedFrame.Readout?, _ older: GroupValues?,
        isLostInside: Bool = false, _ now: Instant<Monotonic>, _ actions: inout ActionQueue
    ) -> Decision {
        guard let pending = sequencer.waitingSlot else { return .skipped(.idle) }
        if planner.isRefused {
            loseRefused(pending.slot, now, &actions)
            return .skipped(.settling)
        }
        // First, since it notes that a lit frame has gone by.
        let isLit = isLit(candidate, for: pending.slot, readout, now, &actions)
        let wanted = shared.values[pending.slot.settings]
        guard !frameLength.isChanging, clock.framesToSettle == 0,
            timeline.isExact(wanted, countingAll: isLostInside),
            timeline.isSettled(wanted, upTo: planner.settlesAfter),
            older.map({ isShown(wanted, in: $0) }) ?? true
        else { return .skipped(.settling) }
        guard startsInTime(pending, readout), let isLit else { return .skipped(.idle) }
        guard isLit else {
            if lights.countUnlit() {
                sequencer.endSlot()
                lose(hole(pending.slot, .lightLate), now, &actions)
            }
            return .skipped(.dark)
        }
        return .taken(pending.slot)
    }

    /// The pending slot has its frame, or lost it for good: a hole is not filled with a later frame.
    private mutating func take(
        _ slot: PlanSlot, _ readout: ObservedFrame.Readout?, _ now: Instant<Monotonic>,
        _ actions: inout ActionQueue
    ) {
        noteRounds(slot, readout, now, &actions)
        sequencer.endSlot()
    }

    /// Whether the pending slot waits for another frame, since the one that it would have taken is lost.
    ///
    /// One of a group does not: the group is taken again, or has a hole.
    private mutating func keepsWaiting(
        _ reason: HoleReason, _ now: Instant<Monotonic>, _ actions: inout ActionQueue
    ) -> Bool {
        guard shared.plan.onLost == .retake, !groups.isInside, !sequencer.isEnding,
            let pending = sequencer.waitingSlot, let found = clock.last?.sequence
        else { return false }
        let loss = sequencer.keepWaiting(after: found)
        if loss == .tooMany { return false }
        if pending.slot.lights != 0 { lights.planAgain(now, &actions) }
        guard loss == .another else { return true }
        let number = pending.slot.number
        actions.push(.log(.slotRetaken(slot: number, sequence: found, reason: reason), at: now))
        return true
    }

    /// Whether a frame's exposure surely begins when the slot may begin.
    ///
    /// A slot without a moment takes any frame; where the exposure can't be bounded no frame surely begins in time.
    private func startsInTime(
        _ pending: PendingSlot, _ readout: ObservedFrame.Readout?
    ) -> Bool {
        if pending.notBefore == .distantPast { return true }
        guard let readout, let window = exposureWindow(exposure(of: pending.slot), readout)
        else { return false }
        return window.earliestStart >= pending.notBefore
    }

    /// The schedule of rounds follows the first frame of each.
    ///
    /// Not that of a lit one: it is planned some frames ahead, in every round alike.
    private mutating func noteRounds(
        _ slot: PlanSlot, _ readout: ObservedFrame.Readout?, _ now: Instant<Monotonic>,
        _ actions: inout ActionQueue
    ) {
        guard slot.lights == 0, let readout,
            let window = exposureWindow(exposure(of: slot), readout)
        else { return }
        sequencer.noteFrame(window.earliestStart, period: clock.period ?? .zero, now, &actions)
    }

    /// A slot without its settings is a hole; what it had to wait for, the next one has to.
    mutating func loseRefused(
        _ slot: PlanSlot, _ now: Instant<Monotonic>, _ actions: inout ActionQueue
    ) {
        sequencer.passSlot()
        lose(hole(slot, .settingsRefused), now, &actions)
    }

    /// The times of an exposure by what the profile states of the shutter.
    ///
    /// - Parameters:
    ///   - duration: nil if unknown.
    ///   - readout: when the readout of the first row can have begun.
    /// - Returns: nil if too little is known to bound it.
    func exposureWindow(
        _ duration: Interval?, _ readout: ObservedFrame.Readout
    ) -> ExposureWindow? {
        let offset = shared.plan.camera.profile.timestamps.exposureEnd
        return ExposureWindow(
            readout: ObservedFrame.Readout(
                earliest: readout.earliest + offset.span - offset.halfWidth,
                latest: readout.latest + offset.span + offset.halfWidth), duration: duration,
            readoutTime: shared.plan.camera.profile.timestamps.readout, period: clock.period,
            clockPerMillion: shared.plan.camera.profile.clockPerMillion)
    }
}
