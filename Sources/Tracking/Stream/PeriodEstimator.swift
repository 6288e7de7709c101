internal import Timebase

/// Knows how far frames are apart: from what was promised, and from timestamps.
///
/// Timestamps may be late, never early: between two of them, `n` frames apart, `n` periods lie between the span less
/// what the second may be late and the span plus what the first may have been. Over a thousand frames that bounds the
/// period to some parts per million; 100 ppm are left for its drift.
struct PeriodEstimator: Sendable {
    /// A promised period may be off by this much: 30 fps are often 29.97.
    private static let promisePerMillion: Int64 = 2_000
    private static let driftPerMillion: Int64 = 100
    /// So many intervals in a row that are alike, and not what was thought, make another period.
    private static let quirkThreshold = 8
    /// Over so many frames the mean is taken for the shortest period, as long as the promised one is not shorter.
    private static let fewest: Int64 = 4
    /// So many frames on, the mean begins anew.
    private static let most: Int64 = 64
    /// Frames after which bounds are found again, so that they follow a drift.
    private static let stretch: Int64 = 1_024
    /// Two intervals are alike if they differ by less than this share.
    private static let likeness: Int64 = 5

    /// What the period surely lies between, in nanoseconds.
    struct Bounds: BitwiseCopyable, Hashable {
        var least: Int64
        var most: Int64
    }

    /// A timestamp by its place in the stream.
    private struct Mark: BitwiseCopyable {
        var place: Int64
        var timestamp: Instant<Monotonic>
        var delay: Int64
    }

    let promised: Interval?
    private(set) var bounds: Bounds?
    /// Whether ``bounds`` rest on timestamps far apart, and no longer on what was promised.
    private var isMeasured = false
    /// Which of the last intervals kept it, a bit each, and how many were seen.
    private var fits: UInt8 = 0
    private var judged = 0
    /// Frames come in faster than that.
    private var isRefutedByArrivals = false
    private var recent = InlineArray<8, Int64>(repeating: 0)
    private var seen = 0
    private var old: Mark?
    private var young: Mark?
    /// The mean so far, while nothing better is known.
    private var mean: Interval?
    /// The least that the mean over the last frames can be, by their numbers alone, and the first of these: frames
    /// without numbers make it longer, and never shorter.
    private var leastMean: Int64?
    private var first: Mark?
    /// When the first frame had not come yet, and how many came since.
    private var began: Instant<Monotonic>?
    private var arrivals: Int64 = 0
    /// The mean time from frame to frame by arrivals; too long where frames were lost unseen.
    private(set) var meanByArrival: Interval?

    init(promised: Interval?) {
        self.promised = promised.flatMap { $0 > .zero ? $0 : nil }
        bounds = self.promised.map {
            let slack = max(1, $0.nanoseconds * Self.promisePerMillion / 1_000_000)
            return Bounds(least: $0.nanoseconds - slack, most: $0.nanoseconds + slack)
        }
    }

    /// Whether timestamps were seen to keep it, three times out of four.
    var isConfirmed: Bool { judged > 0 && fits.nonzeroBitCount * 4 >= judged * 3 }
    /// The shortest that it can be, where timestamps far apart have shown it.
    ///
    /// Before that, the promised one or the mean, whichever is shorter: a camera may be quicker than was promised, and
    /// one that becomes slower takes longer than both. Nil where neither is known.
    var shortest: Interval? {
        guard let bounds else { return nil }
        if isMeasured, isConfirmed || isKeptOnAverage { return Interval(nanoseconds: bounds.least) }
        guard promised != nil, !isRefutedByArrivals, let leastMean else { return nil }
        return Interval(nanoseconds: min(bounds.least, leastMean))
    }
    /// Whether timestamps rather speak of another.
    var isInQuestion: Bool { judged > 0 && !isConfirmed || isRefutedByArrivals }
    /// Whether the last intervals are as long as it on the average: whatever each of them is, no other rate makes them.
    var isKeptOnAverage: Bool {
        guard let bounds, !isRefutedByArrivals else { return false }
        let count = min(seen, Self.quirkThreshold)
        var sum: Int64 = 0
        for index in 0..<count { sum += recent[index] }
        // As much as the first and the last timestamp may be late.
        let allowed = max(bounds.least / 2, bounds.least * Int64(count) / 8)
        return sum >= bounds.least * Int64(count) - allowed
            && sum <= bounds.most * Int64(count) + allowed
    }
    /// What it is at most, as far as anything is known.
    var slowest: Interval? {
        guard let period = period ?? (arrivals < 16 ? nil : meanByArrival) else { return nil }
        var slowest = max(period, meanByArrival ?? period)
        if isInQuestion {
            for index in 0..<min(seen, Self.quirkThreshold) {
                slowest = max(slowest, Interval(nanoseconds: recent[index]))
            }
        }
        return slowest
    }

    /// The best single figure; nil before two frames if none was promised.
    var period: Interval? {
        guard let bounds else { return mean }
        let middle = bounds.least + (bounds.most - bounds.least) / 2
        guard let promised else { return Interval(nanoseconds: middle) }
        let slack = promised.nanoseconds * Self.promisePerMillion / 1_000_000
        let isAsPromised = abs(middle - promised.nanoseconds) <= max(1, slack)
        return isAsPromised ? promised : Interval(nanoseconds: middle)
    }

    /// How many periods lie in a span; nil while none is known.
    ///
    /// Three tenths of a period are allowed in any case, since figures of delay are rarely kept. Where nothing fits,
    /// the neighbours on both sides are possible.
    func periods(
        in span: Interval, before: Interval, after: Interval
    ) -> (fewest: Int64, most: Int64)? {
        guard let bounds else { return nil }
        let usual = bounds.least * 3 / 10
        let longest = span.nanoseconds + max(before.nanoseconds, usual)
        let shortest = span.nanoseconds - max(after.nanoseconds, usual)
        func floor(_ span: Int64, over period: Int64) -> Int64 {
            span.flooredQuotientAndRemainder(dividingBy: period).quotient
        }
        let most = floor(longest, over: longest < 0 ? bounds.most : bounds.least)
        let fewest = -floor(-shortest, over: shortest < 0 ? bounds.least : bounds.most)
        if fewest <= most { return (fewest, most) }
        return (most, fewest)
    }

    /// Takes note of an interval between two neighbours that are `frames` apart by whoever counts.
    ///
    /// - Returns: the new period, where it turns out to be another one.
    mutating func learn(_ span: Interval, frames: Int64, delay: Interval) -> Interval? {
        guard span > .zero, frames >= 1, frames <= 8 else { return nil }
        let each = span.nanoseconds / frames
        recent[seen % Self.quirkThreshold] = each
        seen += 1
        if let bounds {
            let allowed = max(delay.nanoseconds, bounds.least * 3 / 10)
            if each >= bounds.least - allowed, each <= bounds.most + allowed {
                judge(true)
                return nil
            }
            judge(false)
        }
        let isRefuted = judged >= Self.quirkThreshold && fits.nonzeroBitCount <= 1
        guard seen >= Self.quirkThreshold, bounds == nil || isRefuted else { return nil }
        return adopt(delay)
    }

    private mutating func judge(_ keeps: Bool) {
        fits = judged == 0 ? 0 : fits << 1
        if keeps { fits |= 1 }
        judged = min(judged + 1, Self.quirkThreshold)
    }

    /// Whether so many frames would have to have come more than twice as fast as any so far; only while no period is
    /// known.
    func leavesNoTime(for frames: Int64, in longest: Interval) -> Bool {
        guard bounds == nil, let mean = mean ?? meanByArrival else { return false }
        return longest.nanoseconds / frames < mean.nanoseconds / 2
    }

    /// Takes note of an arrival, which is surely so many frames after the one before.
    mutating func note(_ arrival: FrameArrival, frames: Int64, jitter: Interval) {
        guard let began else {
            began = arrival.notBefore
            return
        }
        arrivals += frames
        let most = (arrival.takenAt - began).nanoseconds / arrivals
        meanByArrival = Interval(nanoseconds: most)
        isRefutedByArrivals =
            bounds.map { most + jitter.nanoseconds / arrivals < $0.least * 4 / 5 } ?? false
    }

    /// Takes the median of the last intervals for the period, if nearly all of them are like it.
    private mutating func adopt(_ delay: Interval) -> Interval? {
        let median = recent.median(ofFirst: Self.quirkThreshold)
        let allowed = max(delay.nanoseconds, median / Self.likeness)
        var alike = 0
        for index in 0..<Self.quirkThreshold where abs(recent[index] - median) <= allowed {
            alike += 1
        }
        guard alike >= Self.quirkThreshold - 2, median > 0 else { return nil }
        let wasKnown = bounds != nil
        let slack = max(1, median / 50, min(delay.nanoseconds, median / 2))
        bounds = Bounds(least: median - slack, most: median + slack)
        isMeasured = false
        judged = 0
        judge(true)
        began = nil
        arrivals = 0
        meanByArrival = nil
        isRefutedByArrivals = false
        forgetPlaces()
        forgetNumbers()
        return wasKnown ? Interval(nanoseconds: median) : nil
    }

    /// Takes note of a timestamp that can be believed, at a place that was counted without a doubt.
    mutating func mark(_ place: Int64, _ timestamp: Instant<Monotonic>, delay: Interval) {
        let now = Mark(place: place, timestamp: timestamp, delay: delay.nanoseconds)
        guard let old else {
            old = now
            return
        }
        let frames = place - old.place
        guard frames > 0 else { return }
        let span = (timestamp - old.timestamp).nanoseconds
        if bounds == nil { mean = Interval(nanoseconds: span / frames) }
        let least = (span - now.delay - 1_000) / frames
        if isConfirmed, frames >= 16 {
            let most = (span + old.delay + 1_000) / frames
            narrow(
                Bounds(
                    least: max(1, least - least * Self.driftPerMillion / 1_000_000),
                    most: max(1, most + most * Self.driftPerMillion / 1_000_000 + 1)))
        }
        if young == nil, frames >= Self.stretch { young = now }
        if let young, place - young.place >= Self.stretch {
            self.old = young
            self.young = now
        }
    }

    /// Keeps the closer of two bounds, unless the older ones are refuted.
    private mutating func narrow(_ new: Bounds) {
        isMeasured = true
        guard let old = bounds else {
            bounds = new
            return
        }
        let isRefuted = new.least > old.most || new.most < old.least
        if isRefuted || new.most - new.least < old.most - old.least { bounds = new }
    }

    /// The places so far can't be carried on.
    mutating func forgetPlaces() {
        (old, young) = (nil, nil)
    }

    /// Takes note of a timestamp that can be believed, at a place that the sequence counts.
    mutating func note(place: Int64, _ timestamp: Instant<Monotonic>, delay: Interval) {
        let now = Mark(place: place, timestamp: timestamp, delay: delay.nanoseconds)
        guard let first else { return first = now }
        let frames = place - first.place
        guard frames > 0 else { return }
        let span = (timestamp - first.timestamp).nanoseconds
        if frames >= Self.fewest { leastMean = max(1, (span - now.delay - 1_000) / frames) }
        if frames >= Self.most { self.first = now }
    }

    /// The sequence can't be carried on.
    mutating func forgetNumbers() { (first, leastMean) = (nil, nil) }
}
