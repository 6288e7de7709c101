internal import CRealTime
public import Timebase

/// The host's clocks; reading them allocates and locks nothing.
public enum KernelClock {
    /// Readings of a sandwich: the narrowest of these is kept.
    public static let sandwichReadings = 9

    /// `CLOCK_MONOTONIC` now.
    @_noLocks
    public static func monotonicNanoseconds() -> Int64 { fl_monotonic_ns() }

    /// `CLOCK_MONOTONIC` now.
    public static func now() -> Instant<Monotonic> { Instant(nanoseconds: fl_monotonic_ns()) }

    /// `CLOCK_REALTIME` now.
    public static func realtime() -> Instant<Realtime> { Instant(nanoseconds: fl_realtime_ns()) }

    /// How the realtime clock stands against the monotonic one, from the narrowest of several sandwiches.
    public static func sandwich() -> ClockSandwich {
        var best = reading()
        for _ in 1..<sandwichReadings {
            let next = reading()
            if next.width < best.width { best = next }
        }
        return best
    }

    private static func reading() -> ClockSandwich {
        let before = now()
        let middle = realtime()
        return ClockSandwich(before: before, reading: middle, after: now())
    }
}

/// A reading of the realtime clock between two of the monotonic one, for the record.
public struct ClockSandwich: Hashable, Sendable {
    /// The monotonic clock before.
    public let before: Instant<Monotonic>
    /// The realtime clock.
    public let reading: Instant<Realtime>
    /// The monotonic clock after.
    public let after: Instant<Monotonic>

    /// The time that the readings took; bounds the relation.
    public var width: Interval { after - before }
    /// The relation that follows, with its bound.
    public var relation: ClockRelation<Monotonic, Realtime> {
        ClockRelation(before: before, reading: reading, after: after)
    }
}
