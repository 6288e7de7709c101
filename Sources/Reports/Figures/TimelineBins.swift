internal import Timebase

/// A run along its session time, in columns of equal width; as many as a screen can zoom into, however long the run is.
///
/// When a run grows beyond the columns that there are, each two become one.
///
/// A column begins as a millisecond, so that runs of 16 seconds and less are shown to that.
struct TimelineBins: Sendable {
    /// So many columns at most.
    static let capacity = 16_384

    /// What happened within one column.
    ///
    /// Events count when they were handled, frames at the middle of their exposure, holes where the frame before them
    /// was.
    struct Bin: Hashable, Sendable {
        var frames: Int64 = 0
        var holes: Int64 = 0
        /// Edges on any input, whether a step waits for them or not.
        var edges: Int64 = 0
        /// Outputs that were switched on.
        var pulses: Int64 = 0
        /// Writes of settings, refused ones among them.
        var writes: Int64 = 0
        /// Settings that turned out different, could not be written or read.
        var doubts: Int64 = 0
        /// Exposures that the device reported, in nanoseconds.
        var exposure: ClosedRange<Int64>?
        /// Means of frames in thousandths of a code.
        var luma: ClosedRange<Int64>?
        /// Readings of the thermometer, in thousandths of a degree Celsius.
        var temperature: ClosedRange<Int64>?
        /// The widest half-width of a session time, in nanoseconds.
        var halfWidth: Int64 = 0

        /// Makes one column of two neighbours.
        mutating func merge(_ other: Bin) {
            frames += other.frames
            holes += other.holes
            edges += other.edges
            pulses += other.pulses
            writes += other.writes
            doubts += other.doubts
            exposure = exposure.joined(other.exposure)
            luma = luma.joined(other.luma)
            temperature = temperature.joined(other.temperature)
            halfWidth = max(halfWidth, other.halfWidth)
        }
    }

    private(set) var bins: [Bin] = []
    /// The width of a column in nanoseconds: a millisecond times a power of two.
    private(set) var width: Int64 = 1_000_000

    /// Changes the column of a time; what is before zero belongs to the first one.
    ///
    /// Columns in between are made empty. Times come in any order.
    ///
    /// - Parameters:
    ///   - time: session time.
    ///   - change: adds to the column.
    mutating func note(_ time: Instant<Session>, _ change: (inout Bin) -> Void) {
        let nanoseconds = max(0, time.nanoseconds)
        while nanoseconds / width >= Int64(Self.capacity) { halve() }
        let index = Int(nanoseconds / width)
        while bins.count <= index { bins.append(Bin()) }
        change(&bins[index])
    }

    /// Joins each two columns, which doubles their width; an odd last one is joined with nothing.
    private mutating func halve() {
        var merged: [Bin] = []
        merged.reserveCapacity((bins.count + 1) / 2)
        for start in stride(from: 0, to: bins.count, by: 2) {
            var bin = bins[start]
            if start + 1 < bins.count { bin.merge(bins[start + 1]) }
            merged.append(bin)
        }
        bins = merged
        width *= 2
    }

    /// Fewer and wider columns, for a drawing that can't be zoomed.
    ///
    /// - Parameter columns: at most so many, at least 1.
    func overview(columns: Int) -> TimelineBins {
        var result = self
        while result.bins.count > columns { result.halve() }
        return result
    }
}

extension ClosedRange<Int64>? {
    /// The smallest range that has both in it.
    func joined(_ other: ClosedRange<Int64>?) -> ClosedRange<Int64>? {
        guard let self else { return other }
        guard let other else { return self }
        return min(self.lowerBound, other.lowerBound)...max(self.upperBound, other.upperBound)
    }
}
