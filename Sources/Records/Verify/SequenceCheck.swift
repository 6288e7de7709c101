internal import Timebase

/// Holds the frames and holes of the ledger, in order, against the numbers that the camera gave and what the log says
/// of them.
struct SequenceCheck {
    /// The number of the last row that has one.
    private var lastNumber: UInt32?
    /// The stamp of the last row that has one.
    private var lastStamp: Instant<Monotonic>?
    /// The first of the events' resets that no row has used yet.
    private var nextReset = 0
    /// Holes of frames that were lost inside the camera.
    private var lostInside: Int64 = 0

    /// What is wrong with the next row.
    mutating func problems(_ row: LedgerRow, _ events: EventCheck) -> [String] {
        [loss(row, events), stamp(row, events), order(row, events)].compactMap { $0 }
    }

    /// A frame that was lost has its event.
    ///
    /// Slots that had no turn before the disk ended the run are holes for the same reason as the frame that it refused,
    /// but no frame of theirs ever came.
    private mutating func loss(_ row: LedgerRow, _ events: EventCheck) -> String? {
        switch (row.reason, row.deviceSequence) {
        case (.storageFailed, .some) where !events.refusedSlots.contains(row.slot):
            return "no event says that the disk refused this frame"
        case (.droppedByDriver, .some(let number)) where !events.coverage.contains(number),
            (.damaged, .some(let number)) where !events.coverage.contains(number):
            return "no event says that frame \(number) was lost"
        case (.droppedByDevice, _):
            lostInside += 1
            guard lostInside == events.lostInside + 1 else { return nil }
            return
                "the events know of \(events.lostInside) frames that were lost inside the camera,"
                + " this is one more"
        default: return nil
        }
    }

    private mutating func stamp(_ row: LedgerRow, _ events: EventCheck) -> String? {
        guard let stamp = row.rawTimestamp else { return nil }
        defer { lastStamp = stamp }
        guard let lastStamp, stamp <= lastStamp, events.streamStarts <= 1 else { return nil }
        return "raw_timestamp_ns is not later than the frame's before"
    }

    /// Numbers rise, and what is missing between two of them is in the log.
    ///
    /// Between captures too: the log has every frame that no slot took, as startup, settling or idle.
    private mutating func order(_ row: LedgerRow, _ events: EventCheck) -> String? {
        guard let number = row.deviceSequence else {
            return row.reason == nil ? "a frame has no device_sequence" : nil
        }
        defer { lastNumber = number }
        guard let last = lastNumber, events.streamStarts <= 1 else { return nil }
        if Int32(bitPattern: number &- last) <= 0 {
            return isReset(from: last, to: number, events)
                ? nil : "device_sequence \(number) does not follow \(last)"
        }
        let unexplained = events.coverage.uncovered(after: last, before: number)
        guard unexplained > 0 else { return nil }
        return "\(unexplained) of the frames between device_sequence \(last) and \(number) "
            + "are neither holes nor in the events"
    }

    /// Whether the log says that the device began to count anew between these two; each reset serves once.
    private mutating func isReset(
        from last: UInt32, to number: UInt32, _ events: EventCheck
    ) -> Bool {
        while nextReset < events.resets.count {
            let reset = events.resets[nextReset]
            nextReset += 1
            if Int32(bitPattern: reset.from &- last) >= 0,
                Int32(bitPattern: number &- reset.to) >= 0
            {
                return true
            }
        }
        return false
    }
}
