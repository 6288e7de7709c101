internal import Devices
internal import Recipes
internal import Records
internal import Timebase
internal import Tracking

extension RunMachine {
    /// Orders the writes that the pending slot needs, and those of the slots after it that spoil nothing.
    ///
    /// Captures that follow each other without a wait between them are looked at in their order. A setting of a later
    /// one is written as soon as the earliest frame that could show it comes after the frame that the ones before it
    /// still need. Where a frame turns out not to have been what was forecast, its slot's settings are written again.
    ///
    /// A forecast that fails costs frames and makes nothing wrong: a frame is taken by what it surely had.
    mutating func writeAhead(_ now: Instant<Monotonic>, _ actions: inout ActionQueue) {
        // One write at a time: how long it took determines which frames it shows in.
        guard case .frame = waiting, let pending, !pending.isRefused, !isCatchingUp,
            !timeline.isWriting
        else { return }
        let needed = timeline.missing(
            for: values[pending.slot.settings], from: 1, period: clock.period ?? .seconds(1))
        if !needed.isEmpty {
            if isSpoilt(needed, of: pending.slot.number) {
                if repeatGroup(now, &actions) { return }
                self.pending?.isAlone = true
            }
            write(pending.slot.settings, needed, slot: pending.slot.number, now, &actions)
            if self.pending?.isAlone == true { lastRepeatedTicket = lastTicket }
        }
        // Lights have their times, and a write may take long.
        guard isFrameTurn, timeline.looksAhead, !timeline.isWriting, !isStopRequested,
            pending.slot.lights == 0,
            self.pending?.isAlone == false, let period = clock.period,
            let first = firstFrame(for: pending.slot, period)
        else { return }
        writeAhead(after: first, period, now, &actions)
    }

    /// At most one write is ordered; after it has returned the walk begins again.
    ///
    /// - Parameter first: the frame that the pending slot will get.
    private mutating func writeAhead(
        after first: Int64, _ period: Interval, _ now: Instant<Monotonic>,
        _ actions: inout ActionQueue
    ) {
        var frame = first
        var ahead = cursor
        while refusedSlot == nil, let slot = nextSlot(&ahead) {
            let needed = timeline.missing(
                for: values[slot.settings], from: frame + 1, period: period)
            // On its way beyond its place the lens would spoil the frames before. What was written for a later slot
            // already may still turn out to be in time for this one.
            guard !approaches(slot.settings, needed), !isSpoilt(needed, of: slot.number) else {
                return
            }
            let allowed = allowed(needed, after: frame, now)
            if !allowed.isEmpty {
                return write(slot.settings, allowed, slot: slot.number, now, &actions)
            }
            // When lights can be switched is known for the pending slot only.
            guard slot.lights == 0 else { return }
            var start = frame + 1
            needed.forEach { group in
                let doubt = timeline.doubt(writing: group, at: now, period: period)
                start = max(start, frame + 1 + doubt)
            }
            let next = timeline.firstFrame(
                with: values[slot.settings], leaving: needed, from: start, period: period)
            guard let next, next <= horizon(now) else { return }
            frame = next
        }
    }

    /// The last frame that a write of now could be too early for.
    ///
    /// Beyond it nothing that is written now could show too early, so that no walk goes on for ever.
    private func horizon(_ now: Instant<Monotonic>) -> Int64 {
        var last: Int64 = 0
        ControlGroups.all.forEach { last = max(last, timeline.earliestFrame(writing: $0, at: now)) }
        return last
    }

    /// Those groups that can be written now and show in no frame up to `frame`.
    private func allowed(
        _ groups: ControlGroups, after frame: Int64, _ now: Instant<Monotonic>
    ) -> ControlGroups {
        var allowed: ControlGroups = []
        groups.forEach { group in
            if timeline.hasRoom(group), timeline.earliestFrame(writing: group, at: now) > frame {
                allowed.insert(ControlGroups(group))
            }
        }
        return allowed
    }

    /// Whether groups that a slot needs were written for it or a later one already: then its frame has gone by.
    private func isSpoilt(_ groups: ControlGroups, of slot: Int64) -> Bool {
        var isSpoilt = false
        groups.forEach { isSpoilt = isSpoilt || writtenFor[$0] >= slot }
        return isSpoilt
    }

    /// Orders a write; `slot` is −1 for one that no slot waits for.
    ///
    /// - Parameters:
    ///   - settings: index into the plan's settings.
    ///   - groups: those of them that are written; not empty.
    ///   - slot: the slot that waits for it.
    ///   - isStraight: whether the lens goes to its place at once, from whichever side it is.
    mutating func write(
        _ settings: Int32, _ groups: ControlGroups, slot: Int64, isStraight: Bool = false,
        _ now: Instant<Monotonic>, _ actions: inout ActionQueue
    ) {
        noteFrameLength(settings, groups)
        lastTicket += 1
        let (ticket, wanted) = (lastTicket, values[settings])
        groups.forEach { group in
            timeline.beginWrite(wanted[group], to: group, ticket: ticket, at: now)
            written[group] = settings
            writtenFor[group] = slot
        }
        actions.push(
            .write(
                SettingsWrite(
                    ticket: ticket, settings: settings, groups: groups, slot: slot,
                    isApproach: !isStraight && approaches(settings, groups))))
    }

    /// The frame that the pending slot will get, counted from the last one; nil while that is unknown.
    private func firstFrame(for slot: PlanSlot, _ period: Interval) -> Int64? {
        guard let pending, let last = clock.last,
            let settled = timeline.firstSettledFrame(
                for: values[slot.settings], upTo: pending.settlesAfter, period: period)
        else { return nil }
        var start = max(Int64(max(startupFramesLeft, clock.framesToSettle)) + 1, settled)
        if pending.notBefore != .distantPast {
            guard let readout = clock.readoutStart(of: last),
                let window = exposureWindow(exposure(of: slot), readout)
            else { return nil }
            let begun = window.earliestStart - plan.camera.profile.timestamps.delay
            let toGo = (pending.notBefore - begun).nanoseconds + period.nanoseconds - 1
            start = max(start, toGo / period.nanoseconds)
        }
        return timeline.firstFrame(
            with: values[slot.settings], from: start, period: period)
    }

    /// The next slot of a walk, if nothing but loops lies before it that start their rounds at once.
    func nextSlot(_ ahead: inout PlanCursor) -> PlanSlot? {
        var operationsLeft = 64
        while operationsLeft > 0 {
            operationsLeft -= 1
            switch ahead.next(in: plan.program.span) {
            case .slot(let slot): return slot
            case .roundStart(_, _, let every, _, _): if every > .zero { return nil }
            case .roundEnd, .group, .restore: break
            case .pulse, .wait, .waitForEdge, .end: return nil
            }
        }
        return nil
    }

    /// A write has returned.
    ///
    /// A refused write leaves its groups unknown, and its slot is a hole in its turn.
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
        if write.isApproach, errno == 0 { return beginApproach(write, begun, now, &actions) }
        timeline.endWrite(
            write.ticket, of: write.groups, begun: endApproach(of: write) ?? begun, ended: now,
            succeeded: errno == 0)
        if errno == 0 {
            external.noteWrite(write.ticket, of: write.groups, begun: begun)
            // After all writes of this turn, which must not wait for it.
            actions.push(.readBack(write))
            return
        }
        write.groups.forEach { written[$0] = -1 }
        refuse(write.slot)
        if case .restoring = waiting { waiting = .restored }
    }

    /// Marks the slot that a refused write was for; of several to come the first one is kept.
    private mutating func refuse(_ slot: Int64) {
        guard slot >= 0 else { return }
        if slot == pending?.slot.number {
            pending?.isRefused = true
        } else {
            refusedSlot = min(refusedSlot ?? slot, slot)
        }
    }

    /// The device was asked what it has.
    ///
    /// - Parameters:
    ///   - write: after which it was read.
    ///   - applied: what it has; nil for what could not be read.
    mutating func settingsRead(
        _ write: SettingsWrite, _ applied: AppliedSettings, _ now: Instant<Monotonic>
    ) {
        // Beyond its place the lens is not where its settings put it.
        let groups =
            write.isApproach ? write.groups.subtracting(ControlGroups(.lens)) : write.groups
        groups.forEach {
            timeline.noteReading(applied[$0], of: $0, ticket: write.ticket)
        }
        external.noteReading(write.ticket, applied, at: now)
        if case .restoring = waiting { waiting = .restored }
    }

    /// The settings that a group was last written with; −1 if that failed, or it was not.
    func lastSettings(of group: ControlGroup) -> Int32 { written[group] }

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
        if let exposure = plan.camera.trigger?.exposure { return exposure }
        guard external[.exposure].isUntouched, clock.keepsRegisterPeriod else { return nil }
        let value = values[slot.settings][.exposure]
        let planned = plan.settings[Int(slot.settings)].quantised.exposure.asked
        guard value != GroupValues.anything else { return applied.exposure }
        return timeline.reading(.exposure, value: value).map { Interval(nanoseconds: $0) }
            ?? planned
    }
}
