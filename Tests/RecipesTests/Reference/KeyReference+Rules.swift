import Notation

extension KeyReference {
    /// What holds between the keys of a mapping, as sentences.
    static func rules(_ rules: [JSONValue]) -> [String] {
        let exclusions = rules.filter { $0["not"] != nil }
        // More than a few are groups of keys, which the mapping's own sentence explains.
        let isFew = exclusions.count <= 3
        return rules.compactMap { isFew || $0["not"] == nil ? sentence($0) : nil }
    }

    private static func sentence(_ rule: JSONValue) -> String? {
        if let groups = rule["oneOf"] {
            return "Exactly one of \(alternatives(groups)) is required."
        }
        if let groups = rule["anyOf"] {
            return "At least one of \(alternatives(groups)) is required."
        }
        if let both = rule["not"] { return "\(names(both, " and ")) exclude each other." }
        if let needs = rule["dependentRequired"]?.objectValue?.members.first {
            let needed = needs.value.arrayValue ?? []
            let others = needed.compactMap(\.stringValue).map { "`\($0)`" }
            return "`\(needs.name)` requires \(others.joined(separator: " and "))."
        }
        guard let key = rule["if"], let others = rule["then"]?["anyOf"] else { return nil }
        return "\(names(key, " and ")) requires one of \(alternatives(others))."
    }

    /// The keys of alternatives, each of which requires some.
    private static func alternatives(_ groups: JSONValue) -> String {
        (groups.arrayValue ?? []).map { names($0, " and ") }.joined(separator: ", ")
    }

    private static func names(_ required: JSONValue, _ separator: String) -> String {
        (required["required"]?.arrayValue ?? []).compactMap(\.stringValue)
            .map { "`\($0)`" }.joined(separator: separator)
    }
}
