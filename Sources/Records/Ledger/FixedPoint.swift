internal import Timebase

/// Decimals computed in integers, so that they are the same on every machine.
///
/// `places` is a number of decimal places, 0 to 18.
package enum FixedPoint {
    /// `part / whole` with a number of decimal places, the last one rounded half up; nil for `whole` zero.
    ///
    /// - Precondition: `part` × 10^places fits into 64 bits.
    static func ratio(_ part: UInt64, _ whole: UInt64, places: Int) -> Int64? {
        guard whole > 0 else { return nil }
        return Int64((part * power(places) + whole / 2) / whole)
    }

    /// Text with exactly that many places: 1500 thousandths are `1.500`.
    ///
    /// Zeros stay at the end, so that all rows of a column are alike.
    static func text(_ value: Int64, places: Int) -> String {
        let unit = power(places)
        let digits = "\(value.magnitude % unit)"
        let zeros = String(repeating: "0", count: places - digits.utf8.count)
        return "\(value < 0 ? "-" : "")\(value.magnitude / unit).\(zeros)\(digits)"
    }

    /// The shortest exact text: 1500 thousandths are `1.5`.
    package static func shortText(_ value: Int64, places: Int) -> String {
        (value < 0 ? "-" : "") + decimalText(value.magnitude, unit: power(places))
    }

    /// Reads a decimal with at most that many places; nil if it is none, or too large.
    ///
    /// No sign but `-`, no exponent, no spaces, and a digit on both sides of a point.
    static func parse(_ text: some StringProtocol, places: Int) -> Int64? {
        let isNegative = text.utf8.first == UInt8(ascii: "-")
        var value: Int64 = 0
        var placesLeft: Int?
        var digits = 0
        for byte in text.utf8.dropFirst(isNegative ? 1 : 0) {
            if byte == UInt8(ascii: "."), placesLeft == nil, digits > 0 {
                placesLeft = places
                continue
            }
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            if let left = placesLeft {
                guard left > 0 else { return nil }
                placesLeft = left - 1
            }
            digits += 1
            guard let next = appending(byte - UInt8(ascii: "0"), to: value) else { return nil }
            value = next
        }
        guard digits > 0, placesLeft != places else { return nil }
        for _ in 0..<(placesLeft ?? places) {
            guard let next = appending(0, to: value) else { return nil }
            value = next
        }
        return isNegative ? -value : value
    }

    /// The number with one more digit at its end; nil beyond 63 bits.
    private static func appending(_ digit: UInt8, to value: Int64) -> Int64? {
        let (product, overflow) = value.multipliedReportingOverflow(by: 10)
        let (sum, carry) = product.addingReportingOverflow(Int64(digit))
        return overflow || carry ? nil : sum
    }

    private static func power(_ places: Int) -> UInt64 {
        (0..<places).reduce(1) { power, _ in power * 10 }
    }
}
