internal import Notation

/// How two ledgers differ, column by column, in memory that their length does not change.
struct LedgerComparison {
    /// How the rows of a slot that both have differ in a column.
    struct Column: Hashable {
        let name: String
        /// In how many slots, and the first of them with what each has there.
        var slots: Int64 = 0
        let firstSlot: String
        let a, b: String
    }

    /// Rows that only one has: how many, and the first and last slot of them.
    struct Only: Hashable {
        var rows: Int64 = 0
        var first = "", last = ""

        fileprivate mutating func add(_ slot: String) {
            if rows == 0 { first = slot }
            rows += 1
            last = slot
        }
    }

    /// Holes that are kept by name; those behind them are counted.
    private static let mostHoles = 1_000
    /// Slots that are a hole in one and none in the other.
    private(set) var holesOfA: [Int64] = [], holesOfB: [Int64] = []

    /// Slots that both have.
    private(set) var slots: Int64 = 0
    private(set) var columns: [Column] = []
    private(set) var onlyA = Only(), onlyB = Only()
    /// Lines that are no rows; `verify` says what they are.
    private(set) var faults: Int64 = 0

    /// A line of a ledger.
    struct Row {
        let slot: Int64
        fileprivate let fields: LedgerFields
        /// Whether the slot has a frame.
        var isFrame: Bool { fields[.status] == SlotStatus.frame.rawValue }
    }

    /// Compares two ledgers.
    ///
    /// - Parameter both: is handed each slot that has a row in both, in order.
    /// - Throws: ``StorageError`` where one can't be read.
    init(
        _ a: RecordedRun, _ b: RecordedRun, both: (_ a: Row, _ b: Row) -> Void
    ) throws(StorageError) {
        let (readerA, readerB) = (
            try LineReader(a.folder.ledger), try LineReader(b.folder.ledger)
        )
        // The header.
        _ = try readerA.next()
        _ = try readerB.next()
        var rowA = try next(readerA)
        var rowB = try next(readerB)
        while rowA != nil || rowB != nil {
            let (slotA, slotB) = (rowA?.slot ?? .max, rowB?.slot ?? .max)
            if let a = rowA, let b = rowB, slotA == slotB {
                slots += 1
                compare(a, b)
                both(a, b)
                (rowA, rowB) = (try next(readerA), try next(readerB))
            } else if let a = rowA, slotA < slotB {
                onlyA.add("\(a.slot)")
                rowA = try next(readerA)
            } else if let b = rowB {
                onlyB.add("\(b.slot)")
                rowB = try next(readerB)
            }
        }
    }

    /// The next line that is a row.
    private mutating func next(_ reader: LineReader) throws(StorageError) -> Row? {
        while let line = try reader.next() {
            guard line.isComplete else { return nil }
            if let fields = try? LedgerFields(line: line.text), let slot = Int64(fields[.slot]) {
                return Row(slot: slot, fields: fields)
            }
            faults += 1
        }
        return nil
    }

    private mutating func compare(_ a: Row, _ b: Row) {
        if a.isFrame != b.isFrame {
            if b.isFrame, holesOfA.count < Self.mostHoles { holesOfA.append(a.slot) }
            if a.isFrame, holesOfB.count < Self.mostHoles { holesOfB.append(b.slot) }
        }
        for column in LedgerColumn.allCases where a.fields[column] != b.fields[column] {
            let index = columns.firstIndex { $0.name == column.name }
            if let index {
                columns[index].slots += 1
            } else {
                columns.append(
                    Column(
                        name: column.name, slots: 1, firstSlot: "\(a.slot)", a: a.fields[column],
                        b: b.fields[column]))
            }
        }
    }

    var json: JSONValue {
        func only(_ only: Only) -> JSONValue {
            guard only.rows > 0 else { return .null }
            return [
                "rows": .integer(only.rows), "first_slot": .string(only.first),
                "last_slot": .string(only.last),
            ]
        }
        return [
            "slots": .integer(slots), "only_a": only(onlyA), "only_b": only(onlyB),
            "holes_only_a": .array(holesOfA.map { .integer($0) }),
            "holes_only_b": .array(holesOfB.map { .integer($0) }),
            "columns": .array(
                columns.map { column in
                    [
                        "column": .string(column.name), "slots": .integer(column.slots),
                        "first_slot": .string(column.firstSlot), "a": .string(column.a),
                        "b": .string(column.b),
                    ]
                }),
        ]
    }

    /// A line for each column, and for rows that only one has.
    var lines: [String] {
        func shown(_ text: String) -> String { text.isEmpty ? "empty" : text }
        func only(_ name: String, _ only: Only) -> [String] {
            guard only.rows > 0 else { return [] }
            let slots =
                only.first == only.last
                ? "slot \(only.first)" : "slots \(only.first) to \(only.last)"
            return ["\(only.rows.of("row")) in \(name) alone, \(slots)"]
        }
        func holes(_ name: String, _ slots: [Int64]) -> [String] {
            guard !slots.isEmpty else { return [] }
            let first = slots.prefix(20).map(String.init).joined(separator: ", ")
            return ["no frame in \(name) alone: slot \(first)\(slots.count > 20 ? ", …" : "")"]
        }
        return holes("A", holesOfA) + holes("B", holesOfB)
            + columns.map { column in
                "\(column.name): \(column.slots.of("slot")), first \(column.firstSlot): \(shown(column.a)) / "
                    + shown(column.b)
            } + only("A", onlyA) + only("B", onlyB)
    }
}
