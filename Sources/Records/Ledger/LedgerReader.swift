/// Reads `ledger.csv` row by row, strictly: what the writer would not write is a fault.
///
/// Every row is written again and compared byte by byte, so there is one way only to write a row.
final class LedgerReader {
    /// What comes next in a ledger.
    enum Item: Hashable {
        /// A row.
        case entry(LedgerEntry, line: Int)
        /// A line that is no row.
        case fault(String, line: Int)
        /// The file ends in the middle of this line.
        case cut(line: Int)
    }

    private let reader: LineReader
    private let names: RunNames
    /// Whether rows are written again and compared.
    private let isStrict: Bool
    /// Whether the first line was looked at, which is none of the items unless it is wrong.
    private var hasHeader: Bool

    /// The writer appends meanwhile; with an end, what is appended after it was chosen is not read.
    ///
    /// - Parameters:
    ///   - offset: where the first row to be read begins; 0 for the whole ledger, whose header is looked at then.
    ///   - end: reads only so many bytes of the file.
    ///   - isStrict: false to take rows as they are read, for who goes through a ledger several times.
    /// - Throws: ``StorageError`` if the file can't be opened.
    init(
        _ path: String, _ names: RunNames, from offset: Int64 = 0, upTo end: Int64 = .max,
        isStrict: Bool = true
    ) throws(StorageError) {
        self.isStrict = isStrict
        reader = try LineReader(path, from: offset, upTo: end)
        hasHeader = offset > 0
        self.names = names
    }

    /// Where a row begins that is the slot's or comes not long before it: rows are in the order of slots.
    ///
    /// - Returns: a few rows before the slot's, as far as the ledger's rows are in order; 0 where a line is met that
    ///   begins with no number.
    static func offset(ofSlot slot: Int64, in path: String) throws(StorageError) -> Int64 {
        var (first, end) = (Int64(0), try OpenFile.size(of: path))
        while end - first > 1 << 16 {
            let middle = first + (end - first) / 2
            let reader = try LineReader(path, from: middle)
            // The rest of a line.
            _ = try reader.next()
            let start = reader.position
            guard start < end, let line = try reader.next() else { break }
            guard let own = Int64(String(decoding: line.bytes.prefix { $0 != 0x2C }, as: UTF8.self))
            else { return 0 }
            if own <= slot { first = start } else { end = middle }
        }
        return first
    }

    /// The next row or fault; nil at the end.
    ///
    /// After a fault the next line is tried: one bad row does not hide the others.
    ///
    /// - Throws: ``StorageError`` if the file can't be read.
    func next() throws(StorageError) -> Item? {
        if !hasHeader {
            hasHeader = true
            guard let line = try reader.next(), line.isComplete else { return .cut(line: 1) }
            guard line.text == LedgerColumn.header else {
                return .fault("the columns are not those of a ledger", line: 1)
            }
        }
        guard let line = try reader.next() else { return nil }
        guard line.isComplete else { return .cut(line: line.number) }
        do throws(LedgerFault) {
            let entry = try LedgerTable.shared.entry(line.text, names)
            guard isStrict else { return .entry(entry, line: line.number) }
            var written: [UInt8] = []
            LedgerTable.shared.write(entry, names, to: &written)
            guard written.dropLast() == line.bytes[...] else {
                let expected = String(decoding: written.dropLast(), as: UTF8.self)
                return .fault(try difference(line.text, expected), line: line.number)
            }
            return .entry(entry, line: line.number)
        } catch {
            return .fault(error.message, line: line.number)
        }
    }

    /// Names the first column in which a line differs from what belongs there.
    ///
    /// - Throws: ``LedgerFault`` where either line has another number of fields than a row.
    private func difference(_ line: String, _ expected: String) throws(LedgerFault) -> String {
        let pairs = zip(
            try LedgerFields(line: line).texts, try LedgerFields(line: expected).texts)
        for (column, (found, expected)) in zip(LedgerColumn.allCases, pairs) where found != expected
        {
            return "\(column.name) is `\(found)`, expected `\(expected)`"
        }
        return "the row is not written as a ledger's rows are"
    }
}
