internal import Notation

/// How far ledger and log of a run that was cut are whole, in bytes from their beginnings.
///
/// A cut ends them anywhere: in the middle of a line, or, after a power cut, in bytes that were never written.
struct RecordEnds {
    let ledger: Int64
    let events: Int64
    /// Bytes behind these ends.
    let cut: Int64

    /// - Throws: ``UnreadableRun`` where a line that is none stands before others that are: that no cut does.
    init(_ run: RecordedRun) throws(UnreadableRun) {
        let log = EventLog(run.names)
        do {
            let ledger = try Self.end(of: run.folder.ledger) { line in
                line.number == 1
                    ? line.text == LedgerColumn.header
                    : (try? LedgerTable.shared.entry(line.text, run.names)) != nil
            }
            let events = try Self.end(of: run.folder.events) { line in
                (try? JSONReader.read(line.bytes, name: "events.jsonl")).flatMap(log.parse) != nil
            }
            (self.ledger, self.events) = (ledger.end, events.end)
            cut = ledger.cut + events.cut
        } catch let error as StorageError {
            throw UnreadableRun("\(error)")
        } catch {
            throw error as? UnreadableRun ?? UnreadableRun("\(error)")
        }
    }

    private static func end(
        of path: String, isWhole: (LineReader.Line) -> Bool
    ) throws -> (end: Int64, cut: Int64) {
        let reader = try LineReader(path)
        var (end, cut) = (Int64(0), Int64(0))
        while let line = try reader.next() {
            let byteCount = Int64(line.bytes.count) + (line.isComplete ? 1 : 0)
            guard line.isComplete, isWhole(line) else {
                cut += byteCount
                continue
            }
            guard cut == 0 else {
                throw UnreadableRun(
                    "\(path): line \(line.number - 1) is damaged, and others stand behind it: no cut"
                        + " does that, so nothing is changed; `framelock verify` lists what is wrong",
                    isDamaged: true)
            }
            end += byteCount
        }
        return (end, cut)
    }
}
