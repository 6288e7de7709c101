internal import Devices
internal import Recipes
internal import Records
internal import Timebase

/// Frames that belong together: if one of them is lost, all are taken again, a few times at most.
///
/// While retries are left, rows and pixels are kept back in memory and the ledger grows only when the group is whole.
struct ActiveGroup {
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

    /// Whether frames are kept back, since they may have to be given up.
    var isHeld: Bool { retriesLeft > 0 }
}

extension RunMachine {
    /// The next slots belong together.
    ///
    /// - Parameters:
    ///   - retries: at least 1.
    ///   - slots: captures that follow, without anything between them.
    ///   - step: index of the recipe's step.
    mutating func begin(_ retries: Int32, _ slots: Int64, _ step: Int32) {
        group = ActiveGroup(
            start: cursor, slots: slots, step: step, retries: retries, retriesLeft: retries)
    }

    /// A slot has its frame.
    ///
    /// Recorded at once, or held while its group may still have to be taken again.
    mutating func keep(
        _ row: LedgerRow, _ frame: DequeuedFrame, _ now: Instant<Monotonic>,
        _ actions: inout ActionQueue
    ) {
        reportContradictions(row, frame, now, &actions)
        guard let group, group.isHeld else {
            actions.push(.record(row, frame))
            return count(isHole: false, now, &actions)
        }
        actions.push(.hold(row, frame))
        count(isHole: false, now, &actions)
    }

    /// A slot has lost its frame: it is a hole, unless its group can be taken again.
    mutating func lose(
        _ row: LedgerRow, _ now: Instant<Monotonic>, _ actions: inout ActionQueue
    ) {
        if repeatGroup(now, &actions) {
            // It is in no row, and it did come.
            if row.reason == .buffersFull, let number = row.deviceSequence {
                reports.skip(number, .abandoned, now, &actions)
            }
            return
        }
        if let group, group.isHeld {
            // The run is to stop: what has come of the group is all there will be, and comes first.
            actions.push(.recordHeld)
            self.group?.retriesLeft = 0
        }
        actions.push(.recordHole(row))
        count(isHole: true, now, &actions)
    }

    /// Gives the frames of the current group up and begins it again.
    ///
    /// What was written ahead for this attempt must have gone by before the next one takes a frame.
    ///
    /// - Returns: false if there is no group, or it can't be taken again.
    mutating func repeatGroup(
        _ now: Instant<Monotonic>, _ actions: inout ActionQueue
    ) -> Bool {
        guard var group, group.isHeld, ending == nil, !isStopRequested else { return false }
        reports.flushSkipped(now, &actions)
        group.retriesLeft -= 1
        group.done = 0
        group.lastTicketBefore = lastTicket
        let attempt = group.retries - group.retriesLeft
        actions.push(.discardHeld)
        actions.push(
            .log(
                .groupRepeated(step: group.step, slot: group.start.nextSlot, attempt: attempt),
                at: now))
        self.group = group
        cursor = group.start
        writtenFor = PerGroup(repeating: -1)
        refusedSlot = nil
        lights.cancel(now, &actions)
        pending = nil
        waiting = .nothing
        return true
    }

    /// Counts a slot of the current group, and closes it with its last one.
    private mutating func count(
        isHole: Bool, _ now: Instant<Monotonic>, _ actions: inout ActionQueue
    ) {
        guard group != nil else { return }
        group?.done += 1
        if isHole { group?.holes += 1 }
        if let group, group.done == group.slots { closeGroup(now, &actions) }
    }

    /// Records what is kept of the current group, and logs it if it is not whole.
    ///
    /// Called also when the run ends in the middle of it: what has come is recorded.
    mutating func closeGroup(_ now: Instant<Monotonic>, _ actions: inout ActionQueue) {
        guard let group else { return }
        if group.isHeld { actions.push(.recordHeld) }
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
}
