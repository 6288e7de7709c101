internal import Devices
public import Notation
internal import Timebase

/// A run's clocks and times once more, from everything that was recorded: readings after a frame as well as before it.
///
/// Lies beside the record (`refit.json`, `refit.csv`) and changes nothing of it.
public struct RunRefit {
    /// The version of the files' format.
    static let format: Int64 = 1

    /// What the files say, as an object: the relations of the clocks, the frames' rhythm, what it was made of.
    public let json: JSONValue
    private let folder: RunFolder
    private let table: [UInt8]
    private let lines: [String]

    /// Fits the clocks of a run.
    ///
    /// - Parameter path: the run's folder; of a run that goes on or was cut, what is there is used.
    /// - Throws: ``UnreadableRun`` or ``StorageError``.
    public init(_ path: String) throws {
        let run = try RecordedRun(RunFolder(path: path))
        folder = run.folder
        let rows = try Self.rows(run)
        guard let epoch = run.manifest["session"]?["epoch_ns"]?.integerValue,
            LedgerRow.countable.contains(epoch)
        else { throw UnreadableRun("\(folder.manifest) has no `session.epoch_ns` that can be") }
        let covered = Self.times(of: rows, since: Instant(nanoseconds: epoch))
        let clocks = try RecordedReadings(run).clocks.map { clock in
            (
                name: run.names.name(clock.source), clock: clock,
                relation: clock.relation(covering: covered)
            )
        }
        let frames = RefittedFrames(rows, run, epoch: Instant(nanoseconds: epoch)) { source in
            clocks.first { $0.clock.source == source }?.relation
        }
        let refitted = RefitTable(
            rows, frames, epoch: Instant(nanoseconds: epoch),
            clocks: clocks.filter { $0.clock.source != .camera }.map { ($0.name, $0.relation) })
        table = refitted.bytes
        var sources: JSONObject = [:]
        for name in Self.sources {
            sources[name] = .string(try FileDigest.ofFile("\(folder.path)/\(name)").description)
        }
        json = [
            "framelock_refit": .integer(Self.format),
            "made_from": .object(sources),
            "refit.csv": .string(FileDigest(of: table).description),
            "frames": frames.json,
            "clocks": .object(
                JSONObject(
                    clocks.map { name, clock, relation in
                        (
                            name,
                            [
                                "readings": .integer(Int64(clock.readings.count)),
                                "segments": relation.json,
                            ]
                        )
                    })),
        ]
        lines =
            clocks.map { Self.line($0.name, $0.clock.readings.count, $0.relation) }
            + refitted.lines
    }

    /// Writes both files; those of an earlier fit are replaced.
    public func write() throws {
        try WholeFile.replace(folder.refitTable, table)
        try WholeFile.replace(folder.refit, json.utf8() + [UInt8(ascii: "\n")])
    }

    /// The fit for people, several lines.
    public var text: String {
        (lines + ["\(folder.refit) and \(folder.refitTable) written"]).joined(separator: "\n")
    }

    /// The files that a fit is made from.
    static let sources = ["events.jsonl", "ledger.csv"]

    private static func rows(_ run: RecordedRun) throws(StorageError) -> [LedgerRow] {
        let reader = try LedgerReader(run.folder.ledger, run.names)
        var rows: [LedgerRow] = []
        while let item = try reader.next() {
            if case .entry(let entry, _) = item, entry.row.lastSlot == nil {
                rows.append(entry.row.countable)
            }
        }
        return rows
    }

    /// From where to where clocks are to be known.
    private static func times(
        of rows: [LedgerRow], since epoch: Instant<Monotonic>
    ) -> ClosedRange<Instant<Monotonic>>? {
        let ends = rows.compactMap { $0.exposureTime?.end.nanoseconds }
        guard let first = ends.min(), let last = ends.max() else { return nil }
        // Exposures begin earlier, and a bound reaches beyond its middle.
        let margin = Interval.seconds(60)
        return epoch + .nanoseconds(first) - margin...epoch + .nanoseconds(last) + margin
    }

    private static func line(
        _ name: String, _ readings: Int, _ relation: ClockSegments<Monotonic, DeviceClock>
    ) -> String {
        let widths = relation.segments.filter { $0.kind == .steady }.flatMap(\.knots)
            .map(\.bounded.halfWidth).sorted()
        let median = widths.isEmpty ? "nothing known" : "+/- \(widths[widths.count / 2])"
        let breaks = relation.breaks.count
        return "\(name): \(readings) readings, \(median)"
            + (breaks == 0 ? "" : ", \(breaks) \(breaks == 1 ? "break" : "breaks")")
    }
}

extension RefittedFrames {
    /// The frames' rhythm; null where there is none.
    fileprivate var json: JSONValue {
        guard let rhythm else { return .null }
        let period = rhythm.periodFemtoseconds
        func exact(_ femtoseconds: Int128?) -> JSONValue {
            femtoseconds.flatMap { Int64(exactly: $0) }.map { .integer($0) } ?? .null
        }
        return [
            "shortest_period_fs": exact(period?.lowerBound),
            "longest_period_fs": exact(period?.upperBound),
            "late_timestamps": .integer(Int64(rhythm.outliers)),
        ]
    }
}
