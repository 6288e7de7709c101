/// A small seeded generator of random numbers (Steele, Lea, Flood 2014): same seed, same numbers, everywhere.
public struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Creates a generator.
    public init(seed: UInt64) {
        state = seed
    }

    /// The next 64 random bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
        bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
        return bits ^ (bits >> 31)
    }

    /// A generator of its own for each part of the simulation, so that parts do not disturb each other's numbers.
    ///
    /// The generator itself goes on as if nothing had been asked.
    ///
    /// - Parameter part: the part's number; each user in this module has another one.
    func split(_ part: UInt64) -> SplitMix64 {
        var copy = self
        copy.state ^= part &* 0xd134_2543_de82_ef95
        return SplitMix64(seed: copy.next())
    }

    /// Whether something happens that has this chance in a million.
    ///
    /// Always takes one number from the generator, whatever the chance.
    mutating func happens(chancePerMillion: Int) -> Bool {
        Int(next() % 1_000_000) < chancePerMillion
    }
}
