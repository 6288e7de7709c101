/// How a range's values lie.
enum RangeSpacing: String, CaseIterable, Sendable {
    /// Equal differences.
    case linear
    /// Each value twice the one before, or half of it.
    case octaves
}

/// Values from one to another, both included.
struct WholeRange: Sendable {
    let from: Int64
    let to: Int64
    let count: Int
    let spacing: RangeSpacing

    /// The value of an index below `count`, rounded half away from zero.
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
