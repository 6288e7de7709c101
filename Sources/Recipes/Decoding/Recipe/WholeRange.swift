/// How a range's values lie; the raw values are the words of `spacing`.
enum RangeSpacing: String, CaseIterable, Sendable {
    /// Equal differences.
    case linear
    /// Each value twice the one before, or half of it.
    case octaves
}

/// Values from one to another, both included, counted in a setting's smallest part.
///
/// Integers throughout: both ends come out exactly, and the same on every machine.
struct WholeRange: Sendable {
    /// The first value; may be above ``to``.
    let from: Int64
    let to: Int64
    /// How many values, at least 2.
    let count: Int
    let spacing: RangeSpacing

    /// The value of an index below `count`, rounded half away from zero.
    ///
    /// Octaves are shifts, exact because ``RangeKeys`` has checked that they lead from one end to the other.
    subscript(index: Int) -> Int64 {
        precondition((0..<count).contains(index), "an index of the range")
        switch spacing {
        case .octaves: return from < to ? from << Int64(index) : from >> Int64(index)
        case .linear:
            // Settings that have ranges are never negative, so half away from zero is half upwards.
            let (parts, rest) = (Int128(count - 1), Int128(count - 1 - index))
            let sum = Int128(from) * rest + Int128(to) * Int128(index)
            return Int64((2 * sum + parts) / (2 * parts))
        }
    }
}
