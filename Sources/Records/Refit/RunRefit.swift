internal import Devices
public import Notation
internal import Timebase

/// A run's clocks and times once more, from everything that was recorded: readings after a frame as well as before it.
///
/// Lies beside the record (`refit.json`, `refit.csv`) and changes nothing of it.
///
/// Reading makes the fit; only ``write()`` touches the folder. Memory goes with the run's length: rows and readings are
/// held at once.
public struct RunRefit {
    /// The contents of the files as an object: the relations of the clocks, the frames' rhythm, what it was made of.
    public var json: JSONValue { JSONForm<RefitFile>.refit.write(file) }
    private let file: RefitFile
    private let folder: RunFolder
    /// The bytes of `refit.csv`.
    private let table: [UInt8]
    /// What is reported of each clock and of the frames.
    private let lines: [String]

    /// Fits the clocks of a run.
    ///
    /// - Parameter path: the run's folder; of a run that goes on or was cut, what is there is used.
    /// - Throws: ``UnreadableRun`` or ``StorageError``.
    public init(_ path: String) throws {
        let run = try RecordedRun(path: path)
        folder = run.folder
        let rows = try Self.rows(run)
        let epoch = run.manifest.epoch
        let covered = Self.times(of: rows, since: epoch)
        let clocks = try RecordedReadings(run).clocks.map { clock in
            RelatedClock(
                name: run.names.name(clock.source), readings: Int64(clock.readings.count),
                relation: clock.relation(covering: covered))
        }
        let frames = RefittedFrames(rows, run, epoch: epoch) { source in
            clocks.first { $0.name == run.names.name(source) }?.relation
        }
        let refitted = RefitTable(
            rows, frames, epoch: epoch,
            clocks: clocks.filter { $0.name != ClockSource.camera.fixedName })
        table = refitted.bytes
        file = RefitFile(
            events: try FileDigest.ofFile(folder.events),
            ledger: try FileDigest.ofFile(folder.ledger), table: FileDigest(of: table),
            rhythm: frames.rhythm.map(RefitFile.Rhythm.init), clocks: clocks)
        lines = clocks.map(Self.line) + refitted.lines
    }

    /// Writes both files; those of an earlier fit are replaced.
    ///
    /// The table goes first: `refit.json` has its hash.
    ///
    /// - Throws: ``StorageError``; what was there of an earlier fit may be half replaced then, which `verify` shows.
    public func write() throws {
        try WholeFile.replace(folder.refitTable, table)
        try WholeFile.replace(folder.refit, json.utf8() + [UInt8(ascii: "\n")])
    }

    /// The fit for people, several lines.
    public var text: String {
        (lines + ["\(folder.refit) and \(folder.refitTable) written"]).joined(separator: "\n")
    }

    /// All rows of slots that had their turn, in order; lines that are no rows are left to `verify`.
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
    ///
    /// A minute more on both sides.
    ///
    /// - Returns: nil if no row has a time.
    private static func times(
        of rows: [LedgerRow], since epoch: Instant<Monotonic>
    ) -> ClosedRange<Instant<Monotonic>>? {
        let ends = rows.compactMap { $0.exposureTime?.end.nanoseconds }
        guard let first = ends.min(), let last = ends.max() else { return nil }
        // Exposures begin earlier, and a bound reaches beyond its middle.
        let margin = Interval.seconds(60)
        return epoch + .nanoseconds(first) - margin...epoch + .nanoseconds(last) + margin
    }

    /// Name, readings, the median half-width over its knots, and breaks.
    private static func line(_ clock: RelatedClock) -> String {
        let relation = clock.relation
        let widths = relation.segments.filter { $0.kind == .steady }.flatMap(\.knots)
            .map(\.bounded.halfWidth).sorted()
        let median = widths.isEmpty ? "nothing known" : "+/- \(widths[widths.count / 2])"
        let breaks = relation.breaks.count
        return "\(clock.name): \(clock.readings) readings, \(median)"
            + (breaks == 0 ? "" : ", \(breaks) \(breaks == 1 ? "break" : "breaks")")
    }
}
