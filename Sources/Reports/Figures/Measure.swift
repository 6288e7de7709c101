internal import Devices
internal import Timebase

/// What a number of a report means, and how it is written.
///
/// Everything is written from whole numbers, so that a report is the same text on every machine.
enum Measure: Sendable {
    /// Nanoseconds.
    case time
    /// Thousandths of a code of the sensor.
    case luma
    /// Thousandths of a degree Celsius.
    case temperature

    /// A number as people read it, four digits of it.
    ///
    /// Luminance has no sign: a mean is never below zero.
    func text(_ value: Int64) -> String {
        switch self {
        case .time: Self.time(value)
        case .luma: Self.rounded(value.magnitude, unit: 1_000)
        case .temperature:
            (value < 0 ? "-" : "") + Self.rounded(value.magnitude, unit: 1_000) + " degC"
        }
    }

    /// What its numbers count.
    ///
    /// As JSON names it; ``text(_:)`` has chosen another one by the size of the number.
    var unit: String {
        switch self {
        case .time: "ns"
        case .luma: "1/1000 pixel value"
        case .temperature: "1/1000 degC"
        }
    }

    /// What stands at the axis of a drawing.
    var axis: String {
        switch self {
        case .time: "time"
        case .luma: "mean pixel value"
        case .temperature: "temperature"
        }
    }

    /// A span of nanoseconds in its own unit: `33.33 ms`.
    ///
    /// Seconds, milliseconds, microseconds (`us`) or nanoseconds: the largest that leaves at least one before the
    /// point.
    static func time(_ nanoseconds: Int64) -> String {
        let magnitude = nanoseconds.magnitude
        let (unit, name): (UInt64, String) =
            switch magnitude {
            case 1_000_000_000...: (1_000_000_000, "s")
            case 1_000_000...: (1_000_000, "ms")
            case 1_000...: (1_000, "us")
            default: (1, "ns")
            }
        return (nanoseconds < 0 ? "-" : "") + rounded(magnitude, unit: unit) + " " + name
    }

    /// A span with its sign: `+12.5 us`.
    ///
    /// Zero has none.
    static func signedTime(_ nanoseconds: Int64) -> String {
        (nanoseconds > 0 ? "+" : "") + time(nanoseconds)
    }

    /// `value / unit` with four digits at least before and behind the point, rounded half up.
    ///
    /// - Parameters:
    ///   - value: in the smaller unit.
    ///   - unit: how many of those make one, a power of ten.
    static func rounded(_ value: UInt64, unit: UInt64) -> String {
        var place = unit
        var digits = "\(value / unit)".utf8.count
        while digits < 4, place > 1 {
            place /= 10
            digits += 1
        }
        return decimalText((value + place / 2) / place * place, unit: unit)
    }

    /// A point of session time in seconds with milliseconds: `12.345 s`.
    ///
    /// Cut off and not rounded, so that moments never stand behind what happened after them.
    static func moment(_ time: Instant<Session>) -> String {
        let milliseconds = time.nanoseconds.magnitude / 1_000_000
        let rest = "\(milliseconds % 1_000)"
        let zeros = String(repeating: "0", count: 3 - rest.utf8.count)
        let sign = time.nanoseconds < 0 ? "-" : ""
        return "\(sign)\(milliseconds / 1_000).\(zeros)\(rest) s"
    }

    /// A part of a whole in percent: `12.5 %`.
    ///
    /// To a thousandth of a percent, rounded half up; `-` of nothing.
    static func percent(_ part: Int64, of whole: Int64) -> String {
        guard whole > 0 else { return "-" }
        let thousandths = (Int128(part) * 100_000 + Int128(whole) / 2) / Int128(whole)
        return decimalText(UInt64(thousandths.magnitude), unit: 1_000) + " %"
    }
}
