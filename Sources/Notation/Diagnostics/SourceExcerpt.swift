/// A source line laid out in terminal cells, and the line that underlines a part of it.
///
/// Tabs become spaces, controls become U+FFFD, wide and combining characters take the cells that a
/// terminal gives them, and a long line is cut to a window around the part that is meant.
struct SourceExcerpt {
    /// Scalars of a line that are shown; the rest is cut off, with `…` in its place.
    private static let maximumScalars = 100
    /// How much of a cut line is shown before the part that is meant.
    private static let lead = 40
    /// Cells from one tab stop to the next.
    private static let tabWidth = 4

    /// The line as it is shown, without spaces at its end.
    let text: String
    /// Spaces up to the first cell that is meant, `^` there, `~` for the rest; at least the `^`.
    let underline: String

    /// - Parameters:
    ///   - line: the source line without its line end.
    ///   - startColumn: the first column meant, from 1, in Unicode scalars.
    ///   - endColumn: the column after the last one meant; clipped to the line.
    init(line: String, startColumn: Int, endColumn: Int) {
        let scalars = line.unicodeScalars
        let count = scalars.count
        let start = min(max(0, startColumn - 1), count)
        let end = min(max(start, endColumn - 1), count)
        let first = start < Self.maximumScalars - Self.lead ? 0 : start - Self.lead
        let window = scalars.dropFirst(first).prefix(Self.maximumScalars)

        var text = first > 0 ? "…" : ""
        var cell = first > 0 ? 1 : 0
        var startCell: Int?
        var endCell: Int?
        for (offset, scalar) in window.enumerated() {
            if first + offset == start { startCell = cell }
            if first + offset == end { endCell = cell }
            cell += Self.append(scalar, at: cell, to: &text)
        }
        let from = startCell ?? cell
        let length = max(1, (endCell ?? cell) - from)
        if first + window.count < count { text += "…" }
        self.text = Self.trimmed(text)
        underline =
            String(repeating: " ", count: from) + "^" + String(repeating: "~", count: length - 1)
    }

    /// Appends what stands for a scalar and returns the cells it takes.
    private static func append(_ scalar: Unicode.Scalar, at cell: Int, to text: inout String) -> Int
    {
        if scalar == "\t" {
            let width = tabWidth - cell % tabWidth
            text += String(repeating: " ", count: width)
            return width
        }
        if scalar.isInvisibleControl {
            text += "\u{FFFD}"
            return 1
        }
        text.unicodeScalars.append(scalar)
        return scalar.cellCount
    }

    private static func trimmed(_ text: String) -> String {
        var scalars = text.unicodeScalars[...]
        while scalars.last == " " { scalars.removeLast() }
        return String(scalars)
    }
}
