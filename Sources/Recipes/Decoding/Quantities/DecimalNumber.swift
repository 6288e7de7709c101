/// A number as it was written, without sign: `digits × 10^−scale`, exact.
///
/// Numbers of files become counts of the smallest part (nanoseconds, millionths) without passing through floating
/// point, so that the same text is the same plan on every machine.
struct DecimalNumber: Hashable, Sendable {
    /// More digits than this are refused; it keeps every product below in 128 bits.
    static let maximumDigits = 24

    /// The digits read as one whole number.
    var digits: UInt128
    /// How many of the digits stand behind the point, 0…24.
    var scale: Int

    /// 10 to the power of a number of digits, which must be 0…24.
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
        /// The number has digits below the smallest part: it is refused rather than rounded.
        case tooFine
        /// The count does not fit into 64 bits with sign.
        case tooLarge
    }

    /// The number in parts of which `partsPerUnit` (at most 10^13) make one.
    ///
    /// 10^24 times 10^13 fits into 128 bits, so nothing overflows.
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
