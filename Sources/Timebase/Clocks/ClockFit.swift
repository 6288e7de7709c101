/// The relation between two clocks from all readings of a run, those after a time as well as those before it.
///
/// Where no line suits the readings on both sides of a time, something happened near it, before or after: then the
/// bounds contain those of either side. A break is placed between the last reading that surely came before it and the
/// first that surely came after, and in between they contain both as well. Two breaks that no reading separates are
/// taken for one.
public struct ClockFit<From: ClockDomain, To: ClockDomain>: Sendable {
    private typealias Polygon = AnchoredPolygon<From, To>
    private typealias Reading = ClockReading<From, To>
    private typealias Segment = ClockSegment<From, To>

    private let behaviour: ClockBehaviour
    private let wander: Wander
    private let readings: [ClockReading<From, To>]
    /// Between knots; so that the longest fit has no more than some hundred thousand.
    private let longestSpacing: Interval

    /// Prepares a fit.
    ///
    /// - Parameters:
    ///   - readings: in any order; those that can't be used beside the others are left out.
    ///   - behaviour: what the clocks keep to.
    public init(_ readings: [ClockReading<From, To>], behaviour: ClockBehaviour) {
        self.behaviour = behaviour
        wander = Wander(behaviour)
        self.readings = Self.inOrder(readings)
        let length = (self.readings.last?.time ?? .distantPast)
            .distance(from: self.readings.first?.time ?? .distantPast)
        longestSpacing = max(.seconds(64), (length ?? .zero) / 100_000)
    }

    /// Fits.
    ///
    /// - Parameter range: times to be covered even if they are before the first reading or after the last, as far as
    ///   readings bound them; nil for none.
    public func relation(
        covering range: ClosedRange<Instant<From>>? = nil
    ) -> ClockSegments<From, To> {
        guard let first = readings.first?.time, let last = readings.last?.time else {
            return .nothing
        }
        let beyond = Interval.seconds(2_000)
        let start = min(first, max(first - beyond, range?.lowerBound ?? first))
        let end = max(last, min(last + beyond, range?.upperBound ?? last))
        let stretches = stretches()
        var segments: [Segment] = []
        var former: (polygon: Polygon, end: Instant<From>)?
        for (index, stretch) in stretches.enumerated() {
            let polygon = polygon(of: stretch)
            let times = times(of: stretch)
            let from = index == 0 ? start : times.lowerBound
            let to = index == stretches.count - 1 ? end : times.upperBound
            if let former {
                segments += bounded(.transition, [former.end, from]) { time in
                    former.polygon.knot(at: time)?.union(polygon.knot(at: time))
                }
            }
            segments += bounded(.steady, [from, times.lowerBound, times.upperBound, to]) {
                Self.knot(at: $0, polygon)
            }
            former = (polygon, to)
        }
        return ClockSegments(segments) ?? .nothing
    }

    /// The readings that surely belong together, from break to break.
    private func stretches() -> [Range<Int>] {
        var polygon = Polygon(behaviour, capacity: 256)
        var starts: [Int] = []
        for (index, reading) in readings.enumerated() {
            if !starts.isEmpty, polygon.agrees(with: reading) ?? false {
                polygon.append(reading)
            } else {
                polygon.begin(with: reading)
                starts.append(index)
            }
        }
        return starts.indices.map { index in
            let next = index + 1 < starts.count ? starts[index + 1] : readings.count
            guard next < readings.count else { return starts[index]..<next }
            let following = index + 2 < starts.count ? starts[index + 2] : readings.count
            return starts[index]..<lastSure(before: next..<following, after: starts[index]) + 1
        }
    }

    /// The last reading that contradicts a stretch behind it; `first` if none does.
    private func lastSure(before stretch: Range<Int>, after first: Int) -> Int {
        var polygon = AnchoredPolygon<From, To>(behaviour, capacity: 256)
        for (count, index) in stretch.reversed().enumerated() {
            let reading = readings[index].mirrored
            if count == 0 { polygon.begin(with: reading) } else { polygon.append(reading) }
        }
        for index in stride(from: stretch.lowerBound - 1, to: first, by: -1) {
            let reading = readings[index].mirrored
            guard polygon.agrees(with: reading) ?? false else { return index }
            polygon.append(reading)
        }
        return first
    }

    private func polygon(of stretch: Range<Int>) -> Polygon {
        var polygon = Polygon(behaviour, capacity: nil)
        polygon.begin(with: readings[stretch.lowerBound])
        for reading in readings[stretch].dropFirst() { polygon.append(reading) }
        return polygon
    }

    private func times(of stretch: Range<Int>) -> ClosedRange<Instant<From>> {
        let times = readings[stretch].compactMap(\.time)
        return times[0]...times[times.count - 1]
    }

    /// The bounds of a time by the readings of a stretch.
    private static func knot(at time: Instant<From>, _ polygon: Polygon) -> ClockKnot<From, To>? {
        if let knot = polygon.knot(at: time) { return knot }
        for reach in [32, 8, 2, 1] {
            let before = polygon.knot(at: time, by: .init(before: reach, after: 0))
            let after = polygon.knot(at: time, by: .init(before: 0, after: reach))
            if let knot = before?.union(after) { return knot }
        }
        return nil
    }

    /// The segments from the first of some times to the last, with knots at each and so near to each other that the
    /// bends between them matter little.
    ///
    /// One, but where readings are too far apart to give bounds.
    private func bounded(
        _ kind: Segment.Kind, _ stops: [Instant<From>],
        _ knot: (Instant<From>) -> ClockKnot<From, To>?
    ) -> [Segment] {
        var segments: [Segment] = []
        var knots: [ClockKnot<From, To>] = []
        var time = stops[0]
        while true {
            if var next = knot(time) {
                if let last = knots.last {
                    let bow = wander.bow((next.time - last.time).nanoseconds)
                    knots[knots.count - 1] = last.widened(by: bow)
                    next = next.widened(by: bow)
                }
                knots.append(next)
            } else if let segment = Segment(kind, knots) {
                segments.append(segment)
                knots = []
            }
            guard let stop = stops.first(where: { $0 > time }) else { break }
            time = min(
                stop,
                knots.last.map { $0.time + spacing(after: $0, knot) } ?? reading(after: time))
        }
        if let last = Segment(kind, knots) { segments.append(last) }
        return segments
    }

    /// The time of the first reading after a time; if there is none, the end of all counting.
    private func reading(after time: Instant<From>) -> Instant<From> {
        let index = readings.partitioningIndex { ($0.time ?? .distantPast) > time }
        return index < readings.count ? readings[index].time ?? .distantFuture : .distantFuture
    }

    /// The longest span, of a second or more, for which neither a knot's width nor the next one's need grow by more
    /// than an eighth.
    private func spacing(
        after knot: ClockKnot<From, To>, _ next: (Instant<From>) -> ClockKnot<From, To>?
    ) -> Interval {
        func bears(_ knot: ClockKnot<From, To>, _ span: Interval) -> Bool {
            wander.bow(span.nanoseconds) * 2 <= (knot.latest - knot.earliest).nanoseconds / 8
        }
        let least = Interval.seconds(1)
        var span = least
        while span < longestSpacing, bears(knot, span + span) { span = span + span }
        // A narrow stretch behind a wide one is not to be blurred.
        while span > least, let after = next(knot.time + span), !bears(after, span) {
            span = span / 2
        }
        return span
    }

    /// The readings that can be used beside each other, in the order of time.
    private static func inOrder(_ readings: [Reading]) -> [Reading] {
        var newest: (ceiling: Instant<From>, floor: Instant<From>) = (.distantPast, .distantPast)
        return readings.filter { $0.time != nil && $0.isCountable }
            .sorted { ($0.time ?? .distantPast) < ($1.time ?? .distantPast) }
            .filter { reading in
                let ceiling = reading.ceiling?.from ?? newest.ceiling
                let floor = reading.floor?.from ?? newest.floor
                guard ceiling >= newest.ceiling, floor >= newest.floor else { return false }
                newest = (ceiling, floor)
                return true
            }
    }
}

extension ClockReading {
    /// The reading as clocks would give it that run backwards.
    fileprivate var mirrored: ClockReading {
        func mirrored(_ point: Point?) -> Point? {
            point.map {
                Point(
                    Instant(nanoseconds: -$0.from.nanoseconds),
                    Instant(nanoseconds: -$0.to.nanoseconds))
            }
        }
        return ClockReading(ceiling: mirrored(floor), floor: mirrored(ceiling))
    }
}

extension ClockKnot {
    /// The knot that contains the bounds of both; nil if one gives none.
    fileprivate func union(_ other: ClockKnot?) -> ClockKnot? {
        other.map { union($0) }
    }
}
