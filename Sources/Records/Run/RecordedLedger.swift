/// The rows of a recorded run, from the first one on, with the texts that the ledger has of them.
///
/// Of a run that goes on, as many as there were when it was opened. Lines that are none are passed over and counted:
/// `verify` says what they are.
package final class RecordedLedger {
    private let reader: LedgerReader
    private let names: RunNames
    /// Lines that could not be read.
    package private(set) var faults: Int64 = 0

    /// Opens the ledger of a run.
    ///
    /// - Throws: ``UnreadableRun`` where there is none.
    package init(_ run: RecordedRun) throws(UnreadableRun) {
        names = run.names
        do {
            let end = try OpenFile.size(of: run.folder.ledger)
            reader = try LedgerReader(run.folder.ledger, run.names, upTo: end, isStrict: false)
        } catch {
            throw UnreadableRun("\(error)")
        }
    }

    /// The next row; nil at the end.
    package func next() throws(UnreadableRun) -> LedgerEntry? {
        do {
            while let item = try reader.next() {
                switch item {
                case .entry(let entry, _): return entry
                case .fault: faults += 1
                case .cut: break
                }
            }
        } catch {
            throw UnreadableRun("\(error)")
        }
        return nil
    }

    /// A row's texts, by column.
    package func texts(_ entry: LedgerEntry) -> LedgerFields {
        LedgerTable.shared.texts(entry, names)
    }
}
