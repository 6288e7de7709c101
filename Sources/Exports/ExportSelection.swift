internal import Notation
internal import Records

/// Which rows of a ledger are exported.
public struct ExportSelection: Hashable, Sendable {
    /// A column of the ledger that has to have exactly this text.
    struct Condition: Hashable, Sendable {
        let column: LedgerColumn
        let text: String
    }

    /// Empty for all.
    private(set) var slots: [ClosedRange<Int64>] = []
    /// All of them hold.
    private(set) var conditions: [Condition] = []

    /// Selects all rows.
    public init() {}

    /// Selects by words of the command line.
    ///
    /// - Parameters:
    ///   - slots: numbers and ranges with commas between them, for example `0-99,120,200-`; nil for all.
    ///   - conditions: `column=text`, for example `lights=red`; the text is what the ledger has there, empty for an
    ///     empty field.
    /// - Throws: ``ExportError`` in words for the first that is none.
    public init(slots: String?, conditions: [String]) throws(ExportError) {
        for word in slots?.split(separator: ",", omittingEmptySubsequences: false) ?? [] {
            self.slots.append(try Self.range(word))
        }
        for text in conditions { self.conditions.append(try Self.condition(text)) }
    }

    private static func range(_ word: Substring) throws(ExportError) -> ClosedRange<Int64> {
        let ends = word.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        let isNumber = ends.allSatisfy { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
        guard isNumber, let first = Int64(ends[0]) else { throw unreadable(word) }
        guard ends.count == 2 else { return first...first }
        if ends[1].isEmpty { return first...Int64.max }
        guard let last = Int64(ends[1]), last >= first else { throw unreadable(word) }
        return first...last
    }

    private static func unreadable(_ word: Substring) -> ExportError {
        .usage(
            "\(Diagnostic.quote(String(word))) is no slot and no range: for example 0-99,120,200-")
    }

    private static func condition(_ text: String) throws(ExportError) -> Condition {
        guard let sign = text.firstIndex(of: "=") else {
            throw .usage(
                "\(Diagnostic.quote(text)) is no condition: a column of the ledger, `=` and its text, for example"
                    + " lights=red")
        }
        let name = String(text[..<sign])
        let columns = LedgerColumn.allCases
        guard let column = columns.first(where: { $0.name == name }) else {
            let names = columns.map(\.name)
            let containing = name.isEmpty ? [] : names.filter { $0.contains(name) }
            let near = nearestWord(to: name, in: names).map { [$0] } ?? []
            let meant = (containing.isEmpty ? near : containing).map { "`\($0)`" }
            throw .usage(
                "the ledger has no column \(Diagnostic.quote(name))"
                    + (meant.isEmpty
                        ? "; docs/run-folder.md has its columns"
                        : ": did you mean \(meant.joined(separator: " or "))?"))
        }
        return Condition(column: column, text: String(text[text.index(after: sign)...]))
    }

    /// Whether a row is one of them; a row of slots that had no turn is none.
    ///
    /// - Parameter texts: the row's, asked for only where conditions need them.
    func takes(_ entry: LedgerEntry, _ texts: () -> LedgerFields) -> Bool {
        guard entry.row.lastSlot == nil else { return false }
        guard slots.isEmpty || slots.contains(where: { $0.contains(entry.row.slot) }) else {
            return false
        }
        guard !conditions.isEmpty else { return true }
        let texts = texts()
        return conditions.allSatisfy { texts[$0.column].utf8.elementsEqual($0.text.utf8) }
    }

    /// What to look at where it takes no row.
    var missed: String {
        let words = conditions.map { Diagnostic.quote("\($0.column.name)=\($0.text)") }
        let texts =
            words.isEmpty
            ? ""
            : ", and --where takes the text of ledger.csv as it stands there (\(words.joined(separator: ", ")))"
        return "`framelock show` says which slots there are\(texts)"
    }

    /// As it was asked for: `slots` and `where`.
    var json: JSONValue {
        let ranges = slots.map { range in
            range.lowerBound == range.upperBound
                ? "\(range.lowerBound)"
                : "\(range.lowerBound)-" + (range.upperBound == .max ? "" : "\(range.upperBound)")
        }
        return [
            "slots": ranges.isEmpty ? .null : .string(ranges.joined(separator: ",")),
            "where": .array(conditions.map { .string("\($0.column.name)=\($0.text)") }),
        ]
    }
}
