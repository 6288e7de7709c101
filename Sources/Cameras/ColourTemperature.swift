/// The correlated colour temperature of a chromaticity by McCamy's formula (1992), in whole kelvin.
///
/// `n = (x − 0.3320) / (0.1858 − y)`, `CCT = 449 n³ + 3525 n² + 6823.3 n + 5520.33`; computed in integers, so that
/// plans are the same everywhere. D65 (0.3127, 0.3290) gives 6505 K.
///
/// - Returns: nil outside 2,000…12,500 K, where the formula is not good, and more than 0.05 from the black body in
///   CIE 1960 (u, v), where a light has no colour temperature: a formula gives one to a red lamp too.
public func correlatedColourTemperature(xMillionths x: Int64, yMillionths y: Int64) -> Int64? {
    let coordinates: ClosedRange<Int64> = 0...1_000_000
    guard coordinates.contains(x), coordinates.contains(y), y != 185_800 else { return nil }
    let one: Int128 = 1_000_000_000
    let n = Int128(x - 332_000) * one / Int128(185_800 - y)
    guard n.magnitude < 10 * one else { return nil }
    let squared = n * n / one
    let cubed = squared * n / one
    let hundredths = 44_900 * cubed + 352_500 * squared + 682_330 * n + 552_033 * one
    let kelvin = rounded(hundredths, over: one * 100)
    guard (2_000...12_500).contains(kelvin) else { return nil }
    let (light, body) = (UniformChromaticity(x: x, y: y), UniformChromaticity(blackBody: kelvin))
    return light.isNear(body) ? kelvin : nil
}

/// A chromaticity in CIE 1960 (u, v), in thousandths of a millionth.
private struct UniformChromaticity {
    private static let one: Int128 = 1_000_000_000
    private let u: Int128
    private let v: Int128

    /// From CIE 1931 (x, y) in millionths: `u = 4x / (−2x + 12y + 3)`, `v = 6y / (−2x + 12y + 3)`.
    init(x: Int64, y: Int64) {
        let denominator = Int128(-2 * x + 12 * y + 3_000_000)
        u = 4 * Int128(x) * Self.one / denominator
        v = 6 * Int128(y) * Self.one / denominator
    }

    /// The black body of a temperature from 1,000 K to 15,000 K (Krystek 1985).
    init(blackBody kelvin: Int64) {
        let t = Int128(kelvin)
        func quotient(_ over: [Int128], _ under: [Int128]) -> Int128 {
            // Coefficients of 1, T and T², in 10^−17.
            (over[0] + over[1] * t + over[2] * t * t) * Self.one
                / (under[0] + under[1] * t + under[2] * t * t)
        }
        u = quotient(
            [86_011_775_700_000_000, 15_411_825_400_000, 12_864_121_200],
            [100_000_000_000_000_000, 84_242_023_500_000, 70_814_516_300])
        v = quotient(
            [31_739_872_600_000_000, 4_228_062_450_000, 4_204_816_910],
            [100_000_000_000_000_000, -2_897_418_160_000, 16_145_605_300])
    }

    /// Whether two are at most 0.05 apart, as far as a colour temperature has a meaning (CIE 15).
    func isNear(_ other: UniformChromaticity) -> Bool {
        let (du, dv) = (u - other.u, v - other.v)
        return du * du + dv * dv <= 50_000_000 * 50_000_000
    }
}
