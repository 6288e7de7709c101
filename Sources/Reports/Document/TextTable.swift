/// Words in columns, for a terminal.
struct TextTable {
    /// No line is longer.
    static let width = 100

    private let table: ReportDocument.Table

    init(_ table: ReportDocument.Table) {
        self.table = table
    }

    /// The lines, without spaces at their ends.
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

    private func total(_ widths: [Int]) -> Int { widths.reduce(0, +) + 2 * (widths.count - 1) }

    /// The widest column gives way until the line fits.
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

    private static func cut(_ cell: String, _ width: Int) -> String {
        cell.count <= width ? cell : cell.prefix(width - 3) + "..."
    }
}
