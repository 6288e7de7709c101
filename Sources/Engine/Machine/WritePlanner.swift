internal import Devices
internal import Recipes
internal import Records
internal import Timebase
internal import Tracking

/// Decides which settings are written, and when: those of the slot that waits, and those of later ones that spoil
/// nothing.
///
/// A forecast that fails costs frames and makes nothing wrong: a frame is taken by what it surely had. Each write is
/// begun in the timeline with the ticket that it is returned with.
struct WritePlanner {
    private let program: [Instruction]
    private let values: PlanValues
    /// The settings that each group was last written with; −1 if that failed, or it was not written.
    private var written = PerGroup<Int32>(repeating: -1)
    /// The slot that each group was last written for; −1 for none, as after a group of frames is begun again.
    private var writtenFor = PerGroup<Int64>(repeating: -1)
    /// The last write that was made again, since its slot's frame was believed to have gone by; −1 for none.
    private var lastRepeatedTicket: Int64 = -1
    /// A slot to come whose settings were refused when they were written ahead.
    private var refusedSlot: Int64?
    /// The frame of the slot that waits passed once: nothing is written for later ones before it has another.
    private var isAlone = false
    /// Whether a frame has just come, and nothing since but what was done for it: the best time to write ahead.
    private var isFrameTurn = false
    /// The lens, while it is beyond its place.
    private var approach: LensApproach?
    /// The settings that the camera is left with; nil if it keeps the last ones, and before the stream has started.
    private var settingsToLeave: Int32?

    /// The number of the last write; 0 before any.
    private(set) var lastTicket: Int64 = 0
    /// The camera refused the settings of the slot that waits: it ends as a hole.
    private(set) var isRefused = false
    /// What was written up to this ticket must have gone by before the slot that waits takes a frame; −1 for nothing.
    ///
    /// Else what was written ahead for the attempt of a group before would show in the middle of this one, and what was
    /// written again for a slot that got its frame before that could show, in the middle of the next capture.
    private(set) var settlesAfter: Int64 = -1

    /// - Parameter values: the plan's settings.
    init(_ plan: Plan, _ values: PlanValues) { (program, self.values) = (plan.program, values) }

    /// The settings that a group was last written with; −1 if that failed, or it was not.
    func lastSettings(of group: ControlGroup) -> Int32 { written[group] }

    // MARK: What happens

    /// Before the stream everything was written with the first settings, which may have moved the lens.
    ///
    /// Ticket 0: everything else that is written has a higher one.
    mutating func takeOver(
        _ applied: AppliedSettings, writtenAt time: Instant<Monotonic>,
        _ timeline: inout SettingsTimeline
    ) {
        if case .restore(let settings, _) = program.last { settingsToLeave = settings }
        guard !values.isEmpty else { return }
        let wanted = values[0]
        ControlGroups.all.forEach { group in
            guard wanted[group] != GroupValues.anything else { return }
            timeline.beginWrite(wanted[group], to: group, ticket: 0, at: time)
            written[group] = 0
        }
        timeline.endWrite(0, of: .all, begun: time, ended: time, succeeded: true)
        ControlGroups.all.forEach { timeline.noteReading(applied[$0], of: $0, ticket: 0) }
    }

    /// A frame has come.
    mutating func noteFrame() { isFrameTurn = true }

    /// Time has passed without anything else.
    mutating func noteTick() { isFrameTurn = false }

    /// A slot waits for its frame.
    ///
    /// - Parameters:
    ///   - slot: its number.
    ///   - ticket: what its group of frames lets go by first; −1 for nothing.
    mutating func begin(_ slot: Int64, after ticket: Int64) {
        isAlone = false
        settlesAfter = max(lastRepeatedTicket, ticket)
        isRefused = wasRefused(slot)
        if let refused = refusedSlot, refused <= slot { refusedSlot = nil }
    }

    /// Whether the settings of a slot to come were refused when they were written ahead: nobody asks for them again
    /// before its turn, in which it is a hole.
    func wasRefused(_ slot: Int64) -> Bool { refusedSlot == slot }

    /// Slots are begun again from an earlier one.
    mutating func goBack() {
        writtenFor = PerGroup(repeating: -1)
        refusedSlot = nil
    }

    /// A write has returned.
    ///
    /// A refused write leaves its groups unknown, and its slot is a hole in its turn.
    ///
    /// - Parameters:
    ///   - write: as it was ordered.
    ///   - begun: before the device can have got it.
    ///   - succeeded: whether the device took all of it.
    ///   - pending: the number of the slot that waits.
    ///   - now: when the call had returned.
    mutating func end(
        _ write: SettingsWrite, begun: Instant<Monotonic>, succeeded: Bool, pending: Int64?,
        _ now: Instant<Monotonic>, _ timeline: inout SettingsTimeline
    ) {
        var (groups, begun) = (write.groups, begun)
        if write.isApproach, succeeded {
            // Only the lens waits: for all other groups the write is over, and frames may show it.
            groups = groups.subtracting(ControlGroups(.lens))
            approach = LensApproach(
                write, begun: begun, due: now + timeline.delay(of: .lens).settle)
        } else if let approach, approach.write.ticket == write.ticket {
            // No frame since the lens began to move counts as undisturbed.
            begun = approach.begun
            self.approach = nil
        }
        timeline.endWrite(
            write.ticket, of: groups, begun: begun, ended: now, succeeded: succeeded)
        guard !succeeded else { return }
        groups.forEach { written[$0] = -1 }
        guard write.slot >= 0 else { return }
        if write.slot == pending {
            isRefused = true
        } else {
            // Of several slots to come the first one is kept.
            refusedSlot = min(refusedSlot ?? write.slot, write.slot)
        }
    }

    // MARK: What is written

    /// Whether groups that a slot needs were written for it or a later one already: then its frame has gone by.
    func isSpoilt(_ groups: ControlGroups, of slot: Int64) -> Bool {
        var isSpoilt = false
        groups.forEach { isSpoilt = isSpoilt || writtenFor[$0] >= slot }
        return isSpoilt
    }

    /// Writes what the slot that waits still needs.
    mutating func write(
        _ groups: ControlGroups, for slot: PlanSlot, _ now: Instant<Monotonic>,
        _ timeline: inout SettingsTimeline
    ) -> SettingsWrite {
        if isSpoilt(groups, of: slot.number) { isAlone = true }
        let write = order(slot.settings, groups, slot: slot.number, now, &timeline)
        if isAlone { lastRepeatedTicket = lastTicket }
        return write
    }

    /// Whether it is the time to look for what can be written for later slots.
    var looksAhead: Bool { isFrameTurn && !isAlone }

    /// Writes the settings of a later slot, as soon as the earliest frame that could show them comes after the frame
    /// that the slots before it still need.
    ///
    /// Captures that follow each other without a wait between them are looked at in their order. At most one write is
    /// ordered; after it has returned the walk begins again. Where a frame turns out not to have been what was
    /// forecast, its slot's settings are written again.
    ///
    /// - Parameters:
    ///   - cursor: behind the slot that waits.
    ///   - first: the frame that it will get.
    mutating func writeAhead(
        from cursor: PlanCursor, after first: Int64, period: Interval, _ now: Instant<Monotonic>,
        _ timeline: inout SettingsTimeline
    ) -> SettingsWrite? {
        var (ahead, frame, later) = (cursor, first, LaterWrites())
        while refusedSlot == nil, let slot = ahead.nextSlotAtOnce(in: program.span) {
            let wanted = values[slot.settings]
            let written = later.written(of: wanted)
            let missing = timeline.missing(for: written, from: frame + 1, period: period)
            let needed = missing.union(later.differing(from: wanted))
            // On its way beyond its place the lens would spoil the frames before. What was written for a later slot
            // already may still turn out to be in time for this one.
            guard !approaches(slot.settings, needed), !isSpoilt(needed, of: slot.number) else {
                return nil
            }
            let allowed = allowed(missing, after: frame, now, timeline)
            if !allowed.isEmpty {
                return order(slot.settings, allowed, slot: slot.number, now, &timeline)
            }
            // When lights can be switched is known for the pending slot only.
            guard slot.lights == 0 else { return nil }
            var start = frame + 1
            needed.forEach { group in
                let doubt = timeline.doubt(writing: group, at: now, period: period)
                start = max(start, frame + 1 + doubt)
            }
            let next = timeline.firstFrame(
                with: written, leaving: missing, from: start, period: period)
            guard let next, next <= horizon(now, timeline) else { return nil }
            frame = next
            later.add(needed, wanted)
        }
        return nil
    }

    /// Puts settings back in between, for which no slot waits; nil where the camera has them.
    mutating func restore(
        _ settings: Int32, _ now: Instant<Monotonic>, _ timeline: inout SettingsTimeline
    ) -> SettingsWrite? {
        let groups = differing(from: settings, timeline)
        return groups.isEmpty ? nil : order(settings, groups, slot: -1, now, &timeline)
    }

    /// The last frame that a write of now could be too early for.
    ///
    /// Beyond it nothing that is written now could show too early, so that no walk goes on for ever.
    private func horizon(
        _ now: Instant<Monotonic>, _ timeline: SettingsTimeline
    ) -> Int64 {
        var last: Int64 = 0
        for group in ControlGroup.all {
            last = max(last, timeline.earliestFrame(writing: group, at: now))
        }
        return last
    }

    /// Those groups that can be written now and show in no frame up to `frame`.
    private func allowed(
        _ groups: ControlGroups, after frame: Int64, _ now: Instant<Monotonic>,
        _ timeline: SettingsTimeline
    ) -> ControlGroups {
        var allowed: ControlGroups = []
        for group in ControlGroup.all where groups.has(group) {
            if timeline.hasRoom(group), timeline.earliestFrame(writing: group, at: now) > frame {
                allowed.insert(ControlGroups(group))
            }
        }
        return allowed
    }

    /// The groups that were last written with something else than these settings.
    private func differing(
        from settings: Int32, _ timeline: SettingsTimeline
    ) -> ControlGroups {
        let wanted = values[settings]
        var groups: ControlGroups = []
        for group in ControlGroup.all
        where wanted[group] != GroupValues.anything && timeline.newest(group) != wanted[group] {
            groups.insert(ControlGroups(group))
        }
        return groups
    }

    /// Whether a write of these groups takes the lens beyond its place first.
    private func approaches(_ settings: Int32, _ groups: ControlGroups) -> Bool {
        groups.has(.lens) && values.hasApproach(settings)
    }

    /// Orders a write.
    ///
    /// - Parameters:
    ///   - settings: index into the plan's settings.
    ///   - groups: those of them that are written; not empty.
    ///   - slot: the slot that waits for it; −1 for none.
    ///   - isStraight: whether the lens goes to its place at once, from whichever side it is.
    private mutating func order(
        _ settings: Int32, _ groups: ControlGroups, slot: Int64, isStraight: Bool = false,
        _ now: Instant<Monotonic>, _ timeline: inout SettingsTimeline
    ) -> SettingsWrite {
        lastTicket += 1
        let (ticket, wanted) = (lastTicket, values[settings])
        groups.forEach { group in
            timeline.beginWrite(wanted[group], to: group, ticket: ticket, at: now)
            written[group] = settings
            writtenFor[group] = slot
        }
        return SettingsWrite(
            ticket: ticket, settings: settings, groups: groups, slot: slot,
            isApproach: !isStraight && approaches(settings, groups))
    }

    // MARK: The lens, and the end

    /// When ``lastMove(_:)`` has one; `distantFuture` for never.
    var deadline: Instant<Monotonic> { approach?.due ?? .distantFuture }

    /// Whether a lens is still to come to its place.
    var isApproaching: Bool { approach != nil }

    /// The move of the lens to its own code, once it has rested beyond its place.
    mutating func lastMove(_ now: Instant<Monotonic>) -> SettingsWrite? {
        guard let approach, now >= approach.due else { return nil }
        return self.approach?.takeLastMove()
    }

    /// Leaves the camera as the plan wants it, at the end of the run and once.
    ///
    /// No frame is waited for then: the lens goes where it was last sent without a rest, unless it is written anyway.
    ///
    /// - Returns: what is to be written, in this order; nil for what is not needed.
    mutating func leave(
        _ now: Instant<Monotonic>, _ timeline: inout SettingsTimeline
    ) -> (lens: SettingsWrite?, settings: SettingsWrite?) {
        let settings = settingsToLeave
        settingsToLeave = nil
        let groups = settings.map { differing(from: $0, timeline) } ?? []
        var lens: SettingsWrite?
        if let approach, approach.due != .distantFuture {
            if groups.has(.lens) {
                self.approach = nil
            } else {
                lens = self.approach?.takeLastMove()
            }
        }
        guard let settings, !groups.isEmpty else { return (lens, nil) }
        return (lens, order(settings, groups, slot: -1, isStraight: true, now, &timeline))
    }

    /// The camera is gone: nothing is written to it any more.
    mutating func giveUp() { (approach, settingsToLeave) = (nil, nil) }
}
