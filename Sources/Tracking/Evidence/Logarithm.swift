/// The natural logarithm from basic operations alone, which are exact by standard: the same bits on every machine.
///
/// Within 1e-12 of the truth for finite positive numbers; −∞ for others.
func naturalLogarithm(_ x: Double) -> Double {
    guard x > 0, x.isFinite else { return -.infinity }
    // x = m · 2^e with m in 0.7 … 1.4; ln m = 2 · artanh((m − 1) / (m + 1)), whose series ends quickly there.
    var (m, e) = (x.significand, Double(x.exponent))
    if m > 1.414_213_562_373_095 { (m, e) = (m / 2, e + 1) }
    let z = (m - 1) / (m + 1)
    let square = z * z
    var (power, sum, n) = (z, 0.0, 1.0)
    while n < 22 {
        sum += power / n
        power *= square
        n += 2
    }
    return 2 * sum + e * 0.693_147_180_559_945_3
}

/// e to a power from basic operations alone, within 1e-12 of the truth; 0 below −700.
///
/// - Parameter x: at most 700.
func exponential(_ x: Double) -> Double {
    guard x > -700 else { return 0 }
    let powerOfTwo = (x / 0.693_147_180_559_945_3).rounded()
    let rest = x - powerOfTwo * 0.693_147_180_559_945_3
    var (term, sum, n) = (1.0, 1.0, 1.0)
    while n < 15 {
        term *= rest / n
        sum += term
        n += 1
    }
    return Double(sign: .plus, exponent: Int(min(powerOfTwo, 1_000)), significand: sum)
}

extension Double {
    /// −ln of a normal density at this distance from its mean, but for a constant.
    func cost(variance: Double) -> Double {
        0.5 * (self * self / variance + naturalLogarithm(variance))
    }
}
