/// A signed span of time in whole nanoseconds.
///
/// Range ±292 years; arithmetic traps on overflow, in release builds too.
public struct Interval: BitwiseCopyable, Hashable, Comparable, Sendable {
    /// The span in nanoseconds.
    public var nanoseconds: Int64

    /// No time at all.
    public static let zero = Interval(nanoseconds: 0)

    /// Creates a span from nanoseconds.
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// A span of nanoseconds.
    public static func nanoseconds(_ count: Int64) -> Interval { Interval(nanoseconds: count) }
    /// A span of microseconds.
    public static func microseconds(_ count: Int64) -> Interval {
        Interval(nanoseconds: count * 1_000)
    }
    /// A span of milliseconds.
    public static func milliseconds(_ count: Int64) -> Interval {
        Interval(nanoseconds: count * 1_000_000)
    }
    /// A span of seconds.
    public static func seconds(_ count: Int64) -> Interval {
        Interval(nanoseconds: count * 1_000_000_000)
    }

    /// Orders spans by length, negative ones first.
    public static func < (a: Interval, b: Interval) -> Bool { a.nanoseconds < b.nanoseconds }
    /// The sum of two spans.
    public static func + (a: Interval, b: Interval) -> Interval {
        Interval(nanoseconds: a.nanoseconds + b.nanoseconds)
    }
    /// The difference of two spans.
    public static func - (a: Interval, b: Interval) -> Interval {
        Interval(nanoseconds: a.nanoseconds - b.nanoseconds)
    }
    /// A span repeated a number of times.
    public static func * (a: Interval, count: Int64) -> Interval {
        Interval(nanoseconds: a.nanoseconds * count)
    }
    /// A span divided into equal parts, rounded towards zero.
    public static func / (a: Interval, parts: Int64) -> Interval {
        Interval(nanoseconds: a.nanoseconds / parts)
    }
    /// Adds a span in place.
    public static func += (a: inout Interval, b: Interval) { a = a + b }
}

extension Interval: CustomStringConvertible {
    /// The span in the largest unit that shows it exactly: `8 ms`, `1.5 s`, `250 us`, `7 ns`.
    public var description: String {
        let magnitude = nanoseconds.magnitude
        let (unit, name): (UInt64, String) =
            switch magnitude {
            case 0: (1_000_000_000, "s")
            case 1_000_000_000...: (1_000_000_000, "s")
            case 1_000_000...: (1_000_000, "ms")
            case 1_000...: (1_000, "us")
            default: (1, "ns")
            }
        let sign = nanoseconds < 0 ? "-" : ""
        return "\(sign)\(decimalText(magnitude, unit: unit)) \(name)"
    }
}

extension Interval {
    /// As people write how long something takes: `850 ms`, `12.3 s`, `3 min 20 s`, `2 h 5 min`, `115 d 18 h`; rounded.
    public var roundedText: String {
        let magnitude = Int128(nanoseconds.magnitude)
        func rounded(_ unit: Int128) -> Int128 { (magnitude + unit / 2) / unit }
        let (milliseconds, tenths) = (rounded(1_000_000), rounded(100_000_000))
        let (seconds, minutes) = (rounded(1_000_000_000), rounded(60_000_000_000))
        let hours = rounded(3_600_000_000_000)
        let text =
            switch true {
            case milliseconds < 1_000: "\(milliseconds) ms"
            case tenths < 600: "\(tenths / 10).\(tenths % 10) s"
            case seconds < 3_600: "\(seconds / 60) min \(seconds % 60) s"
            case minutes < 1_440: "\(minutes / 60) h \(minutes % 60) min"
            case magnitude < Int128(Int64.max): "\(hours / 24) d \(hours % 24) h"
            // The longest that there is stands for all that is longer.
            default: "over 292 years"
            }
        return nanoseconds < 0 ? "-" + text : text
    }
}

/// Writes `value / unit` as an exact decimal; `unit` is a power of ten.
///
/// - Parameters:
///   - value: the count of the smallest parts.
///   - unit: how many of them make one whole, 1 to 10^18.
/// - Returns: text such as `12`, `0.25`; no trailing zeros.
public func decimalText(_ value: UInt64, unit: UInt64) -> String {
    let whole = value / unit
    var rest = value % unit
    if rest == 0 { return "\(whole)" }
    var digits = ""
    var place = unit / 10
    while rest > 0 {
        digits += "\(rest / place)"
        rest %= place
        place /= 10
    }
    return "\(whole).\(digits)"
}
