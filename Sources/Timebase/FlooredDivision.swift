extension FixedWidthInteger where Self: SignedInteger {
    /// Quotient and remainder, the quotient rounded down: the remainder is never negative.
    ///
    /// - Parameter divisor: positive.
    @inlinable
    package func flooredQuotientAndRemainder(
        dividingBy divisor: Self
    ) -> (quotient: Self, remainder: Self) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
