internal import Notation
internal import Timebase

/// How far ledger and log of a run that was cut are whole, in bytes from their beginnings.
///
/// A cut ends them in the middle of a line, or in sectors that were never written, which read as zeros: what was synced
/// has neither, so that whatever stands behind was not. Anything else that is no line is damage, and so are zeros with
/// more behind them than one flush writes.
struct RecordEnds {
    /// No flush writes more rows of frames than ``RunRecord/window`` has.
    private static let mostRows = RunRecord.window.frames
    /// Nor events of more time, even where the disk kept the last one waiting.
    private static let longestFlush = Interval.seconds(5)

    let ledger: Int64
    private(set) var events: Int64
    /// Bytes behind these ends.
    let cut: Int64
    /// Where the log was ended before, by a recovery that was cut itself, and what it says was taken out.
    private(set) var mark: (end: Int64, frames: Int64, bytes: Int64)?

    /// The ends of the log before that, where the ledger may still be the one that goes with it; nil without one.
    var beforeMark: RecordEnds? {
        guard let mark else { return nil }
        var ends = self
        ends.events = mark.end
        return ends
    }

    /// Whether the log up to its end says what was taken out.
    var isMarked: Bool { mark.map { $0.end < events } ?? false }

    /// - Throws: ``UnreadableRun`` where a line is damaged in a way that no cut does.
    init(_ run: RecordedRun) throws(UnreadableRun) {
        let log = EventLog(run.names)
        var mark: (end: Int64, frames: Int64, bytes: Int64)?
        var rows = 0
        let ledger = try Self.end(of: run.folder.ledger, hasHeader: true) { line, _, isBehind in
            guard line.number > 1 else { return line.text == LedgerColumn.header }
            let entry = try? LedgerTable.shared.entry(line.text, run.names)
            if isBehind, entry?.row.status == .frame { rows += 1 }
            return entry != nil
        }
        var times: (first: Instant<Session>, last: Instant<Session>)?
        let events = try Self.end(of: run.folder.events, hasHeader: false) {
            line, start, isBehind in
            guard
                let logged = (try? JSONReader.read(line.bytes, name: "events.jsonl"))
                    .flatMap(log.parse)
            else { return false }
            if isBehind {
                times = (times?.first ?? logged.time, logged.time)
            } else if case .recordRecovered(let frames, let bytes) = logged.event {
                mark = mark ?? (start, frames, bytes)
            }
            return true
        }
        self.mark = mark
        guard rows <= Self.mostRows else {
            throw Self.damage(run.folder.ledger, "zeros stand before \(rows.of("row"))")
        }
        if let times, times.last - times.first > Self.longestFlush {
            throw Self.damage(
                run.folder.events, "zeros stand before events of \(times.last - times.first)")
        }
        (self.ledger, self.events) = (ledger.end, events.end)
        cut = ledger.cut + events.cut
    }

    /// - Parameters:
    ///   - hasHeader: whether the first line was on the disk before the run had a manifest.
    ///   - isWhole: whether a line is one, with where it begins, and whether that is behind the end.
    /// - Returns: the end, and how many bytes are behind it.
    private static func end(
        of path: String, hasHeader: Bool, isWhole: (LineReader.Line, Int64, Bool) -> Bool
    ) throws(UnreadableRun) -> (end: Int64, cut: Int64) {
        do {
            let size = try OpenFile.size(of: path)
            let reader = try LineReader(path)
            var (end, isBehind) = (Int64(0), false)
            while let line = try reader.next() {
                let isHeader = hasHeader && line.number == 1
                if !isHeader, !line.isComplete || line.bytes.contains(0) { isBehind = true }
                if isBehind {
                    if line.isComplete { _ = isWhole(line, end, true) }
                    continue
                }
                guard line.isComplete, isWhole(line, end, false) else {
                    throw Self.damage(path, "line \(line.number) is damaged")
                }
                end += Int64(line.bytes.count) + 1
            }
            if hasHeader, end == 0 { throw Self.damage(path, "it is empty") }
            return (end, size - end)
        } catch let error as UnreadableRun {
            throw error
        } catch {
            throw UnreadableRun("\(error)")
        }
    }

    private static func damage(_ path: String, _ what: String) -> UnreadableRun {
        UnreadableRun(
            "\(path): \(what): no cut does that, so nothing was changed; `framelock verify` lists what is"
                + " wrong", isDamaged: true)
    }
}
