/// A constraint on offset and rate: `offset·x + rate·y ≤ limit`, all in whole numbers.
struct HalfPlane: BitwiseCopyable {
    var offset: Int64
    var rate: Int64
    var limit: Int64
}

/// The offsets and rates that a few constraints leave: a convex polygon, asked for its extremes.
///
/// A linear programme of two variables, solved exactly by the dual simplex method: from a pair of constraints that
/// bounds the goal to a pair that bounds it closer, until no other constraint is violated where the pair meets. Each
/// pair is a proof of its bound (a positive sum of two constraints), so that a search that were to end early would
/// still be right. Numbers stay below 2^61 and products below 2^126, so nothing is rounded before the end.
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
            guard let next = basis.exchanged(for: planes[entering], goal) else {
                return .impossible
            }
            basis = next
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
    /// Positive.
    let determinant: Int128
    /// The bound, times ``determinant``.
    let value: Int128
    private let first: HalfPlane
    private let second: HalfPlane
    /// The goal is the sum of both constraints times these, over ``determinant``; not negative.
    private let factors: (first: Int128, second: Int128)
    private let offset: Int128
    private let rate: Int128

    /// - Precondition: the borders are not parallel, and the pair bounds the goal.
    init(_ p: HalfPlane, _ q: HalfPlane, _ goal: (offset: Int64, rate: Int64)) {
        (first, second) = (p, q)
        let plain = cross(p, q)
        let sign: Int128 = plain < 0 ? -1 : 1
        let aim = HalfPlane(offset: goal.offset, rate: goal.rate, limit: 0)
        determinant = sign * plain
        factors = (sign * cross(aim, q), sign * cross(p, aim))
        precondition(
            determinant > 0 && factors.first >= 0 && factors.second >= 0, "the pair is no bound")
        value = factors.first * Int128(p.limit) + factors.second * Int128(q.limit)
        offset = sign * (product(p.limit, q.rate) - product(q.limit, p.rate))
        rate = sign * (product(p.offset, q.limit) - product(q.offset, p.limit))
    }

    /// By how much the meeting point violates a constraint, times ``determinant``; negative or zero if it does not.
    func excess(of plane: HalfPlane) -> Int128 {
        Int128(plane.offset) * offset + Int128(plane.rate) * rate
            - Int128(plane.limit) * determinant
    }

    /// The pair in which a violated constraint takes the place of one of these; nil if it contradicts both.
    func exchanged(for plane: HalfPlane, _ goal: (offset: Int64, rate: Int64)) -> Basis? {
        // The constraint as a sum of the pair. Where both shares are negative or none, what satisfies the pair goes
        // further beyond the constraint than their meeting point does, so nothing satisfies all three.
        let sign: Int128 = cross(first, second) < 0 ? -1 : 1
        let shares = (first: sign * cross(plane, second), second: sign * cross(first, plane))
        if shares.first <= 0, shares.second <= 0 { return nil }
        // The one whose factor comes to nothing first makes room.
        let replacesFirst =
            shares.second <= 0
            || shares.first > 0
                && factors.first * shares.second <= factors.second * shares.first
        return replacesFirst ? Basis(plane, second, goal) : Basis(first, plane, goal)
    }
}

private func product(_ a: Int64, _ b: Int64) -> Int128 { Int128(a) * Int128(b) }

/// The determinant of two constraints' factors: zero if their borders are parallel.
private func cross(_ a: HalfPlane, _ b: HalfPlane) -> Int128 {
    product(a.offset, b.rate) - product(b.offset, a.rate)
}
