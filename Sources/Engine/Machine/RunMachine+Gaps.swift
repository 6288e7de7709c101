internal import Devices
internal import Recipes
internal import Records
internal import Timebase
internal import Tracking

/// What is logged of missing frames, and what the plan shows of them beside sequence and timestamps.
extension RunMachine {
    /// Writes down what the next frame shows of its driver.
    ///
    /// - Parameters:
    ///   - gap: what sequence and timestamps show of the frames before it.
    ///   - frame: the one that came.
    ///   - bySlot: missing frames by the slot's own moment; nil if no slot shows them.
    mutating func report(
        _ gap: FrameGap, _ frame: StreamFrame, bySlot: Int64?, _ now: Instant<Monotonic>,
        _ actions: inout ActionQueue
    ) {
        var quirks = gap.quirks
        while let quirk = quirks.popFirst() {
            let isKnown = shared.plan.camera.profile.quirks.contains(quirk)
            actions.push(
                .log(.quirkSeen(quirk, sequence: frame.sequence, isKnown: isKnown), at: now))
        }
        if let found = gap.newPeriod { actions.push(.log(.rateDiffers(found: found), at: now)) }
        if gap.foundPeriod != nil { timeline.forgetPeriod() }
        if let found = gap.foundPeriod,
            let expected = shared.plan.registerPeriod(of: frameLength.settings)
        {
            actions.push(
                .log(
                    .periodMismatch(sequence: frame.sequence, expected: expected, found: found),
                    at: now))
        }
        if let least = gap.lateBefore {
            actions.push(
                .log(.earlierTimestampsLate(sequence: frame.sequence, least: least), at: now))
        }
        reporter.note(gap.doubt, frame.sequence, now, &actions)
        reporter.note(isUnverifiable: gap.isUnverifiable, frame.sequence, now, &actions)
        // Nothing was recorded yet that a frame could be missing from.
        guard gap.isDisputed, !isStartingUp else { return }
        actions.push(
            .log(
                .sequenceTimestampMismatch(
                    before: frame.sequence, bySequence: gap.bySequence,
                    fewest: gap.fewestBySpacing, most: gap.mostBySpacing, bySlot: bySlot), at: now))
    }

    /// How many frames must have begun for the pending slot before this one, from the moment at which it could begin.
    ///
    /// Three tenths of a period are left for timestamps that are off.
    ///
    /// - Returns: nil if no slot is tied to a moment since the last frame: then its frame is any frame.
    mutating func missingBySlot(_ frame: StreamFrame, after before: StreamFrame) -> Int64? {
        guard let pending = sequencer.waitingSlot, pending.notBefore > before.timestamp,
            let period = clock.period, period > .zero,
            let readout = clock.readoutStart(of: frame),
            let window = exposureWindow(exposure(of: pending.slot), readout)
        else { return nil }
        // As much as timestamps are allowed to be off.
        let room = window.earliestStart - pending.notBefore - period * 3 / 10
        return room < .zero ? 0 : room.nanoseconds / period.nanoseconds
    }

    /// Takes note of frames that have waited long for the host.
    mutating func noteHoldUp(_ frame: StreamFrame, _ now: Instant<Monotonic>) {
        guard let period = clock.period else { return }
        let readout = shared.plan.camera.profile.timestamps.readout ?? period
        hostStall.note(frame, readout: readout, period: period, at: now)
    }

    /// Why a missing frame with a number of its own is missing.
    ///
    /// A number that no frame has is the host's doing if it held frames up then, else the driver's.
    func reason(ofNumbered frame: StreamFrame) -> HoleReason {
        hostStall.covers(frame, period: clock.period ?? .zero) ? .hostStalled : .droppedByDriver
    }
}

extension FrameGap.Attribution {
    /// As the ledger calls it.
    var reason: HoleReason {
        switch self {
        case .device: .droppedByDevice
        case .unknown: .dropped
        case .doubtful: .uncertain
        }
    }
}
