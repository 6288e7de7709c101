/// Knots in the order of time within a fixed room: as they get more they get sparser.
struct KnotTrail<From: ClockDomain, To: ClockDomain>: Sendable {
    private struct Entry {
        var knot: ClockKnot<From, To>
        var kind: ClockSegment<From, To>.Kind
        /// Whether a segment begins with it.
        var isStart: Bool
    }

    private var entries: [Entry] = []
    private let capacity: Int
    private let wander: Wander
    /// The time between knots; doubles whenever the room is full.
    private var spacing = Interval.seconds(2)

    init(_ behaviour: ClockBehaviour, capacity: Int) {
        precondition(capacity >= 16, "a trail has room for 16 knots or more")
        self.capacity = capacity
        wander = Wander(behaviour)
        entries.reserveCapacity(capacity)
    }

    /// Whether the last knot is long enough ago.
    func isDue(at time: Instant<From>) -> Bool {
        guard let last = entries.last?.knot.time else { return true }
        return last.adding(spacing).map { $0 <= time } ?? false
    }

    /// Continues the last segment, or begins the first; a knot that is not later than the last is left out.
    mutating func append(_ knot: ClockKnot<From, To>) {
        append(knot, .steady, isStart: entries.isEmpty)
    }

    /// Ends the steady segment at one time, begins another at a second, and lays a break between them.
    ///
    /// Each time comes with its bounds by the readings before the break, and by those after it.
    mutating func breakOff(
        from first: (old: ClockKnot<From, To>?, new: ClockKnot<From, To>?),
        to second: (old: ClockKnot<From, To>?, new: ClockKnot<From, To>?)
    ) {
        if let old = first.old { append(old) }
        if let (a, b) = both(first), let (c, d) = both(second), a.time < c.time {
            append(a.union(b), .transition, isStart: true)
            append(c.union(d), .transition, isStart: false)
        }
        if let new = second.new { append(new, .steady, isStart: true) }
    }

    /// What is known of a time between the knots; nil where nothing is.
    func knot(at time: Instant<From>) -> ClockKnot<From, To>? {
        let next = entries.partitioningIndex { $0.knot.time >= time }
        guard next < entries.count else { return nil }
        if entries[next].knot.time == time { return entries[next].knot }
        guard next > 0, !entries[next].isStart else { return nil }
        return ClockKnot(at: time, between: entries[next - 1].knot, entries[next].knot)
    }

    /// The segments, with a last knot if it is later than those here.
    func segments(until last: ClockKnot<From, To>?) -> ClockSegments<From, To> {
        var whole = self
        if let last { whole.append(last) }
        let starts = whole.entries.indices.filter { whole.entries[$0].isStart }
        let segments = zip(starts, starts.dropFirst() + [whole.entries.count]).compactMap {
            ClockSegment(
                whole.entries[$0].kind, whole.entries[$0..<$1].map(\.knot))
        }
        return ClockSegments(segments) ?? .nothing
    }

    private func both(
        _ pair: (old: ClockKnot<From, To>?, new: ClockKnot<From, To>?)
    ) -> (ClockKnot<From, To>, ClockKnot<From, To>)? {
        guard let old = pair.old, let new = pair.new else { return nil }
        return (old, new)
    }

    private mutating func append(
        _ knot: ClockKnot<From, To>, _ kind: ClockSegment<From, To>.Kind, isStart: Bool
    ) {
        if entries.count == capacity { thinOut() }
        var knot = knot
        if !isStart, let last = entries.last {
            guard let span = knot.time.distance(from: last.knot.time), span > .zero else { return }
            let bow = wander.bow(span.nanoseconds)
            entries[entries.count - 1].knot = last.knot.widened(by: bow)
            knot = knot.widened(by: bow)
        }
        entries.append(Entry(knot: knot, kind: kind, isStart: isStart))
    }

    /// Leaves every second knot out, but for those that begin or end a segment; if that does not help, the oldest.
    private mutating func thinOut() {
        var kept = 0
        var isGap = false
        for index in entries.indices {
            let ends = index + 1 == entries.count || entries[index + 1].isStart
            if !isGap, !entries[index].isStart, !ends {
                isGap = true
                continue
            }
            entries[kept] = entries[index]
            if isGap { bridge(kept - 1, kept) }
            isGap = false
            kept += 1
        }
        entries.removeLast(entries.count - kept)
        spacing = spacing < .seconds(1 << 20) ? spacing + spacing : spacing
        if kept > capacity * 3 / 4 {
            entries.removeFirst(capacity / 4)
            entries[0].isStart = true
        }
    }

    /// Widens two knots by what the relation may bend between them.
    private mutating func bridge(_ first: Int, _ second: Int) {
        guard let span = entries[second].knot.time.distance(from: entries[first].knot.time)
        else { return }
        let bow = wander.bow(span.nanoseconds)
        entries[first].knot = entries[first].knot.widened(by: bow)
        entries[second].knot = entries[second].knot.widened(by: bow)
    }
}
