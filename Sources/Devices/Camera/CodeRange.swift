/// Codes that a control takes.
public struct CodeRange: Hashable, Sendable {
    /// The smallest code.
    public var minimum: Int64
    /// The largest code that the steps reach.
    public var maximum: Int64
    /// The distance from one code to the next, from the smallest; at least 1.
    public var step: Int64

    /// Creates a range; a maximum between two steps counts as the lower one.
    public init(_ minimum: Int64, _ maximum: Int64, step: Int64 = 1) {
        precondition(minimum <= maximum && step >= 1, "a range of codes goes upwards")
        self.minimum = minimum
        self.maximum = maximum - Int64((Int128(maximum) - Int128(minimum)) % Int128(step))
        self.step = step
    }

    /// The code nearest to `code` (half goes up); nil outside the range.
    ///
    /// Half a step beyond an end counts as outside: a request is never moved to a limit in silence.
    public func nearest(_ code: Int64) -> Int64? { nearest(Int128(code), over: 1) }

    /// The code nearest to a quotient (half goes up), rounded once; nil outside the range.
    ///
    /// - Parameters:
    ///   - numerator: of magnitude below 2^100.
    ///   - denominator: positive.
    func nearest(_ numerator: Int128, over denominator: Int128) -> Int64? {
        guard numerator >= Int128(minimum) * denominator,
            numerator <= Int128(maximum) * denominator
        else { return nil }
        let width = Int128(step) * denominator
        let steps = (2 * (numerator - Int128(minimum) * denominator) + width) / (2 * width)
        return Int64(Int128(minimum) + steps * Int128(step))
    }

    /// Whether a number lies in the range; it need not be on a step.
    func contains(_ code: Int64) -> Bool { code >= minimum && code <= maximum }

    /// As ``nearest(_:over:)``, but a quotient outside counts as the end that it lies beyond.
    package func nearestInside(_ numerator: Int128, over denominator: Int128) -> Int64 {
        if numerator < Int128(minimum) * denominator { return minimum }
        return nearest(numerator, over: denominator) ?? maximum
    }
}
