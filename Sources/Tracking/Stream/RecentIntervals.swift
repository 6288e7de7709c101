/// The last intervals from frame to frame, which show whether a period that is believed can be the true one.
///
/// A value of fixed size; nothing in it allocates.
struct RecentIntervals: Sendable {
    private static let capacity = 8
    /// So many have to be known; and so many where late timestamps that become less late by chance would look the same.
    private static let (fewest, usually) = (3, 5)
    /// A difference as small as this is the doing of crystals, clocks and cut-off timestamps.
    private static let sharePerMillion: Int64 = 800
    /// Frames whose mean distance is more exact than any jitter.
    private static let longRun: Int64 = 24

    private var last: Int64?
    /// Since when every frame is counted, and how many were.
    private var first: Int64 = 0
    private var counted: Int64 = 0
    private var each = InlineArray<8, Int64>(repeating: 0)
    private var seen = 0

    /// Takes the next timestamp.
    ///
    /// - Parameter frames: frames since the one before by the driver's sequence; nil if it does not count them.
    mutating func add(_ timestamp: Int64, frames: Int64?) {
        defer { last = timestamp }
        guard let last, let frames, (1...4).contains(frames) else {
            (seen, first, counted) = (0, timestamp, 0)
            return
        }
        counted += frames
        each[seen % Self.capacity] = (timestamp - last) / frames
        seen += 1
    }

    /// The mean over many frames, each of them counted; nil of too few.
    ///
    /// Frames lost inside the camera make it longer, nothing makes it shorter.
    var mean: Int64? {
        guard let last, counted >= Self.longRun else { return nil }
        return (last - first) / counted
    }

    /// The period that frames have, where it is surely another one.
    ///
    /// Timestamps that are late now and then shift intervals to both sides, each in its own way: only where nearly all
    /// differ from the period, and by the same, is it refuted. All that were counted have to differ together by more
    /// than timestamps in time may be late, which may become less from frame to frame for a while; a few of them by
    /// nearly a period, as no late ones are. Frames lost inside the camera give whole multiples of the period, some in
    /// a row at most.
    ///
    /// - Parameters:
    ///   - period: the period in doubt, in nanoseconds.
    ///   - delay: how late timestamps usually are at most.
    func contradiction(of period: Int64, delay: Int64) -> Int64? {
        let count = min(seen, Self.capacity)
        guard count >= Self.fewest, let last else { return nil }
        let median = each.median(ofFirst: count)
        let difference = abs(median - period)
        let all = abs(last - first - period * counted)
        guard difference > period * Self.sharePerMillion / 1_000_000 + 4_000,
            all > delay + 4_000, count >= Self.usually || all > period - period / 10
        else { return nil }
        let multiple = (median + period / 2) / period
        let isMultiple = multiple > 1 && abs(median - multiple * period) * 50 < period
        if isMultiple, count < Self.capacity { return nil }
        return unlike(median, within: difference / 4) <= count / Self.capacity ? median : nil
    }

    /// Counts intervals that are unlike one.
    ///
    /// A single late timestamp is no reason: what it takes from an interval it gives to the next.
    private func unlike(_ median: Int64, within most: Int64) -> Int {
        let count = min(seen, Self.capacity)
        func difference(_ index: Int) -> Int64 {
            each[(seen - count + index) % Self.capacity] - median
        }
        var (unlike, late) = (0, 0)
        for index in 0..<count where abs(difference(index)) > most {
            unlike += 1
            let isLate =
                index + 1 < count && difference(index) > most
                && abs(difference(index) + difference(index + 1)) <= most
            late += isLate ? 1 : 0
        }
        return late == 1 && unlike == 2 && count >= 5 ? 0 : unlike
    }
}
