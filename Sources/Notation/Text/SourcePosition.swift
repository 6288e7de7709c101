/// A place in a text, counted the way an editor counts.
public struct SourcePosition: Hashable, Sendable, Comparable {
    /// The line, from 1; a line ends at LF, CR LF or CR.
    public var line: Int
    /// The column in Unicode scalars, from 1; a byte order mark has no column, a tab has one.
    public var column: Int

    /// A place by its line and column, both from 1.
    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// The first place of every text.
    public static let start = SourcePosition(line: 1, column: 1)

    /// Whether `left` comes before `right` in the text.
    public static func < (left: SourcePosition, right: SourcePosition) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

extension SourcePosition: CustomStringConvertible {
    /// The position as `line:column`.
    public var description: String { "\(line):\(column)" }
}

/// A stretch of a text from `start` up to, not including, `end`.
public struct SourceRange: Hashable, Sendable {
    /// The first place of the stretch.
    public var start: SourcePosition
    /// The place after the stretch; equal to `start` when the stretch is empty.
    public var end: SourcePosition

    /// A stretch by its two places; an `end` before `start` is read as an empty stretch at `start`.
    public init(start: SourcePosition, end: SourcePosition) {
        self.start = start
        self.end = max(start, end)
    }

    /// A stretch of `columns` Unicode scalars on one line.
    public init(at start: SourcePosition, columns: Int = 0) {
        self.init(
            start: start,
            end: SourcePosition(line: start.line, column: start.column + max(0, columns)))
    }
}
