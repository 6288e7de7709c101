/// A number as it was written, without sign: `digits × 10^−scale`, exact.
struct DecimalNumber: Hashable, Sendable {
    /// More digits than this are refused; it keeps every product below in 128 bits.
    static let maximumDigits = 24

    /// The digits read as one whole number.
    var digits: UInt128
    /// How many of the digits stand behind the point.
    var scale: Int

    /// 10 to the power of a number of digits.
    static func power(_ count: Int) -> UInt128 {
        precondition((0...maximumDigits).contains(count), "more digits than a number may have")
        var power: UInt128 = 1
        for _ in 0..<count { power *= 10 }
        return power
    }

    /// What a number times a unit comes to, in the smallest parts that are counted.
    enum Parts: Hashable {
        /// A whole count that fits.
        case exact(Int64)
        /// The number has digits below the smallest part.
        case tooFine
        /// The count does not fit.
        case tooLarge
    }

    /// The number in parts of which `partsPerUnit` (at most 10^13) make one.
    func parts(_ partsPerUnit: UInt128) -> Parts {
        let product = digits * partsPerUnit
        let divisor = Self.power(scale)
        let count = product / divisor
        guard count <= UInt128(Int64.max) else { return .tooLarge }
        guard product % divisor == 0 else { return .tooFine }
        return .exact(Int64(count))
    }

    /// The number as a whole; nil if it has a fraction or does not fit.
    var whole: Int64? {
        if case .exact(let count) = parts(1) { count } else { nil }
    }
}
