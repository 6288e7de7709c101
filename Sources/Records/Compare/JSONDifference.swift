internal import Notation

/// A place at which two JSON values differ.
struct JSONDifference: Hashable {
    /// Where, for example `camera.lines[2].name`.
    let path: String
    /// What each has there; nil for nothing.
    let a, b: JSONValue?

    /// The places at which they differ: members by name, elements by index, and not below a place that only one has.
    static func between(_ a: JSONValue, _ b: JSONValue) -> [JSONDifference] {
        var found: [JSONDifference] = []
        collect(a, b, "", &found)
        return found
    }

    private static func collect(
        _ a: JSONValue, _ b: JSONValue, _ path: String, _ found: inout [JSONDifference]
    ) {
        switch (a, b) {
        case (.object(let first), .object(let second)):
            let ofA = Dictionary(
                first.members.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
            let ofB = Dictionary(
                second.members.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
            // In the order of A, then what only B has.
            let names =
                first.members.map(\.name) + second.members.map(\.name).filter { ofA[$0] == nil }
            for name in names {
                compare(ofA[name], ofB[name], path.isEmpty ? name : "\(path).\(name)", &found)
            }
        case (.array(let first), .array(let second)):
            for index in 0..<max(first.count, second.count) {
                compare(a[index], b[index], "\(path)[\(index)]", &found)
            }
        case _ where a != b: found.append(JSONDifference(path: path, a: a, b: b))
        default: break
        }
    }

    private static func compare(
        _ a: JSONValue?, _ b: JSONValue?, _ path: String, _ found: inout [JSONDifference]
    ) {
        if let a, let b { return collect(a, b, path, &found) }
        found.append(JSONDifference(path: path, a: a, b: b))
    }

    /// `{path, a, b}`; null for what one does not have.
    var json: JSONValue { ["path": .string(path), "a": a ?? .null, "b": b ?? .null] }

    /// A line for each; of those within one list the first three, and how many more there are.
    static func lines(_ differences: [JSONDifference]) -> [String] {
        var lines: [String] = []
        var (list, count) = (Substring(), 0)
        func more() -> [String] {
            count > mostOfList ? ["\(list): and \(count - mostOfList) more in this list"] : []
        }
        for difference in differences {
            let own = difference.path.prefix { $0 != "[" }
            if own != list || own.count == difference.path.count {
                lines += more()
                (list, count) = (own, 0)
            }
            count += 1
            if count <= mostOfList { lines.append(difference.text) }
        }
        return lines + more()
    }

    private static let mostOfList = 3

    /// `path: 1 / 2`, long values cut.
    var text: String { "\(path): \(Self.short(a)) / \(Self.short(b))" }

    private static func short(_ value: JSONValue?) -> String {
        guard let text = value?.text() else { return "nothing" }
        return text.count > 60 ? text.prefix(59) + "…" : text
    }
}
