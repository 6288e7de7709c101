internal import Timebase

/// A temperature of matter, not of light: 1000 is 1 degC.
public struct Temperature: BitwiseCopyable, Hashable, Comparable, Sendable, CustomStringConvertible
{
    /// Thousandths of a degree Celsius.
    public let millidegrees: Int64

    /// Creates a temperature from thousandths of a degree Celsius.
    public init(millidegrees: Int64) { self.millidegrees = millidegrees }

    /// Orders from cold to hot.
    public static func < (a: Temperature, b: Temperature) -> Bool {
        a.millidegrees < b.millidegrees
    }

    /// The temperature as it is written in recipes, for example `61.5 degC`.
    public var description: String {
        (millidegrees < 0 ? "-" : "") + decimalText(millidegrees.magnitude, unit: 1_000) + " degC"
    }
}
