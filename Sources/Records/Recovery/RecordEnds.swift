internal import Notation

/// How far ledger and log of a run that was cut are whole, in bytes from their beginnings.
///
/// A cut ends them in the middle of a line, or in sectors that were never written, which read as zeros: what was synced
/// has neither, so that whatever stands behind was not. Anything else that is no line is damage.
struct RecordEnds {
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
        let ledger = try Self.end(of: run.folder.ledger, hasHeader: true) { line, _ in
            line.number == 1
                ? line.text == LedgerColumn.header
                : (try? LedgerTable.shared.entry(line.text, run.names)) != nil
        }
        let events = try Self.end(of: run.folder.events, hasHeader: false) { line, start in
            guard
                let logged = (try? JSONReader.read(line.bytes, name: "events.jsonl"))
                    .flatMap(log.parse)
            else { return false }
            if case .recordRecovered(let frames, let bytes) = logged.event {
                mark = mark ?? (start, frames, bytes)
            }
            return true
        }
        self.mark = mark
        (self.ledger, self.events) = (ledger.end, events.end)
        cut = ledger.cut + events.cut
    }

    /// - Parameters:
    ///   - hasHeader: whether the first line was on the disk before the run had a manifest.
    ///   - isWhole: whether a line is one, with where it begins.
    private static func end(
        of path: String, hasHeader: Bool, isWhole: (LineReader.Line, Int64) -> Bool
    ) throws(UnreadableRun) -> (end: Int64, cut: Int64) {
        do {
            let size = try OpenFile.size(of: path)
            let reader = try LineReader(path)
            var end: Int64 = 0
            while let line = try reader.next() {
                let isHeader = hasHeader && line.number == 1
                let isCut = !line.isComplete || line.bytes.contains(0)
                if isCut, !isHeader { break }
                guard line.isComplete, isWhole(line, end) else {
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
