internal import Devices
internal import Recipes
internal import Records
internal import Timebase

/// Keeps frames together that belong together: if one of them is lost, all are taken again, a few times at most.
///
/// While retries are left, rows and pixels are kept back in memory and the ledger grows only when the group is whole.
/// Rows outside groups pass through.
struct GroupKeeper {
    private struct Group {
        /// Before its first slot: the walk goes on from here when the group is taken again.
        let start: PlanCursor
        /// Frames that make it whole.
        let slots: Int64
        let step: Int32
        /// How often it may be taken again.
        let retries: Int32
        var retriesLeft: Int32
        /// Slots of this attempt that have ended, and those of them without a frame.
        var done: Int64 = 0
        var holes: Int64 = 0
        /// The last write of the attempt before; −1 in the first.
        var lastTicketBefore: Int64 = -1
    }

    /// The frames that belong together at the moment.
    private var group: Group?

    /// Whether a group has begun and is not over.
    var isInside: Bool { group != nil }

    /// Whether frames are kept back, since they may have to be given up.
    var isHolding: Bool { group.map { $0.retriesLeft > 0 } ?? false }

    /// What was written up to this ticket must have gone by before the next slot takes a frame; −1 for nothing.
    ///
    /// Of a group that is taken again, everything that was written for the attempt before.
    var settlesAfter: Int64 {
        guard let group, group.done == 0 else { return -1 }
        return group.lastTicketBefore
    }

    /// The next slots belong together.
    ///
    /// - Parameters:
    ///   - retries: at least 1.
    ///   - slots: captures that follow, without anything between them.
    ///   - step: index of the recipe's step.
    ///   - start: before the first of them.
    mutating func begin(retries: Int32, slots: Int64, step: Int32, at start: PlanCursor) {
        group = Group(
            start: start, slots: slots, step: step, retries: retries, retriesLeft: retries)
    }

    /// A slot has its frame: it is recorded, or held while its group may still have to be taken again.
    mutating func keep(
        _ row: LedgerRow, _ frame: DequeuedFrame, _ now: Instant<Monotonic>,
        _ actions: inout ActionQueue
    ) {
        actions.push(isHolding ? .hold(row, frame) : .record(row, frame))
        count(isHole: false, now, &actions)
    }

    /// A slot is a hole, and its group is not taken again: what is held of it comes first.
    mutating func lose(
        _ row: LedgerRow, _ now: Instant<Monotonic>, _ actions: inout ActionQueue
    ) {
        if isHolding {
            actions.push(.recordHeld)
            group?.retriesLeft = 0
        }
        actions.push(.recordHole(row))
        count(isHole: true, now, &actions)
    }

    /// Gives the frames of the group up, to take them again.
    ///
    /// - Parameter ticket: the last write; it must have gone by before the next attempt takes a frame.
    /// - Returns: from where the walk goes on; nil if frames are not held.
    mutating func retry(
        after ticket: Int64, _ now: Instant<Monotonic>, _ actions: inout ActionQueue
    ) -> PlanCursor? {
        guard isHolding, var group else { return nil }
        group.retriesLeft -= 1
        (group.done, group.lastTicketBefore) = (0, ticket)
        self.group = group
        actions.push(.discardHeld)
        let attempt = group.retries - group.retriesLeft
        actions.push(
            .log(
                .groupRepeated(step: group.step, slot: group.start.nextSlot, attempt: attempt),
                at: now))
        return group.start
    }

    /// Records what is held of the current group, and logs it if it is not whole.
    ///
    /// Called also when the run ends in the middle of it: what has come is recorded.
    mutating func close(_ now: Instant<Monotonic>, _ actions: inout ActionQueue) {
        guard let group else { return }
        if isHolding { actions.push(.recordHeld) }
        let frames = group.done - group.holes
        if frames < group.slots {
            actions.push(
                .log(
                    .groupPartial(
                        step: group.step, slot: group.start.nextSlot, frames: frames,
                        slots: group.slots), at: now))
        }
        self.group = nil
    }

    /// Counts a slot of the current group, and closes it with its last one.
    private mutating func count(
        isHole: Bool, _ now: Instant<Monotonic>, _ actions: inout ActionQueue
    ) {
        group?.done += 1
        if isHole { group?.holes += 1 }
        if let group, group.done == group.slots { close(now, &actions) }
    }
}
