/// What one look at two clocks shows of the relation between them: at most two constraints.
///
/// The relation `f` gives the second clock's time for the first's. A reading knows a point that `f` is not above, one
/// that it is not below, or both.
public struct ClockReading<From: ClockDomain, To: ClockDomain>: Hashable, Sendable {
    /// A time on each clock.
    public struct Point: BitwiseCopyable, Hashable, Sendable {
        /// On the first clock.
        public var from: Instant<From>
        /// On the second clock.
        public var to: Instant<To>

        /// Creates a point.
        public init(_ from: Instant<From>, _ to: Instant<To>) {
            self.from = from
            self.to = to
        }
    }

    /// The second clock shows no more than this at this time of the first; nil if there is no such bound.
    public var ceiling: Point?
    /// The second clock shows no less than this at this time of the first; nil if there is no such bound.
    public var floor: Point?

    /// Creates a reading from its constraints.
    public init(ceiling: Point?, floor: Point?) {
        self.ceiling = ceiling
        self.floor = floor
    }

    /// Creates a reading from a sandwich: first clock, second clock, first clock.
    ///
    /// A clock shows what it has fully counted, so the truth is up to a resolution later than each number.
    ///
    /// - Parameters:
    ///   - before: the first clock before the second was read.
    ///   - reading: the second clock.
    ///   - after: the first clock afterwards; not earlier than `before`.
    ///   - resolution: by how much the second clock advances at a time; 1 ns or more.
    ///   - first: the same of the first clock.
    /// - Returns: nil if `after` is earlier than `before`, or a number is too great to be added to.
    public init?(
        before: Instant<From>, reading: Instant<To>, after: Instant<From>,
        resolution: Interval = .nanoseconds(1), first: ClockResolution = .nanosecond
    ) {
        guard before <= after, let late = reading.adding(resolution),
            let end = after.adding(first.step)
        else { return nil }
        self.init(ceiling: Point(before, late), floor: Point(end, reading))
    }

    /// Creates a reading from a sandwich the other way round: second clock, first clock, second clock.
    ///
    /// - Parameters:
    ///   - reading: the first clock.
    ///   - start: the second clock before the first was read.
    ///   - end: the second clock afterwards; not earlier than `start`.
    ///   - resolution: by how much the first clock advances at a time; 1 ns or more. The second has 1 ns.
    /// - Returns: nil if `end` is earlier than `start`, or a number is too great to be added to.
    public init?(
        reading: Instant<From>, after start: Instant<To>, before end: Instant<To>,
        resolution: Interval = .nanoseconds(1)
    ) {
        guard start <= end, let late = reading.adding(resolution),
            let end = end.adding(.nanoseconds(1))
        else { return nil }
        self.init(ceiling: Point(reading, end), floor: Point(late, start))
    }

    /// Creates a reading from a timestamp of the first clock that came to the second one's host late, as USB packets
    /// do.
    ///
    /// - Parameters:
    ///   - timestamp: what the first clock timestamped.
    ///   - arrival: when the second clock's host had it: never early.
    ///   - longestDelay: how late it may be; nil if unknown, and then the reading has a ceiling alone.
    ///   - resolution: by how much the first clock advances at a time; 1 ns or more.
    ///   - second: the same of the second clock.
    /// - Returns: nil if a number is too great to be added to.
    public init?(
        timestamp: Instant<From>, arrival: Instant<To>, longestDelay: Interval? = nil,
        resolution: Interval = .nanoseconds(1), second: ClockResolution = .nanosecond
    ) {
        guard let late = timestamp.adding(resolution), let end = arrival.adding(second.step) else {
            return nil
        }
        self.init(ceiling: Point(timestamp, end), floor: nil)
        if let longestDelay {
            guard longestDelay >= .zero,
                let earliest = arrival.adding(.zero - longestDelay)
            else { return nil }
            floor = Point(late, earliest)
        }
    }

    /// The same look, from the second clock's side.
    public var reversed: ClockReading<To, From> {
        ClockReading<To, From>(
            ceiling: floor.map { ClockReading<To, From>.Point($0.to, $0.from) },
            floor: ceiling.map { ClockReading<To, From>.Point($0.to, $0.from) })
    }

    /// Whether its numbers leave room to reckon with them.
    var isCountable: Bool {
        [ceiling, floor].allSatisfy {
            ($0?.from.isCountable ?? true) && ($0?.to.isCountable ?? true)
        }
    }

    /// The latest time of the first clock that the reading bounds; nil if it bounds none.
    var time: Instant<From>? {
        guard let ceiling else { return floor?.from }
        return max(ceiling.from, floor?.from ?? ceiling.from)
    }
}

extension Instant {
    /// Whether it lies within 146 years of zero: products of spans between such instants fit into 128 bits.
    var isCountable: Bool { Self.distantPast <= self && self <= Self.distantFuture }

    /// The instant a span later; nil if the clock does not count that far.
    func adding(_ span: Interval) -> Instant? {
        let (sum, hasOverflowed) = nanoseconds.addingReportingOverflow(span.nanoseconds)
        return hasOverflowed ? nil : Instant(nanoseconds: sum)
    }

    /// The span from another instant; nil if it is longer than can be counted.
    func distance(from other: Instant) -> Interval? {
        let (span, hasOverflowed) = nanoseconds.subtractingReportingOverflow(other.nanoseconds)
        return hasOverflowed ? nil : Interval(nanoseconds: span)
    }
}
