/// The constraints of one side that matter, in the order of time: a convex chain.
///
/// A ceiling `y` at time `t` says of the line that touches the relation at time `x`: at `t` it is below
/// `y + w/2·(t − x)²`, where `w` is the clocks' wander. As functions of `t`, these for different `x` differ by straight
/// lines alone, and straight lines do not change which points are on a hull. So the ceilings that matter for any `x` are
/// the lower hull of the lifted points `y + w/2·t²`; floors are the same mirrored (Moon, Skelly and Towsley 1998 without
/// the lift). What is dropped, by rounding or for want of room, widens an answer and never makes it wrong.
struct ConstraintChain {
    /// A constraint, relative to the relation's anchor.
    struct Point: BitwiseCopyable {
        /// On the first clock.
        var time: Int64
        /// The second clock's time less the first's; mirrored for floors.
        var offset: Int64
        fileprivate var lifted: Int64
    }

    private(set) var points: [Point] = []
    private let capacity: Int
    private let wander: Wander

    /// Creates a chain.
    ///
    /// - Parameters:
    ///   - capacity: how many constraints are kept, the newest; nil for all. Room for them is made at once.
    ///   - wander: how the clocks' rates move.
    init(capacity: Int?, wander: Wander) {
        self.capacity = capacity ?? .max
        self.wander = wander
        if let capacity { points.reserveCapacity(capacity) }
    }

    /// Forgets all constraints; the room stays.
    mutating func removeAll() {
        points.removeAll(keepingCapacity: true)
    }

    /// Adds a constraint that is not earlier than those before.
    mutating func append(time: Int64, offset: Int64) {
        guard let lift = wander.lift(time) else { return }
        let point = Point(time: time, offset: offset, lifted: offset + lift)
        if let last = points.last, last.time == time {
            if last.lifted <= point.lifted { return }
            points.removeLast()
        }
        while points.count >= 2, isOutside(points[points.count - 1], point) {
            points.removeLast()
        }
        if points.count == capacity { points.removeFirst(capacity / 4) }
        points.append(point)
    }

    /// Whether the last point lies on or above the line from the one before it to a new one.
    private func isOutside(_ last: Point, _ next: Point) -> Bool {
        let before = points[points.count - 2]
        return Int128(last.lifted - before.lifted) * Int128(next.time - before.time)
            >= Int128(next.lifted - before.lifted) * Int128(last.time - before.time)
    }

    /// The indices of the constraints nearest to a time.
    func indices(around time: Int64, _ neighbours: ConstraintPolygon.Neighbours) -> Range<Int> {
        let next = points.partitioningIndex { $0.time > time }
        return max(0, next - neighbours.before)..<min(points.count, next + neighbours.after)
    }
}

/// How far a relation bends away from a straight line.
struct Wander {
    private let behaviour: ClockBehaviour
    /// In parts of 10^15 in a second.
    let femtoPerSecond: Int64
    /// What any constraint is relaxed by for one jump of the rate: `J²/2w`, since `J·d ≤ w/2·d² + J²/2w` for all `d`.
    let slackNanoseconds: Int64

    init(_ behaviour: ClockBehaviour) {
        self.behaviour = behaviour
        femtoPerSecond = behaviour.wanderFemtoPerSecond
        let jump = Int128(behaviour.rateJump.excessFemto)
        // 10^-30 / 10^-24 and into nanoseconds: J in 10^-15, w in 10^-15 per 10^9 ns.
        let divisor = 2 * Int128(behaviour.wanderFemtoPerSecond) * 1_000_000
        slackNanoseconds = divisor == 0 ? 0 : Int64((jump * jump + divisor - 1) / divisor)
    }

    /// `w/2·d²` in nanoseconds, rounded up; nil beyond 2000 s, where a constraint says nothing any more.
    ///
    /// Without wander, 0 at any distance.
    func widening(_ distanceNanoseconds: Int64) -> Int64? {
        guard femtoPerSecond > 0 else { return 0 }
        let distance = distanceNanoseconds.magnitude
        guard distance <= 2_000_000_000_000 else { return nil }
        let micros = (distance + 999) / 1_000
        // At most 4·10^18 · 10^12: the quotient is below 2·10^12.
        let product = (micros * micros).multipliedFullWidth(by: UInt64(femtoPerSecond))
        let (quotient, remainder) = UInt64(2_000_000_000_000_000_000).dividingFullWidth(product)
        return Int64(quotient) + (remainder > 0 ? 1 : 0)
    }

    /// How far the relation may be from the straight line between two of its points, in nanoseconds, rounded up.
    ///
    /// `w/8·d²`, and for a jump of the rate in the middle `J/4·d`; never more than the limit of the rate allows, `R/2·d`.
    func bow(_ distanceNanoseconds: Int64) -> Int64 {
        func share(_ rate: ClockRate, _ parts: Int128) -> Int64 {
            let unit = Int128(ClockRate.unit) * parts
            return Int64(
                clamping: (Int128(distanceNanoseconds) * Int128(rate.excessFemto) + unit - 1) / unit
            )
        }
        let most = share(behaviour.rateLimit, 2)
        guard let widening = widening(distanceNanoseconds) else { return most }
        return min(most, (widening + 3) / 4 + share(behaviour.rateJump, 4))
    }

    /// `w/2·t²` in nanoseconds for the hull; nil where it is out of range: with 20 ppb a second after seven years.
    ///
    /// Its rounding decides at most which constraints are kept.
    func lift(_ timeNanoseconds: Int64) -> Int64? {
        let micros = Int128(timeNanoseconds / 1_000)
        let lift = micros * micros / 2_000_000 * Int128(femtoPerSecond) / 1_000_000_000_000
        return lift < HalfPlanes.largest ? Int64(lift) : nil
    }
}
