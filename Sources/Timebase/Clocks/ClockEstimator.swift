/// The relation between two clocks while readings come in: what is known from those so far, with guaranteed bounds.
///
/// Between breaks, the readings' constraints leave a polygon of offsets and rates around any time
/// (``ClockBehaviour`` defines how much weaker a constraint gets with distance); its extremes are the stated bounds. A
/// reading that leaves nothing of it is a break. A change that no reading has shown yet is in no bound.
///
/// Memory is set aside once; ``add(_:)`` and ``convert(_:)`` allocate nothing and take some microseconds, so that
/// they may run beside a capture, though not in an interrupt's time.
public struct ClockEstimator<From: ClockDomain, To: ClockDomain>: Sendable {
    /// What is taken for granted of the clocks.
    public let behaviour: ClockBehaviour
    /// How many readings were taken in.
    public private(set) var readings = 0

    private var current: AnchoredPolygon<From, To>
    private var former: AnchoredPolygon<From, To>
    private var trail: KnotTrail<From, To>
    /// The times of the newest constraints.
    private var newest: (ceiling: Instant<From>?, floor: Instant<From>?) = (nil, nil)
    /// The time of the newest reading.
    private var latest: Instant<From>?
    /// When the first reading since the last break was taken; nil before any.
    private var start: Instant<From>?

    /// Creates an estimator without readings.
    ///
    /// - Parameters:
    ///   - behaviour: what the clocks keep to.
    ///   - knots: how many knots ``relation`` may have; they are thinned out as they get more. 16 or more.
    public init(_ behaviour: ClockBehaviour, knots: Int = 512) {
        self.behaviour = behaviour
        current = AnchoredPolygon(behaviour, capacity: 128)
        former = AnchoredPolygon(behaviour, capacity: 128)
        trail = KnotTrail(behaviour, capacity: knots)
    }

    /// Takes a reading in; readings come in the order of time.
    public mutating func add(_ reading: ClockReading<From, To>) -> ClockFinding<From, To> {
        guard let time = reading.time, reading.isCountable, isInOrder(reading) else {
            return .unusable
        }
        if current.isEmpty {
            current.begin(with: reading)
        } else {
            switch current.agrees(with: reading) {
            case nil: return .unusable
            case true?: current.append(reading)
            case false?:
                let found = breakOff(at: reading, time)
                note(reading, at: time)
                return .broke(found)
            }
        }
        note(reading, at: time)
        if trail.isDue(at: time), let knot = current.knot(at: time) { trail.append(knot) }
        return .fits
    }

    /// Converts a time of the first clock with the readings so far; also one after the last of them.
    ///
    /// - Returns: nil if nothing bounds the second clock on one of both sides.
    public func convert(_ time: Instant<From>) -> BoundedInstant<To>? {
        if let start, time < start { return trail.knot(at: time)?.bounded }
        return current.knot(at: time)?.bounded
    }

    /// What the second clock shows at least and at most at a time of the first, each nil where nothing bounds it.
    public func limits(at time: Instant<From>) -> (earliest: Instant<To>?, latest: Instant<To>?) {
        current.limits(at: time)
    }

    /// By how much the second clock is faster than the first now; nil without readings.
    public var rate: ClosedRange<ClockRate>? {
        latest.flatMap { current.rates(at: $0) }
    }

    /// The relation so far, each knot with what was known at its time.
    ///
    /// Allocates; for the record, not for the capture.
    public var relation: ClockSegments<From, To> {
        trail.segments(until: latest.flatMap { current.knot(at: $0) })
    }

    /// Restarts with a reading, and puts a break between what was known and that reading.
    private mutating func breakOff(
        at reading: ClockReading<From, To>, _ time: Instant<From>
    ) -> ClockBreak<From, To> {
        let previous = latest ?? time
        swap(&current, &former)
        current.begin(with: reading)
        start = time
        let (old, new) = (former.limits(at: time), current.limits(at: time))
        trail.breakOff(
            from: (former.knot(at: previous), current.knot(at: previous)),
            to: (former.knot(at: time), current.knot(at: time)))
        return ClockBreak(
            previous: previous, noticed: time,
            least: new.earliest.flatMap { early in old.latest.flatMap { early.distance(from: $0) }
            },
            greatest: new.latest.flatMap { late in old.earliest.flatMap { late.distance(from: $0) }
            }
        )
    }

    private func isInOrder(_ reading: ClockReading<From, To>) -> Bool {
        func follows(_ point: ClockReading<From, To>.Point?, _ last: Instant<From>?) -> Bool {
            guard let point, let last else { return true }
            return point.from >= last
        }
        return follows(reading.ceiling, newest.ceiling) && follows(reading.floor, newest.floor)
    }

    private mutating func note(_ reading: ClockReading<From, To>, at time: Instant<From>) {
        readings += 1
        if let ceiling = reading.ceiling { newest.ceiling = ceiling.from }
        if let floor = reading.floor { newest.floor = floor.from }
        latest = max(latest ?? time, time)
    }
}
