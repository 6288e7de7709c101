internal import Timebase

/// Foretells when the readouts of coming frames begin, so that a write can be made at a phase of a frame.
///
/// Timestamps are late, never early, so the earliest of the last sixteen, each carried on by the period, counts.
struct FrameGrid {
    private static let length = 16
    /// With fewer timestamps nothing is foretold.
    private static let fewest = 4

    private let nominal: Interval?

    private var timestamps: [(place: Int64, timestamp: Instant<Monotonic>)] = []
    private var place: Int64 = 0

    /// Creates a grid.
    ///
    /// - Parameter nominal: the promised time from frame to frame; counts while timestamps agree with it, since they
    ///   scatter.
    init(nominal: Interval?) {
        self.nominal = nominal
    }

    /// Takes note of a frame.
    ///
    /// - Parameter step: how many frames after the last one it is; below 1 or after a jump everything is reset.
    mutating func note(_ timestamp: Instant<Monotonic>, step: Int64) {
        if !(1...64).contains(step) { reset() }
        place += max(step, 1)
        timestamps.append((place, timestamp))
        if timestamps.count > Self.length { timestamps.removeFirst() }
    }

    /// Forgets everything, since frames come at another rate from now on.
    mutating func reset() { timestamps = [] }

    /// Time from frame to frame: the promised one, or the mean where that is another; nil before four frames.
    var period: Interval? {
        guard timestamps.count >= Self.fewest, let first = timestamps.first,
            let last = timestamps.last
        else {
            return nil
        }
        let mean = (last.timestamp - first.timestamp) / (last.place - first.place)
        guard mean > .zero else { return nil }
        if let nominal, (mean - nominal).nanoseconds.magnitude * 10 < nominal.nanoseconds {
            return nominal
        }
        return mean
    }

    /// A moment after `earliest` that lies a part of a period after a frame's timestamp would at the earliest be.
    ///
    /// - Parameters:
    ///   - phase: the part in thousandths.
    ///   - earliest: the present or later; the moment lies less than two periods behind it.
    /// - Returns: nil before four frames.
    func moment(phase: Int64, after earliest: Instant<Monotonic>) -> Instant<Monotonic>? {
        guard let period, let last = timestamps.last else { return nil }
        let grid =
            timestamps.map { $0.timestamp + period * (last.place - $0.place) }.min()
            ?? last.timestamp
        let first = grid + period * phase / 1_000
        let periods = (earliest - first).nanoseconds / period.nanoseconds + 1
        return first + period * max(0, periods)
    }
}
