/// Reads one YAML document into nodes with places, and refuses what makes files surprising.
///
/// Refused, each with its own diagnostic: anchors, aliases, tags, merge keys, keys that come twice,
/// keys that are no scalars, several documents, control characters, anything but UTF-8, and files
/// over the limits. Scalars stay text, so `no` is not false and `12:30` is not 750.
public enum YAMLReader {
    /// Reads a file.
    ///
    /// - Throws: everything that was found up to the first error of syntax, sorted by position.
    public static func read(
        _ file: SourceFile, limits: YAMLLimits = .default
    ) throws(DiagnosticList) -> YAMLNode {
        if let refusal = YAMLScreening(file: file, limits: limits).refusal {
            throw DiagnosticList(refusal)
        }
        let document = file.bytes[file.lines.byteOrderMarkLength...]
        guard !document.isEmpty else { throw DiagnosticList(.emptyFile(file)) }
        guard let events = YAMLEventStream(document) else {
            throw DiagnosticList(
                Diagnostic(
                    "out-of-memory", at: SourceRange(at: .start), in: file.name,
                    "not enough memory to read the file"))
        }
        var builder = YAMLTreeBuilder(file: file, limits: limits, events: events)
        let root = builder.document()
        guard let root, builder.diagnostics.isEmpty else {
            throw DiagnosticList(builder.diagnostics)
        }
        return root
    }
}
