/// By how much one clock is faster than another, as an exact decimal fraction.
///
/// In parts of 10^15, so that a day's error by rounding is below a tenth of a nanosecond.
public struct ClockRate: BitwiseCopyable, Hashable, Comparable, Sendable {
    /// How many parts make one: 10^15.
    public static let unit: Int64 = 1_000_000_000_000_000

    /// The rate less one, in parts of 10^15.
    public var excessFemto: Int64

    /// Creates a rate from its difference to one in parts of 10^15.
    public init(excessFemto: Int64) {
        self.excessFemto = excessFemto
    }

    /// A rate that differs from one by parts per billion.
    public static func partsPerBillion(_ count: Int64) -> ClockRate {
        ClockRate(excessFemto: count * 1_000_000)
    }

    /// Orders rates, slow clocks first.
    public static func < (a: ClockRate, b: ClockRate) -> Bool { a.excessFemto < b.excessFemto }
}

extension ClockRate: CustomStringConvertible {
    /// The rate's difference to one, for example `-12.5 ppm`.
    public var description: String {
        let sign = excessFemto < 0 ? "-" : ""
        return "\(sign)\(decimalText(excessFemto.magnitude, unit: 1_000_000_000)) ppm"
    }
}
