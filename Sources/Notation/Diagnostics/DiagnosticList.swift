/// Everything found wrong in one reading, in the order of the text; thrown where reading fails.
public struct DiagnosticList: Error, Sendable, Hashable {
    /// How many diagnostics are shown; what follows is mostly a consequence of them.
    public static let maximumShown = 20

    /// All diagnostics, kept sorted by file name and position; equal places stay in order of finding.
    public var diagnostics: [Diagnostic] {
        didSet { Self.sort(&diagnostics) }
    }

    /// A list of diagnostics, in any order.
    public init(_ diagnostics: [Diagnostic] = []) {
        var sorted = diagnostics
        Self.sort(&sorted)
        self.diagnostics = sorted
    }

    /// A list of one.
    public init(_ diagnostic: Diagnostic) {
        self.init([diagnostic])
    }

    /// The diagnostics that are shown: the first ``maximumShown``.
    public var shown: ArraySlice<Diagnostic> { diagnostics.prefix(Self.maximumShown) }

    /// How many are left out when the list is shown.
    public var omittedCount: Int { diagnostics.count - shown.count }

    /// Whether nothing was found.
    public var isEmpty: Bool { diagnostics.isEmpty }

    /// Whether any of them makes the text unusable.
    public var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

    /// Adds one at its place.
    public mutating func append(_ diagnostic: Diagnostic) {
        diagnostics.append(diagnostic)
    }

    /// Sorts by file name, as UTF-8 bytes, and by the start of the range; `sort` of Swift keeps equal ones in their
    /// order.
    private static func sort(_ diagnostics: inout [Diagnostic]) {
        diagnostics.sort { left, right in
            if left.file != right.file {
                return left.file.utf8.lexicographicallyPrecedes(right.file.utf8)
            }
            return left.range.start < right.range.start
        }
    }
}

extension DiagnosticList: CustomStringConvertible {
    /// The shown diagnostics, a line each, without their source lines.
    public var description: String {
        (shown.map(\.description) + DiagnosticRenderer.omission(of: self)).joined(separator: "\n")
    }
}
