/// The constraints of one side that matter, in the order of time: a convex chain.
///
/// A ceiling `y` at time `t` bounds the line that touches the relation at time `x`: at `t` it is below `y + w/2·(t −
/// x)²`, where `w` is the clocks' wander. As functions of `t`, these for different `x` differ by straight lines
/// alone, and straight lines do not change which points are on a hull. So the ceilings that matter for any `x` are
/// the lower hull of the lifted points `y + w/2·t²`; floors are the same mirrored (Moon, Skelly and Towsley 1998
/// without the lift). What is dropped, by rounding or for want of room, widens an answer and never makes it wrong.
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
