/// Words in columns, for a terminal.
///
/// Words that are too long are cut with three dots; no row takes two lines.
struct TextTable {
    /// No line is longer.
    static let width = 100

    private let table: ReportDocument.Table

    init(_ table: ReportDocument.Table) {
        self.table = table
    }

    /// The head, a line of dashes, the rows and how many more there are, without spaces at their ends.
    ///
    /// Empty for a table without rows, whose head would be of no use.
    var lines: [String] {
        guard !table.rows.isEmpty else { return [] }
        let shown = Array(table.rows.prefix(table.textRows))
        let widths = fitted(
            table.head.indices.map { column in
                ([table.head] + shown).map { $0[column].count }.max() ?? 0
            })
        var lines = ([table.head] + shown).map { line($0, widths) }
        lines.insert(String(repeating: "-", count: min(Self.width, total(widths))), at: 1)
        let more = table.more + Int64(table.rows.count - shown.count)
        if more > 0 { lines.append("... and \(more) more") }
        return lines
    }

    /// Columns of a line: those of the words, and two between each pair.
    private func total(_ widths: [Int]) -> Int { widths.reduce(0, +) + 2 * (widths.count - 1) }

    /// The widest column gives way until the line fits.
    ///
    /// A column is never made narrower than 8, so that numbers and names can still be distinguished: a table of very
    /// many columns may be wider than ``width``.
    private func fitted(_ widths: [Int]) -> [Int] {
        var widths = widths
        while total(widths) > Self.width {
            guard let widest = widths.indices.max(by: { widths[$0] < widths[$1] }),
                widths[widest] > 8
            else { break }
            widths[widest] -= 1
        }
        return widths
    }

    /// The cells of a row, each in its column's width; numbers to the right, words to the left.
    private func line(_ cells: [String], _ widths: [Int]) -> String {
        var text = ""
        for (column, cell) in cells.enumerated() {
            if column > 0 { text += "  " }
            let cell = Self.cut(cell, widths[column])
            let space = String(repeating: " ", count: widths[column] - cell.count)
            text += table.numbers.contains(column) ? space + cell : cell + space
        }
        while text.last == " " { text.removeLast() }
        return text
    }

    /// - Precondition: `width` is at least 3, which ``fitted(_:)`` keeps for every cell that does not fit.
    private static func cut(_ cell: String, _ width: Int) -> String {
        cell.count <= width ? cell : cell.prefix(width - 3) + "..."
    }
}
