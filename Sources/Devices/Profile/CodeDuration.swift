public import Timebase

/// The exact duration of one code of a control: 100 µs for USB cameras, a line of the present mode for raw sensors.
///
/// A ratio, because a line of 12,740 pixels at 840 MHz is no whole number of picoseconds, and a long exposure has
/// millions of lines.
public struct CodeDuration: Hashable, Sendable {
    /// Picoseconds of ``divisor`` codes; positive.
    public let picoseconds: Int64
    /// Codes that take ``picoseconds``; positive.
    public let divisor: Int64

    /// Creates a duration in lowest terms.
    ///
    /// - Parameters:
    ///   - picoseconds: positive.
    ///   - divisor: positive.
    public init(picoseconds: Int64, dividedBy divisor: Int64 = 1) {
        precondition(picoseconds > 0 && divisor > 0, "a code has a duration")
        var (a, b) = (picoseconds, divisor)
        while b != 0 { (a, b) = (b, a % b) }
        self.picoseconds = picoseconds / a
        self.divisor = divisor / a
    }

    /// The time of one line: `pixels / pixelRate`.
    ///
    /// - Parameters:
    ///   - pixels: pixels of a line with its blanking.
    ///   - pixelRateHertz: pixels in a second.
    /// - Returns: nil unless there are 1…9,000,000 pixels and at least one in a second; both may come from a device.
    public init?(linePixels pixels: Int64, pixelRateHertz: Int64) {
        guard (1...9_000_000).contains(pixels), pixelRateHertz >= 1 else { return nil }
        self.init(picoseconds: pixels * 1_000_000_000_000, dividedBy: pixelRateHertz)
    }

    /// The duration of a number of codes, rounded to the nearest nanosecond; half goes up.
    ///
    /// What no time can hold counts as the longest one.
    public func duration(ofCodes count: Int64) -> Interval {
        Interval(
            nanoseconds: rounded(Int128(count) * Int128(picoseconds), over: Int128(divisor) * 1_000)
        )
    }
}
