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
        lastFrameAt = now
        var frame = delivered
        lastTimestamps = times.read(frame, period: clock.period, now, &actions)
        frame.timestamp = lastTimestamps.time
        let before = clock.last
        var gap = clock.advance(
            to: FrameArrival(
                sequence: frame.sequence, timestamp: frame.timestamp, takenAt: now,
                notBefore: times.queueEmptyAt))
        guard !gap.isRepeated, let candidate = clock.last else {
            let again = StreamFrame(
                sequence: frame.sequence, timestamp: frame.timestamp, delay: .zero)
            report(gap, again, bySlot: nil, now, &actions)
            reports.skip(frame.sequence, .repeated, now, &actions)
            actions.push(.release(frame))
            return
        }
        if let isMismatched = metadata.judge(&frame, clock) {
            reports.note(isMismatched: isMismatched, frame.sequence, now, &actions)
        }
        let arrived = ArrivedFrame(
            frame: frame, stream: candidate, timestamps: lastTimestamps)
        noteHoldUp(candidate, now)
        // The edges of a triggered camera show more than the slot.
        let bySlot = triggers.isOn ? nil : before.flatMap { missingBySlot(candidate, after: $0) }
        if gap.isUnverifiable, let bySlot, bySlot > gap.missing {
            gap.unnumbered = bySlot - gap.numbered
            gap.attribution = .unknown
        }
        report(gap, candidate, bySlot: bySlot, now, &actions)
        // What was skipped so far was counted from one number on.
        if gap.isJump || gap.breaksCount { reports.flushSkipped(now, &actions) }
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
        olderShown = nil
        var older: GroupValues?
        if let before {
            isCatchingUp = true
            older = offerMissing(
                gap, between: before, and: candidate, bySlot: bySlot ?? 0, now, &actions)
            isCatchingUp = false
        }
        olderShown = gap.mayBeEarlier > 0 ? older : nil
        follow(arrived, isCounted: !gap.breaksCount, isFirst: before == nil, hasRoom, now, &actions)
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
        reports.skip(frame.sequence, .startup, now, &actions)
        actions.push(.release(frame.frame))
    }

    /// Observes a frame behind those that were missing before it, and offers it.
    ///
    /// - Parameters:
    ///   - isCounted: whether it is known how many frames there were since the last one.
    ///   - isFirst: whether it is the first of the stream.
    ///   - hasRoom: whether a pool buffer is free for it.
    private mutating func follow(
        _ frame: ArrivedFrame, isCounted: Bool, isFirst: Bool, _ hasRoom: Bool,
        _ now: Instant<Monotonic>, _ actions: inout ActionQueue
    ) {
        var frame = frame
        if isCounted { timeline.observe(observed(frame, step: isFirst ? 0 : 1)) }
        external.observe(clock, isCounted: isCounted, timeline)
        compareMetadata(of: &frame)
        if frame.frame.isDamaged {
            actions.push(.log(.frameDamaged(sequence: frame.sequence), at: now))
            offer(
                frame.stream, readoutStart(of: frame), lost: .damaged, by: [], isDelivered: true,
                now, &actions)
            actions.push(.release(frame.frame))
        } else {
            offer(frame, hasRoom: hasRoom, now, &actions)
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
        clock.last.flatMap { readoutStart(of: $0, lastTimestamps) }
    }

    private func readoutStart(
        of frame: StreamFrame, _ timestamps: FrameTimestamps
    ) -> ObservedFrame.Readout? {
        guard let byDriver = clock.readoutStart(of: frame) else { return nil }
        return frame.timestamp == timestamps.time
            ? timestamps.readoutStart(byDriver, plan.camera.profile.timestamps) : byDriver
    }

    /// A frame that came, as the delay model sees it.
    func observed(_ frame: ArrivedFrame, step: Int64) -> ObservedFrame {
        ObservedFrame(
            step: step, timestamp: frame.stream.timestamp, readout: readoutStart(of: frame))
    }

    /// A frame that is missing, as the delay model sees it.
    func observed(_ lost: StreamFrame, step: Int64) -> ObservedFrame {
        ObservedFrame(
            step: step, timestamp: lost.timestamp, readout: clock.readoutStart(of: lost))
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
        by gapEvidence: GapEvidence, isDelivered: Bool, _ now: Instant<Monotonic>,
        _ actions: inout ActionQueue
    ) {
        let isLitFor = pending?.litFrame != nil
        switch decide(candidate, readout, now, &actions) {
        case .taken(let slot):
            reports.flushSkipped(now, &actions)
            var row = hole(slot, reason)
            if reason.hasNumber { row.deviceSequence = candidate.sequence }
            if !isDelivered { row.gapEvidence = isLitFor ? gapEvidence.union(.slot) : gapEvidence }
            lose(row, now, &actions)
            proceed(now, &actions)
        // A frame that never came is in the log as missing; only what came can be skipped.
        case .skipped(let why):
            if isDelivered { reports.skip(candidate.sequence, why, now, &actions) }
        }
    }

    /// Offers a frame that is there.
    ///
    /// - Parameter hasRoom: without it the slot is a hole, and the run ends where the recipe wants that.
    private mutating func offer(
        _ frame: ArrivedFrame, hasRoom: Bool, _ now: Instant<Monotonic>,
        _ actions: inout ActionQueue
    ) {
        let slot: PlanSlot
        switch decide(frame.stream, readoutStart(of: frame), now, &actions) {
        case .taken(let taken): slot = taken
        case .skipped(let why):
            reports.skip(frame.sequence, why, now, &actions)
            actions.push(.release(frame.frame))
            return
        }
        reports.flushSkipped(now, &actions)
        if hasRoom {
            keep(row(slot, frame), frame.frame, now, &actions)
        } else {
            var row = hole(slot, .buffersFull)
            row.deviceSequence = frame.sequence
            row.rawTimestamp = frame.timestamps.raw
            row.timestampClock = frame.timestamps.clock
            actions.push(.release(frame.frame))
            if plan.output.whenFull == .stop {
                closeGroup(now, &actions)
                end(.storageFailed)
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
    /// A slot takes the first frame that surely has its settings, begins in time and has its lights. It is forgotten
    /// once it has taken one, whether that came or not: a hole is not filled with a later frame.
    private mutating func decide(
        _ candidate: StreamFrame, _ readout: ObservedFrame.Readout?,
        _ now: Instant<Monotonic>, _ actions: inout ActionQueue
    ) -> Decision {
        guard case .frame = waiting, let pending else { return .skipped(.idle) }
        if pending.isRefused {
            loseRefused(pending, now, &actions)
            return .skipped(.settling)
        }
        // First, since it notes that a lit frame has gone by.
        let isLit = isLit(candidate, readout, now, &actions)
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

    /// A slot without its settings is a hole; what it had to wait for, the next one has to.
    mutating func loseRefused(
        _ slot: PendingSlot, _ now: Instant<Monotonic>, _ actions: inout ActionQueue
    ) {
        if slot.notBefore > .distantPast { notBefore = slot.notBefore }
        if triggers.isOn { triggers.accepted = slot.edge }
        finishSlot()
        lose(hole(slot.slot, .settingsRefused), now, &actions)
    }

    /// Nothing waits any more; the next operation of the plan can be taken.
    mutating func finishSlot() {
        pending = nil
        waiting = .nothing
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
        let offset = plan.camera.profile.timestamps.exposureEnd
        return ExposureWindow(
            readout: ObservedFrame.Readout(
                earliest: readout.earliest + offset.span - offset.halfWidth,
                latest: readout.latest + offset.span + offset.halfWidth), duration: duration,
            readoutTime: plan.camera.profile.timestamps.readout, period: clock.period,
            clockPerMillion: plan.camera.profile.clockPerMillion)
    }
}
