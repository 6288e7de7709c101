/// A point on one clock, in whole nanoseconds since that clock's own zero.
///
/// Only `Instant − Instant → Interval` and `Instant ± Interval → Instant` exist, within one clock. Crossing clocks goes
/// through a ``ClockRelation``.
public struct Instant<Domain: ClockDomain>: BitwiseCopyable, Hashable, Comparable, Sendable {
    /// Nanoseconds since the clock's zero.
    public var nanoseconds: Int64

    /// Creates an instant from a reading of the clock in nanoseconds.
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// Later than every reading: "no deadline".
    public static var distantFuture: Instant { Instant(nanoseconds: Int64.max / 2) }
    /// Earlier than every reading: "at once".
    public static var distantPast: Instant { Instant(nanoseconds: Int64.min / 2) }

    /// Orders instants of one clock by time.
    public static func < (a: Instant, b: Instant) -> Bool { a.nanoseconds < b.nanoseconds }
    /// The span from `b` to `a`.
    public static func - (a: Instant, b: Instant) -> Interval {
        Interval(nanoseconds: a.nanoseconds - b.nanoseconds)
    }
    /// The instant a span later.
    public static func + (a: Instant, b: Interval) -> Instant {
        Instant(nanoseconds: a.nanoseconds + b.nanoseconds)
    }
    /// The instant a span earlier.
    public static func - (a: Instant, b: Interval) -> Instant {
        Instant(nanoseconds: a.nanoseconds - b.nanoseconds)
    }
}

/// An instant that is known to lie within a half-width on either side.
public struct BoundedInstant<Domain: ClockDomain>: BitwiseCopyable, Hashable, Sendable {
    /// The middle of the interval.
    public var instant: Instant<Domain>
    /// Half the width of the interval that surely holds the truth; not negative.
    public var halfWidth: Interval

    /// Creates an instant with its guaranteed bound.
    public init(_ instant: Instant<Domain>, halfWidth: Interval) {
        precondition(halfWidth >= .zero, "a half-width is not negative")
        self.instant = instant
        self.halfWidth = halfWidth
    }
}
