/// Writes diagnostics for a terminal: what is wrong, the source line, what is meant in it, a way out.
///
///     recipes/cube.yaml:12:15: error: exposure 25 ms exceeds the 20 ms interval [exposure-limit]
///        12 |     exposure: 25 ms
///           |               ^~~~~
///     recipes/cube.yaml:8:11: note: interval set here
///     hint: use an exposure of at most 20 ms
public struct DiagnosticRenderer: Sendable {
    private let sources: [SourceFile]

    /// A renderer that can show lines of the given files; others are shown by name and position only.
    public init(sources: [SourceFile]) {
        self.sources = sources
    }

    /// One diagnostic, several lines, without a line end after the last.
    ///
    /// Controls of the file's text are written out, so that nothing of it can move the terminal's cursor.
    public func render(_ diagnostic: Diagnostic) -> String {
        var lines = [diagnostic.description]
        lines += excerpt(diagnostic.range, in: diagnostic.file)
        for note in diagnostic.notes {
            let line = "\(note.file):\(note.range.start): note: \(note.message)"
            lines.append(line.withVisibleControls)
        }
        if let hint = diagnostic.hint { lines.append("hint: \(hint)".withVisibleControls) }
        return lines.joined(separator: "\n")
    }

    /// A list of diagnostics, the first twenty in full, then how many more there are.
    public func render(_ list: DiagnosticList) -> String {
        (list.shown.map(render) + Self.omission(of: list)).joined(separator: "\n")
    }

    /// `… and 3 more`, or nothing where everything is shown.
    static func omission(of list: DiagnosticList) -> [String] {
        list.omittedCount > 0 ? ["… and \(list.omittedCount) more"] : []
    }

    /// The source line and its underline, or nothing for a file that is not known here or a line beyond its end.
    ///
    /// A range over several lines is underlined to the end of its first one. Line numbers are set to the right in five
    /// cells.
    private func excerpt(_ range: SourceRange, in file: String) -> [String] {
        guard let source = sources.first(where: { $0.name == file }),
            let line = source.line(range.start.line)
        else { return [] }
        let end = range.end.line == range.start.line ? range.end.column : Int.max
        let excerpt = SourceExcerpt(line: line, startColumn: range.start.column, endColumn: end)
        let number = String(range.start.line)
        let margin = String(repeating: " ", count: max(0, 5 - number.count))
        let blank = String(repeating: " ", count: max(5, number.count))
        let shown = excerpt.text.isEmpty ? "" : " \(excerpt.text)"
        return ["\(margin)\(number) |\(shown)", "\(blank) | \(excerpt.underline)"]
    }
}
