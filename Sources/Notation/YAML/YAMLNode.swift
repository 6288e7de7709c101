/// A piece of a YAML document with its place in the file.
public struct YAMLNode: Sendable {
    /// What a node can be.
    public enum Content: Sendable {
        /// A text.
        case scalar(YAMLScalar)
        /// Nodes in order.
        case sequence([YAMLNode])
        /// Entries in order; no key comes twice.
        case mapping([YAMLEntry])
    }

    /// Where the node stands; of a block collection, from its first to the end of its last entry.
    public let range: SourceRange
    /// What the node is.
    public let content: Content

    /// A node at a place.
    public init(range: SourceRange, content: Content) {
        self.range = range
        self.content = content
    }

    /// The text, if this is a scalar.
    public var scalar: YAMLScalar? {
        if case .scalar(let scalar) = content { scalar } else { nil }
    }

    /// The elements, if this is a sequence.
    public var elements: [YAMLNode]? {
        if case .sequence(let elements) = content { elements } else { nil }
    }

    /// The entries, if this is a mapping.
    public var entries: [YAMLEntry]? {
        if case .mapping(let entries) = content { entries } else { nil }
    }

    /// The entry with that key, if this is a mapping that has one.
    public func entry(_ key: String) -> YAMLEntry? { entries?.first { $0.key == key } }

    /// Whether nothing was written here: `key:` without a value.
    public var isEmpty: Bool { scalar.map { $0.isPlain && $0.text.isEmpty } ?? false }

    /// What the node is, for messages: "a mapping", "a list", "a value" or "nothing".
    public var kind: String {
        switch content {
        case .scalar: isEmpty ? "nothing" : "a value"
        case .sequence: "a list"
        case .mapping: "a mapping"
        }
    }

    /// The place of a part of a plain scalar that stands on one line; otherwise the place of the node.
    ///
    /// - Parameter part: offsets into the text, in Unicode scalars from 0.
    public func range(of part: Range<Int>) -> SourceRange {
        guard let scalar, scalar.isPlain, range.start.line == range.end.line,
            range.end.column - range.start.column == scalar.text.unicodeScalars.count
        else { return range }
        let part = part.clamped(to: 0..<scalar.text.unicodeScalars.count)
        let start = SourcePosition(
            line: range.start.line, column: range.start.column + part.lowerBound)
        return SourceRange(at: start, columns: part.count)
    }
}

/// A text in a YAML document; what it means (number, quantity, truth value) is not decided here.
public struct YAMLScalar: Sendable, Hashable {
    /// The text after quotes, escapes and folding are resolved; never contains U+0000.
    public let text: String
    /// Whether it stands without quotes and is no `|` or `>` block.
    public let isPlain: Bool

    /// A scalar.
    public init(text: String, isPlain: Bool) {
        self.text = text
        self.isPlain = isPlain
    }
}

/// A key and its value.
public struct YAMLEntry: Sendable {
    /// The key's text.
    public let key: String
    /// Where the key stands.
    public let keyRange: SourceRange
    /// The value.
    public let value: YAMLNode

    /// An entry.
    public init(key: String, keyRange: SourceRange, value: YAMLNode) {
        self.key = key
        self.keyRange = keyRange
        self.value = value
    }
}
