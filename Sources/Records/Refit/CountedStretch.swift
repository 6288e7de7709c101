internal import Timebase

/// Frames in a row, by their counts.
struct CountedStretch {
    /// From the first frame to the last.
    fileprivate(set) var counts: ClosedRange<Int64>
    /// So many; others between them may be missing.
    fileprivate(set) var frames: Int64 = 1
    /// The latest moments at which the first and the last can have ended.
    fileprivate(set) var ends: (first: Instant<Monotonic>, last: Instant<Monotonic>)
    /// The median time from frame to frame; nil for a single one.
    fileprivate(set) var period: Interval?

    /// Finds the longest stretch, of any length in fixed memory.
    struct Longest {
        private var longest: CountedStretch?
        private var current: CountedStretch?
        private var periods = Sampled()

        /// Adds the next frame.
        mutating func add(_ count: Int64, at time: Instant<Monotonic>) {
            var stretch =
                current ?? CountedStretch(counts: count...count, frames: 0, ends: (time, time))
            if stretch.frames > 0 {
                let span = (time - stretch.ends.last).nanoseconds
                periods.add(span / max(1, count - stretch.counts.upperBound))
            }
            stretch.counts = stretch.counts.lowerBound...count
            stretch.frames += 1
            stretch.ends.last = time
            current = stretch
            if stretch.frames > longest?.frames ?? 0 { longest = stretch }
        }

        /// The next frame begins another stretch.
        mutating func interrupt() { current = nil }

        /// The longest one, the first of several.
        var found: CountedStretch? {
            var found = longest
            found?.period = periods.median.map { Interval(nanoseconds: $0) }
            return found
        }
    }
}
