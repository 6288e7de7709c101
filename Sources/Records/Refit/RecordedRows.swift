/// The rows of a run's ledger, which can be read any number of times: a run of any length fits into no memory.
struct RecordedRows {
    private let run: RecordedRun
    /// Bytes of the ledger when it was first looked at; a run that goes on appends more.
    private let end: Int64

    /// - Throws: ``StorageError`` if there is no ledger.
    init(_ run: RecordedRun) throws(StorageError) {
        self.run = run
        end = try OpenFile.size(of: run.folder.ledger)
    }

    /// Goes through the rows of slots that had their turn, in order.
    ///
    /// Lines that are no rows are left to `verify`.
    ///
    /// - Parameter body: false to read no further.
    func forEach(_ body: (LedgerRow) -> Bool) throws(StorageError) {
        let reader = try LedgerReader(run.folder.ledger, run.names, upTo: end, isStrict: false)
        while let item = try reader.next() {
            guard case .entry(let entry, _) = item, entry.row.lastSlot == nil else { continue }
            guard body(entry.row.countable) else { return }
        }
    }
}
