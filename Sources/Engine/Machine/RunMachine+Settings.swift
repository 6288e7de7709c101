internal import Devices
internal import Recipes
internal import Records
internal import Timebase
internal import Tracking

extension RunMachine {
    /// Orders the writes that the pending slot needs, and those of the slots after it that spoil nothing.
    mutating func writeAhead(_ now: Instant<Monotonic>, _ actions: inout ActionQueue) {
        // One write at a time: how long it took determines which frames it shows in.
        guard !timeline.isWriting, let (pending, cursor) = nextSlot else { return }
        let slot = pending.slot
        let needed = timeline.missing(
            for: shared.values[slot.settings], from: 1, period: clock.period ?? .seconds(1))
        if !needed.isEmpty {
            if planner.isSpoilt(needed, of: slot.number), retryGroup(now, &actions) { return }
            return order(planner.write(needed, for: slot, now, &timeline), &actions)
        }
        // Lights have their times, and a write may take long.
        guard planner.looksAhead, timeline.looksAhead, !sequencer.isEnding, slot.lights == 0,
            let period = clock.period, let first = firstFrame(for: pending, period),
            let write = planner.writeAhead(
                from: cursor, after: first, period: period, now, &timeline)
        else { return }
        order(write, &actions)
    }

    /// The slot whose settings are to be written, and the place behind it: the one that waits for its frame, or the
    /// first one of a round that is waited for, since no frame is wanted before.
    private var nextSlot: (PendingSlot, PlanCursor)? {
        if let pending = sequencer.waitingSlot {
            return planner.isRefused ? nil : (pending, sequencer.cursor)
        }
        var cursor = sequencer.cursor
        let program = shared.plan.program
        guard let due = sequencer.roundDue, !sequencer.isEnding, !triggers.isOn, lights.isIdle,
            !lights.isLit, let slot = cursor.nextSlotAtOnce(in: program.span),
            !planner.wasRefused(slot.number)
        else { return nil }
        return (PendingSlot(slot: slot, notBefore: due, edge: nil), cursor)
    }

    /// Has a write made that the planner ordered.
    mutating func order(_ write: SettingsWrite, _ actions: inout ActionQueue) {
        noteFrameLength(write.settings, write.groups)
        actions.push(.write(write))
    }

    /// The frame that the pending slot will get, counted from the last one; nil while that is unknown.
    private func firstFrame(for pending: PendingSlot, _ period: Interval) -> Int64? {
        let wanted = shared.values[pending.slot.settings]
        guard let last = clock.last,
            let settled = timeline.firstSettledFrame(
                for: wanted, upTo: planner.settlesAfter, period: period)
        else { return nil }
        var start = max(Int64(max(startupFramesLeft, clock.framesToSettle)) + 1, settled)
        if pending.notBefore != .distantPast {
            guard let readout = clock.readoutStart(of: last),
                let window = exposureWindow(exposure(of: pending.slot), readout)
            else { return nil }
            let begun = window.earliestStart - shared.plan.camera.profile.timestamps.delay
            let toGo = (pending.notBefore - begun).nanoseconds + period.nanoseconds - 1
            start = max(start, toGo / period.nanoseconds)
        }
        return timeline.firstFrame(with: wanted, from: start, period: period)
    }

    /// A write has returned.
    ///
    /// - Parameters:
    ///   - write: as it was ordered.
    ///   - begun: before the device can have got it.
    ///   - errno: 0 or positive.
    ///   - now: when the call had returned.
    mutating func returned(
        _ write: SettingsWrite, _ begun: Instant<Monotonic>, _ errno: Int32,
        _ now: Instant<Monotonic>, _ actions: inout ActionQueue
    ) {
        planner.end(
            write, begun: begun, succeeded: errno == 0, pending: sequencer.pending?.slot.number,
            now, &timeline)
        guard errno == 0 else { return sequencer.endRestoring() }
        if !write.isApproach {
            external.noteWrite(write.ticket, of: write.groups, begun: begun, ended: now)
        }
        // After all writes of this turn, which must not wait for it.
        actions.push(.readBack(write))
    }

    /// The device was asked what it has.
    ///
    /// - Parameters:
    ///   - write: after which it was read.
    ///   - applied: what it has; nil for what could not be read.
    mutating func settingsRead(_ write: SettingsWrite, _ applied: AppliedSettings) {
        // Beyond its place the lens is not where its settings put it.
        let groups =
            write.isApproach ? write.groups.subtracting(ControlGroups(.lens)) : write.groups
        groups.forEach {
            timeline.noteReading(applied[$0], of: $0, ticket: write.ticket)
        }
        external.noteReading(write.ticket, applied)
        sequencer.endRestoring()
    }

    /// The settings that a group was last written with; −1 if that failed, or it was not.
    func lastSettings(of group: ControlGroup) -> Int32 { planner.lastSettings(of: group) }

    /// What the frame that was offered last really had, as far as that is sure.
    var applied: AppliedSettings {
        var applied = AppliedSettings()
        ControlGroups.all.forEach { group in
            guard case .exactly(_, let reading) = timeline.shown(group) else { return }
            applied[group] = reading
        }
        return applied
    }

    /// The exposure that a slot's frame will have, as the device reported or as it was planned; nil if somebody else
    /// has changed it.
    func exposure(of slot: PlanSlot) -> Interval? {
        if let exposure = shared.plan.camera.trigger?.exposure { return exposure }
        guard external[.exposure].isUntouched, clock.keepsRegisterPeriod else { return nil }
        let value = shared.values[slot.settings][.exposure]
        let planned = shared.plan.settings[Int(slot.settings)].quantised.exposure.asked
        guard value != GroupValues.anything else { return applied.exposure }
        return timeline.reading(.exposure, value: value).map { Interval(nanoseconds: $0) }
            ?? planned
    }
}
