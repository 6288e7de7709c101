import Testing

/// Comma-separated values with a header; no field of ours holds a comma or a quote.
struct Table {
    /// One row, by the names of its columns.
    struct Row {
        fileprivate let columns: [Substring: Int]
        fileprivate let cells: [Substring]

        /// A field; empty where there is none.
        subscript(column: Substring) -> String {
            guard let place = columns[column], place < cells.count else { return "" }
            return String(cells[place])
        }

        /// A whole number; nil where the field is empty.
        func number(_ column: Substring) -> Int? { Int(self[column]) }

        /// A whole number that must be there.
        func required(_ column: Substring) throws -> Int {
            try #require(number(column), "\(column) is '\(self[column])' in \(cells)")
        }
    }

    let columns: [Substring]
    let rows: [Row]

    init(_ text: String) {
        let lines = text.split(separator: "\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false)
        }
        let header = lines.first ?? []
        let places = Dictionary(
            header.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        columns = header
        rows = lines.dropFirst().map { Row(columns: places, cells: $0) }
    }
}
