/// A property that has to hold for every seed.
public protocol Proof: Sendable {
    /// By which `framelock-prove` calls it.
    static var name: String { get }
    /// What holds, in a sentence.
    static var claim: String { get }
    /// How many cases `framelock-prove` tries.
    static var caseCount: Int { get }

    /// Creates the proof's tally.
    init()

    /// Tries some cases and adds them to the tally; in order, from the first.
    ///
    /// - Returns: what does not hold, each with its seed; empty if all is well.
    mutating func run(cases: Range<Int>) throws -> [String]

    /// Figures that the cases so far amount to, for the record; a line each.
    var figures: [String] { get }
}

extension Proof {
    /// No figures.
    public var figures: [String] { [] }
}
