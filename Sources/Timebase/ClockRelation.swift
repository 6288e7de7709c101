/// How one clock reads when another shows a given time, with a guaranteed bound.
///
/// Today's relations are a constant offset, known exactly (monotonic to session) or within a sandwich of readings
/// (monotonic to realtime). Drifting device clocks will add a rate; conversions already return a bound.
public struct ClockRelation<From: ClockDomain, To: ClockDomain>: Hashable, Sendable {
    /// What is added to a reading of `From`.
    public let offset: Interval
    /// Half the width of the interval that surely holds the true offset.
    public let halfWidth: Interval

    /// Creates a relation from an offset and its bound.
    public init(offset: Interval, halfWidth: Interval = .zero) {
        precondition(halfWidth >= .zero, "a half-width is not negative")
        self.offset = offset
        self.halfWidth = halfWidth
    }

    /// Creates a relation from one sandwich: `from` before, `to`, `from` after.
    ///
    /// The true offset lies between `to − after` and `to − before`; the estimate is the middle.
    ///
    /// - Parameter resolution: of both clocks: either shows a time that may be a step ago.
    public init(
        before: Instant<From>, reading: Instant<To>, after: Instant<From>,
        resolution: ClockResolution = .nanosecond
    ) {
        let width = after.nanoseconds - before.nanoseconds
        precondition(width >= 0, "the second reading of a sandwich is not before the first")
        let middle = before.nanoseconds + width / 2
        self.init(
            offset: Interval(nanoseconds: reading.nanoseconds - middle),
            halfWidth: Interval(nanoseconds: width / 2 + width % 2) + resolution.excess)
    }

    /// Converts a reading; the bound grows by the relation's own.
    public func convert(_ reading: BoundedInstant<From>) -> BoundedInstant<To> {
        BoundedInstant(
            Instant(nanoseconds: reading.instant.nanoseconds + offset.nanoseconds),
            halfWidth: reading.halfWidth + halfWidth)
    }
}

extension ClockRelation where From == Monotonic, To == Session {
    /// The exact relation of a session that starts at `epoch`.
    public init(sessionStart epoch: Instant<Monotonic>) {
        self.init(offset: Interval(nanoseconds: -epoch.nanoseconds))
    }
}
