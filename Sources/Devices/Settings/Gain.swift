internal import Timebase

/// A linear gain in millionths: 1,000,000 is 1×.
///
/// Never a floating-point number.
public struct Gain: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The gain in millionths, not negative.
    public let millionths: Int64

    /// A gain of one.
    public static let unity = Gain(millionths: 1_000_000)

    /// Creates a gain from millionths.
    public init(millionths: Int64) {
        precondition(millionths >= 0, "a gain is not negative")
        self.millionths = millionths
    }

    /// Orders gains by size.
    public static func < (a: Gain, b: Gain) -> Bool { a.millionths < b.millionths }

    /// The factor as exact decimal text, for example `2` or `1.9953`.
    public var decimal: String { decimalText(UInt64(millionths), unit: 1_000_000) }

    /// The gain as it is written in recipes, for example `2x`.
    public var description: String { "\(decimal)x" }
}

/// A lens position in millionths of the range: 0 is nearest, 1,000,000 farthest (which need not be infinity).
public struct LensPosition: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The position in millionths, 0…1,000,000.
    public let millionths: Int64

    /// Creates a position; nil outside 0…1,000,000.
    public init?(millionths: Int64) {
        guard (0...1_000_000).contains(millionths) else { return nil }
        self.millionths = millionths
    }

    /// Orders positions from near to far.
    public static func < (a: LensPosition, b: LensPosition) -> Bool {
        a.millionths < b.millionths
    }

    /// The position as exact decimal text, for example `0.42`.
    public var decimal: String { decimalText(UInt64(millionths), unit: 1_000_000) }
    /// The same as ``decimal``.
    public var description: String { decimal }
}
