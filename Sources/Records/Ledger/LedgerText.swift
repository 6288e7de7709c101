internal import Timebase

/// How a value stands in a field of the ledger, both ways.
///
/// Numbers are exact both ways: no text of the ledger passes through floating point.
struct LedgerText<Value>: Sendable {
    let write: @Sendable (Value) -> String
    /// Nil for what is never written.
    let read: @Sendable (String) -> Value?
}

extension LedgerText where Value: FixedWidthInteger & Sendable {
    /// In decimal digits.
    ///
    /// Also with a `+` or leading zeros: what is written otherwise is found when the row is written again.
    static var number: Self { Self(write: { "\($0)" }, read: { Value($0) }) }
}

extension LedgerText where Value == Int64 {
    /// The shortest exact decimal of a number of so many places: 1500 thousandths are `1.5`.
    static func decimal(places: Int) -> Self {
        Self(
            write: { FixedPoint.shortText($0, places: places) },
            read: { FixedPoint.parse($0, places: places) })
    }

    /// A decimal of exactly so many places: 1500 thousandths are `1.500`.
    static func fixed(places: Int) -> Self {
        Self(
            write: { FixedPoint.text($0, places: places) },
            read: { FixedPoint.parse($0, places: places) })
    }
}

extension LedgerText where Value == UInt32 {
    /// Eight hexadecimal digits, small letters.
    ///
    /// As many as a CRC-32C has; fewer and capital ones are read, and found when the row is written again.
    static var hexadecimal: Self {
        Self(
            write: { value in
                let digits = String(value, radix: 16)
                return String(repeating: "0", count: 8 - digits.utf8.count) + digits
            },
            read: { UInt32($0, radix: 16) })
    }
}

extension LedgerText where Value == Interval {
    /// Nanoseconds.
    static var nanoseconds: Self {
        Self(
            write: { "\($0.nanoseconds)" }, read: { Int64($0).map(Interval.init(nanoseconds:)) })
    }
}

extension LedgerText {
    /// Nanoseconds of a clock.
    static func instant<Clock: ClockDomain>() -> Self where Value == Instant<Clock> {
        Self(
            write: { "\($0.nanoseconds)" }, read: { Int64($0).map { Instant(nanoseconds: $0) } })
    }
}

extension LedgerText where Value: RawRepresentable<String> & SendableMetatype {
    /// The word of a case.
    static var word: Self { Self(write: { $0.rawValue }, read: { Value(rawValue: $0) }) }
}
