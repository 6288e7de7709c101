internal import Notation
internal import Timebase

/// The rows of `refit.csv`: each slot's times as they are known afterwards.
///
/// Nanoseconds all of them; a field is empty where it is unknown. A clock has two columns, its reading at the middle of
/// the exposure and the half-width of that.
struct RefitTable {
    let rows: RecordedRows
    /// Their times as they are known now.
    let frames: RefittedFrames
    /// The zero of session time.
    let epoch: Instant<Monotonic>
    /// Those of nanoseconds; a camera's ticks are in the ledger.
    let clocks: [RelatedClock]

    /// What came of it, for people: how many slots have times, how many of those are better known now, and the median
    /// half-width.
    struct Summary {
        fileprivate var slots = 0
        fileprivate var improved = 0
        fileprivate var widths = Sampled()
        /// Whether every frame fits into the rhythm, as far as there is one.
        fileprivate(set) var fits = true

        /// One line.
        var text: String {
            "\(slots.of("slot")), \(widths.count) with times, \(improved) better known than recorded"
                + (widths.median.map { "; median half-width \(Interval(nanoseconds: $0))" } ?? "")
        }
    }

    /// Makes the table, piece by piece.
    ///
    /// - Parameter take: gets the bytes in order, some kilobytes at a time.
    /// - Throws: ``StorageError`` if the ledger can't be read, or from `take`.
    func write(
        _ take: ([UInt8]) throws(StorageError) -> Void
    ) throws(StorageError) -> Summary {
        var summary = Summary()
        var text = Array((header + "\n").utf8)
        var count = FrameCount()
        var failure: StorageError?
        try rows.forEach { row in
            append(row, &count, &summary, to: &text)
            guard text.count >= 1 << 16 else { return true }
            do throws(StorageError) {
                try take(text)
            } catch {
                failure = error
            }
            text.removeAll(keepingCapacity: true)
            return failure == nil
        }
        if let failure { throw failure }
        try take(text)
        return summary
    }

    private var header: String {
        let names = clocks.flatMap { ["\($0.name)_mid_ns", "\($0.name)_half_width_ns"] }
        return
            ([
                "slot", "raw_timestamp_ns", "fitted_timestamp_ns", "fitted_half_width_ns",
                "session_start_ns", "session_mid_ns", "session_end_ns", "session_half_width_ns",
            ] + names).joined(separator: ",")
    }

    private func append(
        _ row: LedgerRow, _ count: inout FrameCount, _ summary: inout Summary,
        to text: inout [UInt8]
    ) {
        let frame = frames.frame(of: row, &count)
        let timestamp = frame.flatMap { frames.timestamp(of: $0) }
        let time = frames.exposure(of: row, frame)
        summary.slots += 1
        if frame?.fits == false { summary.fits = false }
        if let time {
            summary.widths.add(time.halfWidth.nanoseconds)
            if time != row.exposureTime { summary.improved += 1 }
        }
        var numbers: [Int64?] = [
            row.slot, row.rawTimestamp?.nanoseconds, timestamp?.instant.nanoseconds,
            timestamp?.halfWidth.nanoseconds, time?.start.nanoseconds, time?.mid.nanoseconds,
            time?.end.nanoseconds, time?.halfWidth.nanoseconds,
        ]
        for clock in clocks {
            let reading = time.flatMap { time in
                clock.relation.convert(
                    BoundedInstant(
                        epoch + (time.mid - Instant(nanoseconds: 0)), halfWidth: time.halfWidth))
            }
            numbers += [reading?.instant.nanoseconds, reading?.halfWidth.nanoseconds]
        }
        for (place, number) in numbers.enumerated() {
            if place > 0 { text.append(UInt8(ascii: ",")) }
            if let number { text.append(contentsOf: String(number).utf8) }
        }
        text.append(UInt8(ascii: "\n"))
    }
}
