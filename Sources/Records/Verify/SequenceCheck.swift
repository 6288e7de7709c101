internal import Devices
internal import Timebase

/// Holds the frames and holes of the ledger, in order, against the numbers that the camera gave and what the log has
/// of them.
struct SequenceCheck {
    /// Whether the log has everything that belongs to a run: of one that was cut it may not yet have what it doubts of
    /// the last frames.
    let isWhole: Bool
    /// The number of the last row that has one.
    private var lastNumber: UInt32?
    /// The timestamp of the last row that has one.
    private var lastTimestamp: Instant<Monotonic>?
    /// The earliest moment at which the exposure of the last frame can have ended.
    private var lastEnd: Instant<Session>?
    /// The first of the events' resets that no row has used yet.
    private var nextReset = 0
    /// Holes of missing frames that never had a number.
    private var unnumbered: [HoleReason: Int64] = [:]
    /// Timestamps that are not later than the one before.
    private var doubtfulTimestamps: Int64 = 0

    init(isWhole: Bool) { self.isWhole = isWhole }

    /// What is wrong with the next row.
    ///
    /// - Parameters:
    ///   - row: in the order of slots.
    ///   - events: after the whole log was read.
    mutating func problems(_ row: LedgerRow, _ events: EventCheck) -> [String] {
        [loss(row, events), timestamp(row, events), exposure(row), order(row, events)]
            .compactMap { $0 }
    }

    /// A frame that was lost has its event.
    ///
    /// Slots that had no turn before the disk ended the run are holes for the same reason as the frame that it refused,
    /// but no frame of theirs ever came.
    private mutating func loss(_ row: LedgerRow, _ events: EventCheck) -> String? {
        switch (row.reason, row.deviceSequence) {
        case (.storageFailed, .some) where !events.refusedSlots.contains(row.slot):
            return "no event reports that the disk refused this frame"
        case (.droppedByDriver, .some(let number)) where !events.coverage.contains(number),
            (.hostStalled, .some(let number)) where !events.coverage.contains(number),
            (.damaged, .some(let number)) where !events.coverage.contains(number):
            return "no event reports that frame \(number) was lost"
        case (.droppedByDevice, _), (.dropped, _), (.uncertain, _):
            guard let reason = row.reason else { return nil }
            unnumbered[reason, default: 0] += 1
            let known = events.unnumbered[reason, default: 0]
            guard unnumbered[reason] == known + 1 else { return nil }
            return
                "the events know of \(known) frames that are `\(reason.rawValue)`, this is one more"
        default: return nil
        }
    }

    /// Raw timestamps rise, but for those that the log doubts and across starts of the stream.
    private mutating func timestamp(_ row: LedgerRow, _ events: EventCheck) -> String? {
        guard let timestamp = row.rawTimestamp else { return nil }
        defer { lastTimestamp = timestamp }
        guard let lastTimestamp, timestamp <= lastTimestamp, events.streamStarts <= 1 else {
            return nil
        }
        // Each timestamp that the log does not believe may stand out of order, and so may the next one after it.
        doubtfulTimestamps += 1
        if !isWhole || doubtfulTimestamps <= events.invalidTimestamps * 2 { return nil }
        return "raw_timestamp_ns is not later than the frame's before"
    }

    /// Frames are exposed in the order of slots, as far as their bounds tell.
    private mutating func exposure(_ row: LedgerRow) -> String? {
        guard let time = row.countable.exposureTime else { return nil }
        defer { lastEnd = max(lastEnd ?? .distantPast, time.end - time.halfWidth) }
        guard let lastEnd, time.end + time.halfWidth < lastEnd else { return nil }
        return "session_end_ns is before that of a frame before"
    }

    /// Numbers rise, and what is missing between two of them is in the log.
    ///
    /// Between captures too: the log has every frame that no slot took, as startup, settling or idle.
    private mutating func order(_ row: LedgerRow, _ events: EventCheck) -> String? {
        guard let number = row.deviceSequence else {
            return row.reason == nil ? "a frame has no device_sequence" : nil
        }
        defer { lastNumber = number }
        guard let last = lastNumber, events.streamStarts <= 1,
            !events.quirks.contains(.sequenceIsStuck)
        else { return nil }
        if Int32(bitPattern: number &- last) <= 0 {
            return isReset(from: last, to: number, events)
                ? nil : "device_sequence \(number) does not follow \(last)"
        }
        if events.quirks.contains(.sequenceCountsFields) { return nil }
        let unexplained = events.coverage.uncovered(after: last, before: number)
        guard unexplained > 0 else { return nil }
        return "\(unexplained) of the frames between device_sequence \(last) and \(number) "
            + "are neither holes nor in the events"
    }

    /// Whether by the log the device's count restarted between these two, once or more.
    ///
    /// Each reset serves once.
    private mutating func isReset(
        from last: UInt32, to number: UInt32, _ events: EventCheck
    ) -> Bool {
        var last = last
        while nextReset < events.resets.count {
            let reset = events.resets[nextReset]
            nextReset += 1
            guard Int32(bitPattern: reset.from &- last) >= 0 else { continue }
            last = reset.to
            if Int32(bitPattern: number &- last) >= 0 { return true }
        }
        return false
    }
}
