public import Timebase

/// How far what a raw sensor counts in its own clock, exposures and the readout of rows, can be off on the host's.
public enum SensorClock {
    /// Crystals of sensors and boards are specified to ±20…50 parts per million each.
    package static let crystalPerMillion: Int64 = 100
    /// How fast NTP slews the monotonic clock beside that (the kernel's limit).
    static let slewPerMillion: Int64 = 500
    /// Both, in parts per million.
    public static let tolerancePerMillion = crystalPerMillion + slewPerMillion

    /// What a span of so many nanoseconds, 0 to 10^15, can be off by; no less than a nanosecond.
    package static func doubt(of span: Int64) -> Int64 {
        span * tolerancePerMillion / 1_000_000 + 1
    }
}

extension Interval {
    /// So many parts in a million of it, whatever its sign, rounded up.
    public func magnitude(partsPerMillion: Int64) -> Interval {
        let product = Int128(nanoseconds.magnitude) * Int128(partsPerMillion)
        return Interval(nanoseconds: Int64((product + 999_999) / 1_000_000))
    }
}
