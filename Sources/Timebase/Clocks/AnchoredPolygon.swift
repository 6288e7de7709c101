/// A polygon of constraints with its place on both clocks: numbers within are small, those without any.
struct AnchoredPolygon<From: ClockDomain, To: ClockDomain>: Sendable {
    /// A time from the anchor on, and the difference of the clocks there.
    typealias Place = (time: Int64, offset: Int64)

    private var polygon: ConstraintPolygon
    private var anchor: ClockReading<From, To>.Point?

    init(_ behaviour: ClockBehaviour, capacity: Int?) {
        polygon = ConstraintPolygon(behaviour, capacity: capacity)
    }

    /// Whether nothing was ever put in.
    var isEmpty: Bool { anchor == nil }

    /// Forgets everything, and restarts with a reading, from which numbers count from now on.
    mutating func begin(with reading: ClockReading<From, To>) {
        polygon.removeAll()
        anchor = reading.ceiling ?? reading.floor
        append(reading)
    }

    /// Takes a reading in that agrees.
    mutating func append(_ reading: ClockReading<From, To>) {
        if let ceiling = reading.ceiling, let (time, offset) = relative(ceiling) {
            polygon.append(ceiling: offset, at: time)
        }
        if let floor = reading.floor, let (time, offset) = relative(floor) {
            polygon.append(floor: offset, at: time)
        }
    }

    /// Whether a reading leaves anything of the polygon; nil if its time is too far away to compute that.
    func agrees(with reading: ClockReading<From, To>) -> Bool? {
        var points: (ceiling: Place?, floor: Place?) = (nil, nil)
        if let ceiling = reading.ceiling {
            guard relative(ceiling.from) != nil else { return nil }
            guard let place = relative(ceiling) else { return false }
            points.ceiling = place
        }
        if let floor = reading.floor {
            guard relative(floor.from) != nil else { return nil }
            guard let place = relative(floor) else { return false }
            points.floor = place
        }
        return polygon.leavesAnything(ceiling: points.ceiling, floor: points.floor)
    }

    /// What the second clock shows at least and at most at a time; nil where nothing bounds it.
    func limits(
        at time: Instant<From>, by neighbours: ConstraintPolygon.Neighbours = .all
    ) -> (earliest: Instant<To>?, latest: Instant<To>?) {
        guard let anchor, let distance = relative(time),
            case .within(let least, let greatest) = polygon.bounds(at: distance, by: neighbours)
        else { return (nil, nil) }
        func absolute(_ offset: Int64?) -> Instant<To>? {
            offset.flatMap { anchor.to.adding(.nanoseconds(distance))?.adding(.nanoseconds($0)) }
        }
        return (absolute(least), absolute(greatest))
    }

    /// What the second clock surely shows at a time; nil unless both sides are bounded.
    func knot(
        at time: Instant<From>, by neighbours: ConstraintPolygon.Neighbours = .all
    ) -> ClockKnot<From, To>? {
        guard case (let earliest?, let latest?) = limits(at: time, by: neighbours),
            earliest <= latest
        else {
            return nil
        }
        return ClockKnot(at: time, earliest: earliest, latest: latest)
    }

    /// By how much the second clock is faster at a time; nil if nothing is known.
    func rates(at time: Instant<From>) -> ClosedRange<ClockRate>? {
        relative(time).flatMap { polygon.rates(at: $0) }
    }

    /// A time from the anchor on; nil if it is out of range.
    private func relative(_ time: Instant<From>) -> Int64? {
        guard let anchor, let distance = time.distance(from: anchor.from)?.nanoseconds,
            distance.magnitude < UInt64(HalfPlanes.largest)
        else { return nil }
        return distance
    }

    /// A point's time from the anchor on, and the difference of the clocks there; nil if one is out of range.
    private func relative(
        _ point: ClockReading<From, To>.Point
    ) -> Place? {
        guard let anchor, let time = relative(point.from) else { return nil }
        let offset = Int128(point.to.nanoseconds) - Int128(anchor.to.nanoseconds) - Int128(time)
        guard offset.magnitude < UInt128(HalfPlanes.largest / 2) else { return nil }
        return (time, Int64(offset))
    }
}
