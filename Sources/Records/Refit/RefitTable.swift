internal import Timebase

/// The rows of `refit.csv`: each slot's times as they are known afterwards.
///
/// Nanoseconds all of them; a field is empty where it is unknown. A clock has two columns, its reading at the middle of
/// the exposure and the half-width of that.
struct RefitTable {
    /// The file.
    let bytes: [UInt8]
    /// What came of it, for people: how many slots have times, how many of those are better known now, and the median
    /// half-width.
    let lines: [String]

    /// - Parameters:
    ///   - rows: of the ledger, in order, those without a turn left out.
    ///   - frames: their times as they are known now.
    ///   - epoch: the zero of session time.
    ///   - clocks: those of nanoseconds; a camera's ticks are in the ledger.
    init(
        _ rows: [LedgerRow], _ frames: RefittedFrames, epoch: Instant<Monotonic>,
        clocks: [RelatedClock]
    ) {
        let names = clocks.flatMap { ["\($0.name)_mid_ns", "\($0.name)_half_width_ns"] }
        let header =
            [
                "slot", "raw_timestamp_ns", "fitted_timestamp_ns", "fitted_half_width_ns",
                "session_start_ns", "session_mid_ns", "session_end_ns", "session_half_width_ns",
            ] + names
        var text = Array((header.joined(separator: ",") + "\n").utf8)
        var improved = 0
        var widths: [Interval] = []
        for row in rows {
            let timestamp = frames.timestamp(of: row)
            let time = frames.exposure(of: row)
            if let time {
                widths.append(time.halfWidth)
                if time != row.exposureTime { improved += 1 }
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
                            epoch + (time.mid - Instant(nanoseconds: 0)), halfWidth: time.halfWidth)
                    )
                }
                numbers += [reading?.instant.nanoseconds, reading?.halfWidth.nanoseconds]
            }
            let line = numbers.map { $0.map { "\($0)" } ?? "" }.joined(separator: ",")
            text.append(contentsOf: "\(line)\n".utf8)
        }
        bytes = text
        let median = widths.isEmpty ? nil : widths.sorted()[widths.count / 2]
        lines = [
            "\(rows.count) slots, \(widths.count) with times, \(improved) better known than recorded"
                + (median.map { "; +/- \($0)" } ?? "")
        ]
    }
}
