/// The ceilings and floors of a relation between two breaks, and what they leave of it at any time.
struct ConstraintPolygon {
    /// How many constraints of each side are looked at before and after a time: those nearest to it.
    private static let reach = 32

    /// What surely holds the difference of the clocks at a time, in nanoseconds relative to the anchor.
    enum Bounds: Equatable {
        /// Both ends are included; nil where nothing bounds that side.
        case within(least: Int64?, greatest: Int64?)
        /// The constraints contradict each other: the clocks did not keep to their behaviour.
        case impossible
    }

    private var ceilings: ConstraintChain
    /// Mirrored: the greater, the lower the floor.
    private var floors: ConstraintChain
    private let wander: Wander
    private let rateLimit: Int64

    init(_ behaviour: ClockBehaviour, capacity: Int?) {
        wander = Wander(behaviour)
        rateLimit = behaviour.rateLimit.excessFemto
        ceilings = ConstraintChain(capacity: capacity, wander: wander)
        floors = ConstraintChain(capacity: capacity, wander: wander)
    }

    var isEmpty: Bool { ceilings.points.isEmpty && floors.points.isEmpty }

    mutating func removeAll() {
        ceilings.removeAll()
        floors.removeAll()
    }

    mutating func append(ceiling offset: Int64, at time: Int64) {
        ceilings.append(time: time, offset: offset)
    }

    mutating func append(floor offset: Int64, at time: Int64) {
        floors.append(time: time, offset: -offset)
    }

    /// The bounds of the difference at a time.
    func bounds(at time: Int64) -> Bounds {
        let planes = halfPlanes(at: time)
        var bounds: (least: Int64?, greatest: Int64?) = (nil, nil)
        if let start = planes.firstCeiling {
            switch planes.set.maximum(of: (1, 0), from: start) {
            case .impossible: return .impossible
            case .bounded(let numerator, let denominator):
                bounds.greatest = Int64(clamping: roundedUp(numerator, denominator))
            }
        }
        if let start = planes.firstFloor {
            switch planes.set.maximum(of: (-1, 0), from: start) {
            case .impossible: return .impossible
            case .bounded(let numerator, let denominator):
                bounds.least = Int64(clamping: -roundedUp(numerator, denominator))
            }
        }
        return .within(least: bounds.least, greatest: bounds.greatest)
    }

    /// The bounds of the rate at a time; nil if the constraints contradict each other.
    func rates(at time: Int64) -> ClosedRange<ClockRate>? {
        let planes = halfPlanes(at: time)
        guard let start = planes.firstCeiling ?? planes.firstFloor else {
            return ClockRate(excessFemto: -rateLimit)...ClockRate(excessFemto: rateLimit)
        }
        guard
            case .bounded(let high, let highUnit) = planes.set.maximum(
                of: (0, 1), from: (0, start.0)),
            case .bounded(let low, let lowUnit) = planes.set.maximum(
                of: (0, -1), from: (1, start.0))
        else { return nil }
        let unit = Int128(ClockRate.unit)
        let greatest = Int64(clamping: roundedUp(high * unit, highUnit))
        let least = Int64(clamping: -roundedUp(low * unit, lowUnit))
        return ClockRate(excessFemto: least)...ClockRate(excessFemto: max(least, greatest))
    }

    /// The half planes around a time, and for the first constraint of each side the pair that bounds it.
    private func halfPlanes(
        at time: Int64
    ) -> (set: HalfPlanes, firstCeiling: (Int, Int)?, firstFloor: (Int, Int)?) {
        var set = HalfPlanes()
        set.add(HalfPlane(offset: 0, rate: ClockRate.unit, limit: rateLimit))
        set.add(HalfPlane(offset: 0, rate: -ClockRate.unit, limit: rateLimit))
        let firstCeiling = add(ceilings, sign: 1, at: time, to: &set)
        let firstFloor = add(floors, sign: -1, at: time, to: &set)
        return (set, firstCeiling, firstFloor)
    }

    /// Adds the constraints of one side; ceilings are `offset + rate·d ≤ limit`, floors the negative of that.
    private func add(
        _ chain: ConstraintChain, sign: Int64, at time: Int64, to set: inout HalfPlanes
    ) -> (Int, Int)? {
        var first: (Int, Int)?
        for index in chain.indices(around: time, reach: Self.reach) {
            let point = chain.points[index]
            let distance = point.time - time
            guard let widening = wander.widening(distance) else { continue }
            let count = set.count
            set.add(
                HalfPlane(
                    offset: sign, rate: sign * distance,
                    limit: point.offset + widening + wander.slackNanoseconds))
            if set.count > count, first == nil {
                // With the limit of the rate that keeps a line through this point from going further.
                first = (count, sign * distance > 0 ? 1 : 0)
            }
        }
        return first
    }
}

/// A quotient rounded up; the divisor is positive.
private func roundedUp(_ numerator: Int128, _ denominator: Int128) -> Int128 {
    let (quotient, remainder) = numerator.quotientAndRemainder(dividingBy: denominator)
    return quotient + (remainder > 0 ? 1 : 0)
}
