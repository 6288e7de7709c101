/// How one clock reads when another shows a given time, from segment to segment, with guaranteed bounds.
///
/// Segments follow each other; where a clock was stepped, a segment of the kind `break` lies between the steady ones
/// and contains the bounds of both.
public struct ClockSegments<From: ClockDomain, To: ClockDomain>: Hashable, Sendable {
    /// In the order of time; each begins where the one before it ends or later.
    public let segments: [ClockSegment<From, To>]

    /// Creates a relation; nil if the segments overlap or are out of order.
    public init?(_ segments: [ClockSegment<From, To>]) {
        guard
            zip(segments, segments.dropFirst()).allSatisfy({
                $0.range.upperBound <= $1.range.lowerBound
            })
        else { return nil }
        self.segments = segments
    }

    /// The relation of which nothing is known.
    public static var nothing: ClockSegments { ClockSegments(checked: []) }

    private init(checked segments: [ClockSegment<From, To>]) {
        self.segments = segments
    }

    /// The breaks, in the order of time.
    public var breaks: [ClockSegment<From, To>] { segments.filter { $0.kind == .transition } }

    /// Converts a time of the first clock.
    ///
    /// - Returns: nil where no segment covers it.
    public func convert(_ time: Instant<From>) -> BoundedInstant<To>? {
        knot(at: time)?.bounded
    }

    /// Converts a time of the first clock that is itself known within a bound.
    ///
    /// - Complexity: O(log of the knots), and the knots within the bound.
    /// - Returns: nil where no segment covers it.
    public func convert(_ time: BoundedInstant<From>) -> BoundedInstant<To>? {
        guard let low = time.instant.adding(.zero - time.halfWidth),
            let high = time.instant.adding(time.halfWidth),
            var found = knot(at: low), let last = knot(at: high)
        else { return nil }
        found = found.union(last)
        // Across a break the second clock may have shown more or less than at either end.
        let first = segments.partitioningIndex { $0.range.upperBound >= low }
        for segment in segments[first...] {
            guard segment.range.lowerBound < high else { break }
            let next = segment.knots.partitioningIndex { $0.time > low }
            for knot in segment.knots[next...].prefix(while: { $0.time < high }) {
                found = found.union(knot)
            }
        }
        return found.bounded
    }

    /// Which of some times of the first clock the second may show something in a range at.
    ///
    /// Where the second clock was set back it shows a time twice; what is returned then reaches both.
    ///
    /// - Parameters:
    ///   - range: of the second clock; a clock that shows a number shows it for as long as its resolution.
    ///   - times: those that come into question.
    /// - Returns: the smallest range that holds them all; nil if the second clock surely shows no such thing then.
    /// - Complexity: O(segments), and the knots within `times`.
    public func convertBack(
        _ range: ClosedRange<Instant<To>>, within times: ClosedRange<Instant<From>>
    ) -> ClosedRange<Instant<From>>? {
        // Bounds are rounded to whole nanoseconds, so that one more on either side may be meant.
        guard let low = range.lowerBound.adding(.nanoseconds(-1)),
            let high = range.upperBound.adding(.nanoseconds(1))
        else { return nil }
        var found: ClosedRange<Instant<From>>?
        for segment in segments where segment.range.overlaps(times) {
            for piece in segment.cut(to: times)?.times(showing: low...high) ?? [] {
                found = found.map { $0.union(piece) } ?? piece
            }
        }
        return found
    }

    /// What the second clock surely shows at a time; nil where no segment covers it.
    private func knot(at time: Instant<From>) -> ClockKnot<From, To>? {
        let index = segments.partitioningIndex { $0.range.upperBound >= time }
        guard index < segments.count else { return nil }
        return segments[index].knot(at: time)
    }
}

extension ClockSegment {
    /// The part of it within some times; some of them are its own.
    fileprivate func cut(to times: ClosedRange<Instant<From>>) -> ClockSegment? {
        let ends = times.clamped(to: range)
        let first = knots.partitioningIndex { $0.time > ends.lowerBound }
        var cut: [ClockKnot<From, To>] = []
        if let start = knot(at: ends.lowerBound) { cut.append(start) }
        cut += knots[first...].prefix { $0.time < ends.upperBound }
        if ends.lowerBound < ends.upperBound, let end = knot(at: ends.upperBound) {
            cut.append(end)
        }
        return ClockSegment(kind, cut)
    }

    /// The times of the first clock at which the second may show something in a range, in pieces that may touch.
    fileprivate func times(
        showing range: ClosedRange<Instant<To>>
    ) -> [ClosedRange<Instant<From>>] {
        var found: [ClosedRange<Instant<From>>] = []
        for knot in knots where knot.earliest <= range.upperBound && range.lowerBound <= knot.latest
        {
            found.append(knot.time...knot.time)
        }
        // Where a bound passes an end of the range between two knots, such times begin or end.
        for (a, b) in zip(knots, knots.dropFirst()) {
            let early = Self.crossing(
                range.lowerBound, (a.time, a.latest), (b.time, b.latest), rounding: 0)
            let late = Self.crossing(
                range.upperBound, (a.time, a.earliest), (b.time, b.earliest), rounding: 1)
            found += [early, late].compactMap { $0.map { $0...$0 } }
        }
        return found
    }

    /// When a line between two points passes a time of the second clock, rounded down or up; nil if it does not.
    private static func crossing(
        _ time: Instant<To>, _ a: (Instant<From>, Instant<To>), _ b: (Instant<From>, Instant<To>),
        rounding: Int128
    ) -> Instant<From>? {
        guard min(a.1, b.1) <= time, time <= max(a.1, b.1), a.1 != b.1 else { return nil }
        let rise = Int128(b.1.nanoseconds) - Int128(a.1.nanoseconds)
        let part = Int128(time.nanoseconds) - Int128(a.1.nanoseconds)
        let span = Int128(b.0.nanoseconds) - Int128(a.0.nanoseconds)
        let divisor = Int128(rise.magnitude)
        let share = (span * Int128(part.magnitude) + rounding * (divisor - 1)) / divisor
        return Instant(nanoseconds: Int64(Int128(a.0.nanoseconds) + share))
    }
}

extension ClosedRange {
    /// The smallest range that holds both.
    fileprivate func union(_ other: ClosedRange) -> ClosedRange {
        Swift.min(lowerBound, other.lowerBound)...Swift.max(upperBound, other.upperBound)
    }
}
