/// The ceilings and floors of a relation between two breaks, and what they leave of it at any time.
struct ConstraintPolygon {
    /// Which constraints of each kind are looked at: so many of those nearest to a time on either side of it.
    struct Neighbours {
        /// At or before the time; 16 at most.
        var before: Int
        /// After the time; 16 at most.
        var after: Int

        /// As many as a programme takes.
        static var all: Neighbours { Neighbours(before: 16, after: 16) }
    }

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
    func bounds(at time: Int64, by neighbours: Neighbours = .all) -> Bounds {
        let nearby = nearby(time, neighbours)
        var bounds: (least: Int64?, greatest: Int64?) = (nil, nil)
        if let pair = nearby.upperPair {
            switch nearby.planes.maximum(of: (1, 0), from: pair) {
            case .impossible: return .impossible
            case .bounded(let numerator, let denominator):
                bounds.greatest = Int64(clamping: roundedUp(numerator, denominator))
            }
        }
        if let pair = nearby.lowerPair {
            switch nearby.planes.maximum(of: (-1, 0), from: pair) {
            case .impossible: return .impossible
            case .bounded(let numerator, let denominator):
                bounds.least = Int64(clamping: -roundedUp(numerator, denominator))
            }
        }
        return .within(least: bounds.least, greatest: bounds.greatest)
    }

    /// Whether the constraints so far and those of one more reading leave any line.
    func leavesAnything(
        ceiling: (time: Int64, offset: Int64)?, floor: (time: Int64, offset: Int64)?
    ) -> Bool {
        var nearby = nearby(max(ceiling?.time ?? .min, floor?.time ?? .min), .all)
        if let ceiling { nearby.add(ceiling: ceiling.offset, at: ceiling.time) }
        if let floor { nearby.add(mirroredFloor: -floor.offset, at: floor.time) }
        // Ceilings alone leave room below, floors alone above.
        guard let pair = nearby.upperPair else { return true }
        return nearby.planes.maximum(of: (1, 0), from: pair) != .impossible
    }

    /// The bounds of the rate at a time; nil if the constraints contradict each other.
    func rates(at time: Int64) -> ClosedRange<ClockRate>? {
        let nearby = nearby(time, .all)
        guard let pair = nearby.upperPair ?? nearby.lowerPair else {
            return ClockRate(excessFemto: -rateLimit)...ClockRate(excessFemto: rateLimit)
        }
        // The limits of the rate come first.
        let highest = nearby.planes.maximum(of: (0, 1), from: (0, pair.0))
        let lowest = nearby.planes.maximum(of: (0, -1), from: (1, pair.0))
        guard case .bounded(let high, let highUnit) = highest,
            case .bounded(let low, let lowUnit) = lowest
        else { return nil }
        let unit = Int128(ClockRate.unit)
        let greatest = Int64(clamping: roundedUp(high * unit, highUnit))
        let least = Int64(clamping: -roundedUp(low * unit, lowUnit))
        return ClockRate(excessFemto: least)...ClockRate(excessFemto: max(least, greatest))
    }

    private func nearby(_ time: Int64, _ neighbours: Neighbours) -> NearbyConstraints {
        var nearby = NearbyConstraints(around: time, rateLimit: rateLimit, wander: wander)
        for index in ceilings.indices(around: time, neighbours) {
            nearby.add(ceiling: ceilings.points[index].offset, at: ceilings.points[index].time)
        }
        for index in floors.indices(around: time, neighbours) {
            nearby.add(mirroredFloor: floors.points[index].offset, at: floors.points[index].time)
        }
        return nearby
    }
}

/// A quotient rounded up; the divisor is positive.
private func roundedUp(_ numerator: Int128, _ denominator: Int128) -> Int128 {
    let (quotient, remainder) = numerator.quotientAndRemainder(dividingBy: denominator)
    return quotient + (remainder > 0 ? 1 : 0)
}
