internal import Devices
public import Notation
internal import Timebase

/// A run's clocks and times once more, from everything that was recorded: readings after a frame as well as before it.
///
/// Lies beside the record (`refit.json`, `refit.csv`) and changes nothing of it.
///
/// Reading makes the fit; only ``write()`` touches the folder. The ledger is read several times and never kept: memory
/// goes with the readings of the clocks, one a second each.
public struct RunRefit {
    /// The contents of the files as an object: the relations of the clocks, the frames' rhythm, what it was made of.
    public var json: JSONValue { JSONForm<RefitFile>.refit.write(file) }
    private let file: RefitFile
    private let folder: RunFolder
    /// Makes `refit.csv`.
    private let table: RefitTable
    /// What is reported of each clock and of the frames.
    private let lines: [String]

    /// Fits the clocks of a run.
    ///
    /// - Parameter path: the run's folder; of a run that goes on or was cut, what is there is used.
    /// - Throws: ``UnreadableRun`` or ``StorageError``.
    public init(_ path: String) throws { try self.init(RecordedRun(path: path)) }

    /// Fits the clocks of a run that is open.
    init(_ run: RecordedRun) throws {
        folder = run.folder
        let rows = try RecordedRows(run)
        let (ends, whole) = try Self.survey(rows, of: run)
        // Exposures begin earlier, and a bound reaches beyond its middle.
        let margin = Interval.seconds(60)
        let covered = ends.map { $0.lowerBound - margin...$0.upperBound + margin }
        let clocks = try RecordedReadings(run).clocks.map { clock in
            RelatedClock(
                name: run.names.name(clock.source), readings: Int64(clock.readings.count),
                relation: clock.relation(covering: covered))
        }
        let names = run.names
        var frames = try RefittedFrames(rows, whole, run) { source in
            clocks.first { $0.name == names.name(source) }?.relation
        }
        func table(_ frames: RefittedFrames) -> RefitTable {
            RefitTable(
                rows: rows, frames: frames, epoch: run.manifest.epoch,
                clocks: clocks.filter { $0.name != ClockSource.camera.fixedName })
        }
        var (digest, summary) = try Self.digest(of: table(frames))
        if !summary.fits {
            frames.giveUpRhythm()
            (digest, summary) = try Self.digest(of: table(frames))
        }
        self.table = table(frames)
        file = RefitFile(
            events: try FileDigest.ofFile(folder.events),
            ledger: try FileDigest.ofFile(folder.ledger), table: digest,
            rhythm: frames.rhythm.map(RefitFile.Rhythm.init), clocks: clocks)
        lines = clocks.map { Self.line($0, within: ends) } + [summary.text]
    }

    /// Writes both files; those of an earlier fit are replaced.
    ///
    /// The table goes first: `refit.json` has its hash.
    ///
    /// - Throws: ``StorageError``; what was there of an earlier fit may be half replaced then, which `verify` shows.
    public func write() throws {
        try WholeFile.replace(folder.refitTable) { take throws(StorageError) in
            _ = try table.write(take)
        }
        try WholeFile.replace(folder.refit, json.utf8() + [UInt8(ascii: "\n")])
    }

    /// The fit for people, several lines.
    public var text: String {
        (lines + ["\(folder.refit) and \(folder.refitTable) written"]).joined(separator: "\n")
    }

    private static func digest(
        of table: RefitTable
    ) throws(StorageError) -> (FileDigest, RefitTable.Summary) {
        var hash = SHA256()
        let summary = try table.write { bytes throws(StorageError) in
            bytes.withUnsafeBytes { hash.update($0) }
        }
        return (FileDigest(bytes: hash.finalize()), summary)
    }

    /// The ends of the first and the last exposure, and the frames that have a count.
    ///
    /// - Returns: nil for what no row has.
    /// - Throws: ``StorageError``; ``UnreadableRun`` where the run came to its end with more rows than there are.
    private static func survey(
        _ rows: RecordedRows, of run: RecordedRun
    ) throws -> (ends: ClosedRange<Instant<Monotonic>>?, frames: CountedStretch?) {
        let epoch = run.manifest.epoch
        var ends: ClosedRange<Instant<Monotonic>>?
        var count = FrameCount()
        var frames = CountedStretch.Longest()
        var slots: Int64 = 0
        try rows.forEach { row in
            slots += 1
            guard let time = row.exposureTime else { return true }
            let end = epoch + (time.end - Instant(nanoseconds: 0))
            ends = ends.map { min($0.lowerBound, end)...max($0.upperBound, end) } ?? end...end
            if row.reason == nil, let number = count.count(row.deviceSequence) {
                frames.add(number, at: end + time.halfWidth)
            }
            return true
        }
        if case .success(let outcome)? = run.outcome, slots < outcome.tally.slots {
            throw UnreadableRun(
                "\(run.folder.ledger) has \(slots.of("row")) for \(outcome.tally.slots.of("slot")): it was"
                    + " changed or cut", isDamaged: true)
        }
        return (ends, frames.found)
    }

    /// Name, readings, the median half-width over the knots from before the first exposure to behind the last, and
    /// breaks.
    private static func line(
        _ clock: RelatedClock, within ends: ClosedRange<Instant<Monotonic>>?
    ) -> String {
        let relation = clock.relation
        let all = relation.segments.filter { $0.kind == .steady }.flatMap(\.knots)
        let first = ends.flatMap { ends in all.lastIndex { $0.time <= ends.lowerBound } } ?? 0
        let last = ends.flatMap { ends in all.firstIndex { $0.time >= ends.upperBound } }
        let widths = all[first..<max(first, (last ?? all.count - 1) + 1)]
            .map(\.bounded.halfWidth).sorted()
        let median =
            widths.isEmpty ? "nothing known" : "median half-width \(widths[widths.count / 2])"
        let breaks = relation.breaks.count
        return "\(clock.name): \(clock.readings.of("reading")), \(median)"
            + (breaks == 0 ? "" : ", \(breaks.of("break"))")
    }
}
