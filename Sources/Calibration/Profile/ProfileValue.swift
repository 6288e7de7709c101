internal import Notation

/// A value as an edit writes it into a profile: a word or number, a mapping, or a list.
///
/// Compared without style, so that `{frames: 2}` and the same on lines of its own are equal, and nothing is rewritten.
indirect enum ProfileValue: Hashable, Sendable {
    case word(String)
    case mapping([Entry])
    case list([ProfileValue])

    /// A key and its value.
    struct Entry: Hashable, Sendable {
        var key: String
        var value: ProfileValue
    }

    /// A mapping of words, in order.
    static func words(_ entries: KeyValuePairs<String, String>) -> ProfileValue {
        .mapping(entries.map { Entry(key: $0.key, value: .word($0.value)) })
    }

    /// What a node holds, without its style; scalars are their text, quoted or not.
    init(_ node: YAMLNode) {
        switch node.content {
        case .scalar(let scalar): self = .word(scalar.text)
        case .sequence(let elements): self = .list(elements.map { ProfileValue($0) })
        case .mapping(let entries):
            self = .mapping(entries.map { Entry(key: $0.key, value: ProfileValue($0.value)) })
        }
    }

    /// The value on one line, in YAML's flow style; words are written as they are, so they must need no quotes.
    var text: String {
        switch self {
        case .word(let text): text
        case .mapping(let entries):
            "{" + entries.map { "\($0.key): \($0.value.text)" }.joined(separator: ", ") + "}"
        case .list(let elements): "[" + elements.map(\.text).joined(separator: ", ") + "]"
        }
    }
}
