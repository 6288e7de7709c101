/// What may stand somewhere in a file: the definition from which texts are checked and JSON Schemas are made.
///
/// A value without any reader in it: printed by ``SchemaPrinter``, and walked by the test that writes the reference.
indirect enum ValueShape: Sendable {
    /// A text or number of a form.
    case scalar(ScalarShape)
    /// One of a few words.
    case choice([String])
    /// A mapping with known keys; any other key is refused.
    case mapping(MappingShape)
    /// A mapping with names for keys, all of one kind.
    case table(of: ValueShape, keys: ScalarShape)
    /// A list of a length within limits, of one kind of entry.
    case list(of: ValueShape, count: ClosedRange<Int>)
    /// Any of several.
    case either([ValueShape])
    /// No value: `NAME:` alone.
    case nothing
    /// A shape that is defined elsewhere, by its name in `$defs`; makes shapes recursive.
    case reference(String)
}

/// What a scalar looks like: for editors by its pattern or limits, for people by noun and summary.
///
/// Limits of quantities with units are not in the pattern: only the reader has them.
struct ScalarShape: Sendable {
    /// How JSON's types see the scalar once YAML has read it.
    enum Kind: Sendable {
        /// A text of a pattern (ECMA 262, unanchored), any text where it is nil.
        case text(pattern: String?)
        /// A whole number.
        case integer(ClosedRange<Int64>)
        /// A number, by the decimal texts of its limits.
        case number(from: String, to: String)
        /// `true` or `false`.
        case boolean
        /// A whole number, or a text of a pattern.
        case integerOrText(ClosedRange<Int64>, pattern: String)
    }

    /// The name in `$defs`; two shapes of one name must be the same.
    let name: String
    /// What it is, with article, for messages: `a duration`.
    ///
    /// They read "takes a duration", so it is lower-case.
    let noun: String
    /// A sentence for people, with an example.
    let summary: String
    /// What it looks like.
    let kind: Kind

    init(_ name: String, _ noun: String, _ kind: Kind, _ summary: String) {
        self.name = name
        self.noun = noun
        self.kind = kind
        self.summary = summary
    }
}

/// A mapping: its keys and what holds between them.
///
/// Rules are data, so that the schema states the same as the messages of ``MappingReader``.
struct MappingShape: Sendable {
    /// What holds between the keys of a mapping.
    enum Rule: Sendable {
        /// Keys of exactly one of the groups are there; the first of each group is the one that must be.
        ///
        /// With a companion of the mapping it is not reported that all are missing: its own rule states what it needs.
        case exactlyOne([[String]])
        /// Keys of at most one of the groups are there.
        case oneGroup([[String]])
        /// At least one of the keys is there.
        case atLeastOne([String])
        /// At most one of the keys is there.
        case atMostOne([String])
        /// All of the keys are there, or none.
        case together([String])
        /// The first key makes no sense without one of the others.
        case companion(String, of: [String])
    }

    /// What the mapping is, with article, for messages: `a step`.
    let noun: String
    /// The name in `$defs`; nil to write it out where it is used.
    ///
    /// Needed where a mapping contains itself, as steps do.
    let name: String?
    /// A sentence for people.
    let summary: String
    /// The keys in the order in which messages name them.
    let keys: [KeyShape]
    /// What holds between them.
    let rules: [Rule]

    /// Keys that make sense only beside others.
    var companions: [String] {
        rules.compactMap { rule in
            if case .companion(let name, _) = rule { name } else { nil }
        }
    }

    init(
        _ noun: String, name: String? = nil, _ summary: String, keys: [KeyShape],
        rules: [Rule] = []
    ) {
        self.noun = noun
        self.name = name
        self.summary = summary
        self.keys = keys
        self.rules = rules
    }
}

/// A key of a mapping, as schema and reference have it; ``Key`` adds how its value is read.
struct KeyShape: Sendable {
    /// The key as it is written.
    let name: String
    /// A sentence for people.
    let summary: String
    /// What it takes.
    let value: ValueShape
    /// Whether it must be there.
    let isRequired: Bool
}
