/// A stretch of the relation between two clocks, given at knots; between two of them both bounds are straight lines.
///
/// What the relation may bend away from a line between knots is already in the knots' bounds, so that linear
/// interpolation is all that a reader needs.
public struct ClockSegment<From: ClockDomain, To: ClockDomain>: Hashable, Sendable {
    /// What a segment describes.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The clocks keep to their behaviour.
        case steady
        /// Within here one clock was stepped, or its rate was changed beyond its behaviour.
        case transition = "break"
    }

    /// What it describes.
    public let kind: Kind
    /// One or more, in the order of time, each later than the one before.
    public let knots: [ClockKnot<From, To>]

    /// Creates a segment; nil if there is no knot, their times do not rise, or one is beyond 146 years.
    public init?(_ kind: Kind, _ knots: [ClockKnot<From, To>]) {
        guard !knots.isEmpty, zip(knots, knots.dropFirst()).allSatisfy({ $0.time < $1.time }),
            knots.allSatisfy({
                $0.time.isCountable && $0.earliest.isCountable && $0.latest.isCountable
            })
        else { return nil }
        self.kind = kind
        self.knots = knots
    }

    /// The times that it covers, ends included.
    public var range: ClosedRange<Instant<From>> { knots[0].time...knots[knots.count - 1].time }

    /// By how much the second clock surely is faster than the first at most and at least, from end to end.
    ///
    /// Nil for a single knot, a break, and clocks too different for ``ClockRate``.
    public var rate: ClosedRange<ClockRate>? {
        let (first, last) = (knots[0], knots[knots.count - 1])
        guard kind == .steady, first.time < last.time else { return nil }
        let span = Int128(last.time.nanoseconds) - Int128(first.time.nanoseconds)
        func excess(_ from: Instant<To>, _ to: Instant<To>) -> (Int128, Int128) {
            let difference = Int128(to.nanoseconds) - Int128(from.nanoseconds) - span
            return (difference * Int128(ClockRate.unit)).quotientAndRemainder(dividingBy: span)
        }
        let (low, lowRest) = excess(first.latest, last.earliest)
        let (high, highRest) = excess(first.earliest, last.latest)
        guard let least = Int64(exactly: low - (lowRest < 0 ? 1 : 0)),
            let greatest = Int64(exactly: high + (highRest > 0 ? 1 : 0))
        else { return nil }
        return ClockRate(excessFemto: least)...ClockRate(excessFemto: greatest)
    }

    /// What the second clock surely shows at a time; nil outside of ``range``.
    public func knot(at time: Instant<From>) -> ClockKnot<From, To>? {
        guard range.contains(time) else { return nil }
        let next = knots.partitioningIndex { $0.time >= time }
        if knots[next].time == time { return knots[next] }
        return ClockKnot(at: time, between: knots[next - 1], knots[next])
    }
}
