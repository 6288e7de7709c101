internal import Timebase

/// Listens to the driver's stamps, and notices when they can't be the times of frames.
///
/// The moment at which a frame was taken keeps them honest: no stamp lies after it, none long before the last moment
/// at which no frame waited, and the time between two stamps is about that between two arrivals.
struct StampWitness: Sendable {
    /// What a stamp says.
    struct Statement {
        /// Why it can't be believed as a time.
        var doubt: StampDoubt?
        /// The time since an earlier stamp, if it can be believed so far.
        var span: Span?
    }

    /// The time between the stamps of two frames.
    struct Span {
        var length: Interval
        /// How late the first and the second can be.
        var before: Interval
        var after: Interval
        /// Frames that came between the two, or are missing there.
        var counted: Int64
        /// Whether it is taken from arrivals, in want of stamps.
        var isByArrival = false
        /// Whether both are stamps of neighbours.
        var isDirect: Bool { counted == 0 && !isByArrival }
    }

    /// A stamp to go by, and how many frames were counted since.
    private struct Base: BitwiseCopyable {
        var arrival: FrameArrival
        var counted: Int64 = 0
    }

    private let lateness: Interval
    private let readout: Interval?
    private let known: StampDoubt?
    /// The frame before.
    private var last: FrameArrival?
    /// The last one whose stamp tells a time, and the last one whose stamp tells distances.
    private var trusted: Base?
    private var regular: Base?
    /// The doubt that has not been cleared.
    private var standing: StampDoubt?
    private(set) var found = StreamQuirks()

    init(_ model: TimestampModel, _ quirks: StreamQuirks) {
        lateness = model.lateness
        readout = model.readout
        known = StampDoubt.allCases.first { quirks.contains($0.quirk) }
    }

    /// Hears the next stamp.
    ///
    /// - Parameters:
    ///   - arrival: the frame.
    ///   - frames: frames since the one before, by the sequence; nil if it says nothing.
    ///   - period: what is known of it.
    mutating func hear(
        _ arrival: FrameArrival, frames: Int64?, _ period: PeriodWitness
    ) -> Statement {
        let slack = slack(period.period)
        let doubt = obvious(arrival, slack)
        guard let last else { return Statement(doubt: doubt) }
        let byArrival = spanByArrival(last, arrival, slack)
        if doubt == nil, let base = trusted, let span = span(base, arrival, slack),
            standing == nil || clears(span, frames, period)
        {
            return Statement(span: span)
        }
        // Where none was ever believed, there is nothing that this one could contradict.
        let why = doubt ?? (trusted == nil ? nil : standing ?? .back)
        // Where stamps begin to be wrong, they say nothing of what was before.
        let isOfAKind = why != nil && why == standing && why != .zero && why != .repeated
        if isOfAKind, let base = regular, let span = span(base, arrival, slack) {
            return Statement(doubt: why, span: span)
        }
        return Statement(doubt: why, span: byArrival)
    }

    /// Keeps a stamp to go by; to be told after all that is missing before it was counted.
    mutating func keep(_ arrival: FrameArrival, _ statement: Statement, frames: Int64) {
        trusted?.counted += frames
        regular?.counted += frames
        defer { last = arrival }
        standing = statement.doubt
        if let doubt = statement.doubt { found.insert(doubt.quirk) }
        if statement.doubt == nil { trusted = Base(arrival: arrival) }
        if statement.doubt != .zero, statement.doubt != .repeated {
            regular = Base(arrival: arrival)
        }
    }

    /// How much later than its readout a frame may be there to be taken, at most.
    func slack(_ period: Interval?) -> Interval {
        lateness + (period ?? .seconds(1)) * 2 + (readout ?? .zero)
    }

    /// What a single stamp shows by itself.
    private func obvious(_ arrival: FrameArrival, _ slack: Interval) -> StampDoubt? {
        if let known { return known }
        if arrival.stamp.nanoseconds <= 0 { return .zero }
        if arrival.stamp > arrival.takenAt { return .ahead }
        if let last, arrival.stamp == last.stamp { return .repeated }
        if let last, arrival.stamp < last.stamp, standing == nil { return .back }
        if let notBefore = arrival.notBefore, arrival.stamp < notBefore - slack - .seconds(1) {
            return .back
        }
        return nil
    }

    /// Whether a stamp fits those that were believed before the doubt arose.
    private func clears(_ span: Span, _ frames: Int64?, _ period: PeriodWitness) -> Bool {
        guard let all = period.periods(in: span.length, before: span.before, after: span.after),
            all.fewest == all.most
        else { return false }
        let counted = span.counted + (frames ?? 1)
        // While stamps told nothing, frames may have been lost inside the camera; while they told distances, none.
        if standing == .zero || standing == .repeated { return all.fewest >= counted }
        return all.fewest == counted
    }

    /// The time since a stamp; nil where it can't be, by the arrivals.
    private func span(_ base: Base, _ arrival: FrameArrival, _ slack: Interval) -> Span? {
        guard arrival.stamp.nanoseconds > 0, base.arrival.stamp.nanoseconds > 0,
            arrival.stamp > base.arrival.stamp
        else { return nil }
        let length = arrival.stamp - base.arrival.stamp
        if let most = longest(base.arrival, arrival, slack), length > most { return nil }
        if let least = shortest(base.arrival, arrival, slack), length < least { return nil }
        return Span(length: length, before: lateness, after: lateness, counted: base.counted)
    }

    private func longest(
        _ first: FrameArrival, _ second: FrameArrival, _ slack: Interval
    ) -> Interval? {
        first.notBefore.map { second.takenAt - $0 + slack }
    }

    private func shortest(
        _ first: FrameArrival, _ second: FrameArrival, _ slack: Interval
    ) -> Interval? {
        second.notBefore.map { $0 - first.takenAt - slack }
    }

    /// The time between two arrivals, each of which may be late since its frame waited.
    private func spanByArrival(
        _ first: FrameArrival, _ second: FrameArrival, _ slack: Interval
    ) -> Span? {
        guard let before = first.notBefore, let after = second.notBefore else { return nil }
        return Span(
            length: second.takenAt - first.takenAt, before: first.takenAt - before + slack,
            after: second.takenAt - after + slack, counted: 0, isByArrival: true)
    }
}
