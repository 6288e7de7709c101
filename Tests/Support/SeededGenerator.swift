/// SplitMix64 (Steele, Lea, Flood 2014): the same numbers from the same seed on every machine.
///
/// For tests alone; the simulation has a generator of its own, since a check shares no code with what it checks.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Creates a generator.
    public init(seed: UInt64) {
        state = seed
    }

    /// The next 64 random bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    /// A number in a range.
    public mutating func number(_ range: ClosedRange<Int64>) -> Int64 {
        Int64.random(in: range, using: &self)
    }

    /// A number of any size up to `limit`: first how many bits, then which.
    public mutating func number(upTo limit: Int64) -> Int64 {
        let bits = Int.random(in: 1...63, using: &self)
        return min(limit, Int64(next() >> UInt64(64 - bits)))
    }

    /// A number below `limit`.
    public mutating func below(_ limit: Int) -> Int {
        Int.random(in: 0..<limit, using: &self)
    }

    /// One of the values.
    public mutating func element<Value>(of values: [Value]) -> Value {
        values[below(values.count)]
    }

    /// Whether something happens that has so many chances in a hundred.
    public mutating func chance(_ percent: Int64) -> Bool { number(0...99) < percent }
}
