internal import Devices
internal import Timebase

/// Watches the driver's timestamps, and notices when they can't be the times of frames.
///
/// They are checked against the moment at which a frame was taken: no timestamp lies after it, none long before the
/// last moment at which no frame waited, and the time between two timestamps is about that between two arrivals.
struct TimestampCheck: Sendable {
    /// What a timestamp shows.
    struct Statement {
        /// Why it can't be believed as a time.
        var doubt: TimestampDefect?
        /// The time since an earlier timestamp, if it can be believed so far.
        var span: Span?
    }

    /// The time between the timestamps of two frames.
    struct Span {
        var length: Interval
        /// How late the first and the second can be.
        var before: Interval
        var after: Interval
        /// Frames that came between the two, or are missing there.
        var between = FrameCount()
        /// Whether it is taken from arrivals, in want of timestamps.
        var isByArrival = false
        /// Whether both are timestamps of neighbours.
        var isDirect: Bool { between.counted == 0 && !isByArrival }
    }

    /// A timestamp to compare with, and the frames since.
    private struct Base: BitwiseCopyable {
        var arrival: FrameArrival
        var since = FrameCount()
        /// The shortest time from a timestamp to its frame's arrival, of those before that the next one bore out.
        var quickest: Interval?

        /// What a frame is usually on its way, as far as that was seen.
        var usual: Interval {
            let own = arrival.takenAt - arrival.timestamp
            return quickest.map { min($0, own) } ?? own
        }
    }

    private let delay: Interval
    private let readout: Interval?
    private let known: TimestampDefect?
    /// The frame before.
    private var last: FrameArrival?
    /// The last one whose timestamp gives a time, and the last one whose timestamp gives distances.
    private var trusted: Base?
    private var regular: Base?
    /// The doubt that has not been cleared.
    private var defect: TimestampDefect?
    private(set) var found = StreamQuirks()

    init(_ model: TimestampModel, _ quirks: StreamQuirks) {
        delay = model.delay
        readout = model.readout
        known = TimestampDefect.allCases.first { !quirks.isDisjoint(with: $0.quirk) }
    }

    /// Hears the next timestamp.
    ///
    /// - Parameters:
    ///   - arrival: the frame.
    ///   - frames: frames since the one before, by the sequence; nil if it gives no count.
    ///   - period: what is known of it.
    ///   - order: why it can't follow the driver's timestamp before, which need not be the time that is believed of it.
    mutating func observe(
        _ arrival: FrameArrival, frames: Int64?, _ period: PeriodEstimator,
        order: TimestampDefect?
    ) -> Statement {
        let doubt = obvious(arrival, period.slowest, order)
        guard let last else { return Statement(doubt: doubt) }
        let jitter = jitter(period.slowest)
        let distance = regularSpan(arrival, period, jitter)
        if doubt == nil, let base = trusted, let span = span(base, arrival, jitter),
            defect == nil || clears(span, arrival, frames, period)
        {
            return Statement(span: defect == .disputed ? distance ?? span : span)
        }
        // Where none was ever believed, there is nothing that this one could contradict.
        let why = doubt ?? (trusted == nil ? nil : defect ?? .back)
        // Where timestamps begin to be wrong, they show nothing of what was before.
        let isOfAKind = why != nil && why == defect
        return Statement(
            doubt: why,
            span: (isOfAKind ? distance : nil) ?? spanByArrival(last, arrival, jitter))
    }

    /// Whether a frame was no longer on its way by its timestamp than others: then its timestamp was not set back.
    func confirms(for arrival: FrameArrival, _ period: PeriodEstimator) -> Bool {
        guard let base = trusted else { return true }
        guard let period = period.period ?? period.meanByArrival else { return defect == nil }
        let half = Interval(nanoseconds: period.nanoseconds / 2)
        return arrival.takenAt - arrival.timestamp <= base.usual + delay + half
    }

    /// The time since the frame before by timestamps that need not be true, as long as both are wrong by the same.
    private func regularSpan(
        _ arrival: FrameArrival, _ period: PeriodEstimator, _ jitter: Interval
    ) -> Span? {
        guard let base = regular, base.quickest != nil, isRegular(arrival, period) else {
            return nil
        }
        return span(base, arrival, jitter)
    }

    /// Whether a frame was on its way by its timestamp as long as the one before.
    private func isRegular(_ arrival: FrameArrival, _ period: PeriodEstimator) -> Bool {
        guard let base = regular, arrival.timestamp.nanoseconds > 0 else { return false }
        return isAsLong(arrival, as: base, period)
    }

    /// Whether a frame was on its way by its timestamp about as long as others.
    func isAsUsual(_ arrival: FrameArrival, _ period: PeriodEstimator) -> Bool {
        trusted.map { isAsLong(arrival, as: $0, period) } ?? true
    }

    /// How many periods longer than others a frame was on its way by its timestamp; zero below half of one.
    func delay(of arrival: FrameArrival, _ period: PeriodEstimator) -> Interval {
        guard let base = trusted, let period = period.period, period > .zero else { return .zero }
        let longer = arrival.takenAt - arrival.timestamp - base.usual + period / 2
        return longer < period ? .zero : period * (longer.nanoseconds / period.nanoseconds)
    }

    private func isAsLong(
        _ arrival: FrameArrival, as base: Base, _ period: PeriodEstimator
    ) -> Bool {
        guard let period = period.period else { return true }
        let change = (arrival.takenAt - arrival.timestamp) - base.usual
        let room = delay + Interval(nanoseconds: period.nanoseconds / 2)
        return change <= room && .zero - change <= room
    }

    /// Keeps a timestamp for later ones; to be called after all that is missing before it was counted.
    ///
    /// - Parameters:
    ///   - arrival: the frame.
    ///   - statement: what its timestamp showed, and what is believed of it by now.
    ///   - count: it, and those that are missing before it.
    ///   - isRecounted: whether frames are counted another way from now on.
    ///   - period: what is known of it.
    mutating func keep(
        _ arrival: FrameArrival, _ statement: Statement, _ count: FrameCount, isRecounted: Bool,
        _ period: PeriodEstimator
    ) {
        trusted?.since += count
        defer { last = arrival }
        if let doubt = statement.doubt { found.insert(doubt.quirk) }
        if statement.doubt == nil { trusted = next(after: trusted, arrival) }
        if statement.doubt != .zero, statement.doubt != .repeated {
            regular = Base(
                arrival: arrival, quickest: isRegular(arrival, period) ? regular?.usual : nil)
        } else {
            regular = nil
        }
        defect = statement.doubt
        if isRecounted, defect != nil, var base = trusted, base.usual <= slack(period.slowest) {
            // What was thought of the rate or of numbers was wrong, rather than the timestamps; the count is of no use.
            // Not where the frame waited for the host: a timestamp that was set back looks as usual beside that.
            base.quickest = base.usual
            base.since += .unknown
            trusted = base
        }
    }

    /// How much later than its readout a frame may be there to be taken, at most.
    func slack(_ period: Interval?) -> Interval {
        delay + (period ?? .seconds(1)) * 2 + (readout ?? .zero)
    }

    /// How long a frame of which nothing else is known is taken to be on its way at most, from its readout on.
    func longestWay(_ period: Interval?) -> Interval {
        max(slack(period), trusted.map { $0.usual + jitter(period) } ?? .zero)
    }

    /// How much longer one frame may be on its way by its timestamp than another, at most.
    func jitter(_ period: Interval?) -> Interval {
        delay + (period ?? .seconds(1))
    }

    /// A timestamp that is believed; the one before it was borne out unless one in between was not believed.
    private func next(after base: Base?, _ arrival: FrameArrival) -> Base {
        Base(arrival: arrival, quickest: defect == nil ? base?.usual : base?.quickest)
    }

    /// What a single timestamp shows by itself.
    private func obvious(
        _ arrival: FrameArrival, _ period: Interval?, _ order: TimestampDefect?
    ) -> TimestampDefect? {
        if let known { return known }
        if arrival.timestamp.nanoseconds <= 0 { return .zero }
        if arrival.timestamp > arrival.takenAt { return .ahead }
        if let order, order == .repeated || defect == nil || defect == .disputed { return order }
        // It was on its way at least so long; the way of others is known by the time that they took at most.
        guard let notBefore = arrival.notBefore else { return nil }
        let most = trusted.flatMap(\.quickest).map { $0 + jitter(period) }
        return notBefore - arrival.timestamp > most ?? .seconds(1) + slack(period) ? .back : nil
    }

    /// Whether a timestamp fits those that were believed before the doubt arose.
    private func clears(
        _ span: Span, _ arrival: FrameArrival, _ frames: Int64?, _ period: PeriodEstimator
    ) -> Bool {
        guard confirms(for: arrival, period) else { return false }
        if defect == .disputed || defect == .back, trusted?.quickest != nil { return true }
        if defect == .ahead, let base = trusted, base.quickest != nil {
            return isAsLong(arrival, as: base, period) && !goesOnAhead(arrival, frames, period)
        }
        guard let all = period.periods(in: span.length, before: span.before, after: span.after),
            all.fewest == all.most
        else { return false }
        let counted = span.between.counted + (frames ?? 1)
        // While timestamps gave nothing, frames may have been lost inside the camera; while they gave distances, none.
        if defect == .zero || defect == .repeated { return all.fewest >= counted }
        return all.fewest == counted
    }

    /// Whether a timestamp is as far from one that was ahead as their numbers are, and its frame waited for the host,
    /// so that its arrival does not show that it is ahead as well.
    private func goesOnAhead(
        _ arrival: FrameArrival, _ frames: Int64?, _ period: PeriodEstimator
    ) -> Bool {
        guard let last, let frames, let period = period.period, period > .zero,
            arrival.notBefore.map({ arrival.takenAt - $0 > period }) ?? true
        else { return false }
        let off = arrival.timestamp - last.timestamp - period * frames
        let room = delay + Interval(nanoseconds: period.nanoseconds * 3 / 10)
        return off <= room && .zero - off <= room
    }

    /// The time since a timestamp; nil where it can't be, by the arrivals.
    private func span(_ base: Base, _ arrival: FrameArrival, _ jitter: Interval) -> Span? {
        guard arrival.timestamp.nanoseconds > 0, base.arrival.timestamp.nanoseconds > 0,
            arrival.timestamp > base.arrival.timestamp
        else { return nil }
        let length = arrival.timestamp - base.arrival.timestamp
        if let notBefore = base.arrival.notBefore, length > arrival.takenAt - notBefore + jitter {
            return nil
        }
        if let notBefore = arrival.notBefore, length < notBefore - base.arrival.takenAt - jitter {
            return nil
        }
        return Span(length: length, before: delay, after: delay, between: base.since)
    }

    /// The time between two arrivals, each of which may be late since its frame waited.
    private func spanByArrival(
        _ first: FrameArrival, _ second: FrameArrival, _ jitter: Interval
    ) -> Span? {
        guard let before = first.notBefore, let after = second.notBefore else { return nil }
        return Span(
            length: second.takenAt - first.takenAt, before: first.takenAt - before + jitter,
            after: second.takenAt - after + jitter, isByArrival: true)
    }
}
