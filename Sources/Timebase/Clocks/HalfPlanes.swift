/// A constraint on offset and rate: `offset·x + rate·y ≤ limit`, all in whole numbers.
struct HalfPlane: BitwiseCopyable {
    var offset: Int64
    var rate: Int64
    var limit: Int64
}

/// The offsets and rates that a few constraints leave: a convex polygon, asked for its extremes.
///
/// A linear programme of two variables, solved exactly by the dual simplex method: from a pair of constraints that bounds
/// the goal to a pair that bounds it closer, until no other constraint is violated where the pair meets. Each pair is a
/// proof of its bound (a positive sum of two constraints), so that a search that were to end early would still tell
/// the truth. Numbers stay below 2^61 and products below 2^126, so nothing is rounded before the end.
struct HalfPlanes {
    /// How many constraints there is room for.
    static let capacity = 68
    /// Limits and factors are below this.
    static let largest: Int64 = 1 << 60

    /// The answer for one goal.
    enum Extreme: Equatable {
        /// `numerator / denominator`, the denominator positive.
        case bounded(numerator: Int128, denominator: Int128)
        /// Nothing satisfies all constraints.
        case impossible
    }

    private var planes: InlineArray<68, HalfPlane> = .init(
        repeating: HalfPlane(offset: 0, rate: 0, limit: 0))
    private(set) var count = 0

    /// Whether another constraint would find room.
    var isFull: Bool { count == Self.capacity }

    /// Adds a constraint; one whose numbers are too great is left out, which never excludes the truth.
    mutating func add(_ plane: HalfPlane) {
        precondition(!isFull, "a programme has room for \(Self.capacity) constraints")
        let range = -Self.largest...Self.largest
        guard range.contains(plane.limit), range.contains(plane.rate) else { return }
        planes[count] = plane
        count += 1
    }

    /// The greatest value of a goal within the polygon.
    ///
    /// - Parameters:
    ///   - goal: factors of offset and rate; one of them ±1, the other 0.
    ///   - pair: two constraints that bound the goal between them.
    func maximum(of goal: (offset: Int64, rate: Int64), from pair: (Int, Int)) -> Extreme {
        var basis = Basis(planes[pair.0], planes[pair.1], goal)
        // Each exchange comes closer; the limit only guards against going round where many constraints meet in one
        // point, and what is found by then holds.
        for _ in 0..<4 * count {
            guard let entering = mostViolated(at: basis) else { break }
            let plane = planes[entering]
            let candidates = (
                Basis(basis.first, plane, goal), Basis(plane, basis.second, goal)
            )
            if candidates.0.bounds {
                basis = candidates.0
            } else if candidates.1.bounds {
                basis = candidates.1
            } else {
                return .impossible
            }
        }
        return .bounded(numerator: basis.value, denominator: basis.determinant)
    }

    private func mostViolated(at basis: Basis) -> Int? {
        var worst: Int?
        var excess: Int128 = 0
        for index in 0..<count {
            let found = basis.excess(of: planes[index])
            if found > excess { (worst, excess) = (index, found) }
        }
        return worst
    }
}

/// Two constraints that together bound a goal, and the point where their borders meet.
private struct Basis {
    let first: HalfPlane
    let second: HalfPlane
    /// Positive if the borders meet in a point and the pair is in order.
    let determinant: Int128
    /// Whether the goal is a sum of the two with factors that are not negative, and so bounded by them.
    let bounds: Bool
    /// The bound, times ``determinant``.
    let value: Int128
    private let offset: Int128
    private let rate: Int128

    init(_ p: HalfPlane, _ q: HalfPlane, _ goal: (offset: Int64, rate: Int64)) {
        func product(_ a: Int64, _ b: Int64) -> Int128 { Int128(a) * Int128(b) }
        (first, second) = (p, q)
        let plain = product(p.offset, q.rate) - product(q.offset, p.rate)
        let sign: Int128 = plain < 0 ? -1 : 1
        let factors = (
            sign * (product(goal.offset, q.rate) - product(goal.rate, q.offset)),
            sign * (product(p.offset, goal.rate) - product(p.rate, goal.offset))
        )
        determinant = sign * plain
        bounds = plain != 0 && factors.0 >= 0 && factors.1 >= 0
        value = factors.0 * Int128(p.limit) + factors.1 * Int128(q.limit)
        offset = sign * (product(p.limit, q.rate) - product(q.limit, p.rate))
        rate = sign * (product(p.offset, q.limit) - product(q.offset, p.limit))
    }

    /// By how much the meeting point violates a constraint, times ``determinant``; negative or zero if it does not.
    func excess(of plane: HalfPlane) -> Int128 {
        Int128(plane.offset) * offset + Int128(plane.rate) * rate
            - Int128(plane.limit) * determinant
    }
}
