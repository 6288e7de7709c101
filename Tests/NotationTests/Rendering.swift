import Notation

/// What the YAML reader has to say about a text, as a person sees it; "accepted" where it is nothing.
func yamlComplaint(_ text: String, limits: YAMLLimits = .default) -> String {
    yamlComplaint(Array(text.utf8), limits: limits)
}

func yamlComplaint(_ bytes: [UInt8], limits: YAMLLimits = .default) -> String {
    let file = SourceFile(name: "a.yaml", bytes: bytes)
    do throws(DiagnosticList) {
        _ = try YAMLReader.read(file, limits: limits)
        return "accepted"
    } catch {
        return DiagnosticRenderer(sources: [file]).render(error)
    }
}

/// What the JSON reader has to say about a text.
func jsonComplaint(_ text: String, limits: JSONLimits = .default) -> String {
    jsonComplaint(Array(text.utf8), limits: limits)
}

func jsonComplaint(_ bytes: [UInt8], limits: JSONLimits = .default) -> String {
    do throws(DiagnosticList) {
        _ = try JSONReader.read(bytes, name: "a.json", limits: limits)
        return "accepted"
    } catch {
        return DiagnosticRenderer(sources: [SourceFile(name: "a.json", bytes: bytes)]).render(error)
    }
}

/// A document with its node, both needed to talk about places.
func yaml(_ text: String) throws -> YAMLNode {
    try YAMLReader.read(SourceFile(name: "a.yaml", text: text))
}

extension YAMLNode {
    /// The document as JSON, all scalars as strings: a shape that tests can write down.
    var shape: JSONValue {
        switch content {
        case .scalar(let scalar): .string(scalar.text)
        case .sequence(let elements): .array(elements.map(\.shape))
        case .mapping(let entries): .object(JSONObject(entries.map { ($0.key, $0.value.shape) }))
        }
    }
}

extension SourceRange {
    /// Short to write in tests: "2:3-2:8".
    var short: String { "\(start)-\(end)" }
}
