/// Why a text is not the quantity that is wanted, in words for the person who wrote it.
///
/// Knows no file: the decoder shows it at the scalar, the command line behind the option's name.
public struct QuantityProblem: Error, Hashable, Sendable {
    /// A stable word, for example `missing-unit`.
    public var id: String
    /// What is wrong, lower-case, without a final full stop.
    public var message: String
    /// A right example, or what to write instead; nil where there is none.
    public var hint: String?
    /// The part of the text that is meant, in Unicode scalars from 0.
    public var part: Range<Int>

    /// Creates a problem.
    public init(_ id: String, _ message: String, hint: String?, part: Range<Int>) {
        self.id = id
        self.message = message
        self.hint = hint
        self.part = part
    }
}

/// What a quantity is called and what a right one looks like, for messages.
struct QuantityKind: Sendable {
    /// With article: `a duration`.
    let noun: String
    /// A right example: `8 ms`.
    let example: String
    /// The units in the order in which people learn them; empty for plain numbers.
    let units: [String]
    /// Units that people write instead, and what they mean by them.
    let aliases: [(written: String, meant: String)]

    init(
        _ noun: String, example: String, units: [String] = [],
        aliases: [(written: String, meant: String)] = []
    ) {
        self.noun = noun
        self.example = example
        self.units = units
        self.aliases = aliases
    }

    /// The way out that always fits: an example, and the units where there are several.
    var hint: String { "write for example `\(example)`\(unitList)" }

    /// All units, for hints; empty where there is nothing to choose.
    var unitList: String {
        units.count > 1 ? "; the units are " + units.joined(separator: ", ") : ""
    }

    /// The units that are meant most often where one was forgotten.
    var usualUnits: [String] {
        let usual = units.filter { ["ms", "s", "um"].contains($0) }
        return usual.isEmpty ? Array(units.prefix(1)) : usual
    }
}
