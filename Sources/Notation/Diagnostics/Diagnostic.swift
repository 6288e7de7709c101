/// One thing that is wrong (or doubtful) in a text, for the person who wrote it.
///
/// Messages are lower-case without a final full stop, name the value found and the limit, and put
/// backticks around what the file has (``quote(_:)``).
public struct Diagnostic: Sendable, Hashable {
    /// How bad it is.
    public enum Severity: String, Sendable {
        /// The text cannot be used.
        case error
        /// The text can be used, and may not mean what it seems to.
        case warning
    }

    /// A second place that explains the first.
    public struct Note: Sendable, Hashable {
        /// What that place has to do with it.
        public var message: String
        /// The name of the file the place is in.
        public var file: String
        /// The place.
        public var range: SourceRange

        /// A note at a place.
        public init(_ message: String, at range: SourceRange, in file: String) {
            self.message = message
            self.file = file
            self.range = range
        }
    }

    /// How bad it is.
    public var severity: Severity
    /// A stable word for programs and manuals, such as `unknown-key`.
    public var id: String
    /// The name of the file.
    public var file: String
    /// The stretch of the file that is meant.
    public var range: SourceRange
    /// What is wrong.
    public var message: String
    /// Further places, in the order of printing.
    public var notes: [Note]
    /// One concrete way out.
    public var hint: String?

    /// A diagnostic about a stretch of a file.
    public init(
        _ severity: Severity, _ id: String, at range: SourceRange, in file: String,
        _ message: String, notes: [Note] = [], hint: String? = nil
    ) {
        self.severity = severity
        self.id = id
        self.file = file
        self.range = range
        self.message = message
        self.notes = notes
        self.hint = hint
    }

    /// An error about a stretch of a file.
    public init(
        _ id: String, at range: SourceRange, in file: String,
        _ message: String, notes: [Note] = [], hint: String? = nil
    ) {
        self.init(.error, id, at: range, in: file, message, notes: notes, hint: hint)
    }

    /// Text from a file as messages show it: in backticks, at most 40 characters, controls visible.
    public static func quote(_ text: String) -> String {
        let shown = text.count > 40 ? text.prefix(39) + "…" : text[...]
        return "`\(String(shown).withVisibleControls)`"
    }
}

extension Diagnostic: CustomStringConvertible {
    /// The first line of the rendered diagnostic: `file:line:column: error: message [id]`.
    public var description: String {
        "\(file):\(range.start): \(severity.rawValue): \(message) [\(id)]".withVisibleControls
    }
}
