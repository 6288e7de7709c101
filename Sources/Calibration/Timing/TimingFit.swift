internal import Timebase

/// When rows are exposed, from the edges of lit bands: intersections of inequalities in whole numbers.
///
/// Bounds and not estimates: every inequality (``RowEdge``) holds whatever the camera's response is, so the truth lies
/// inside. Indices of frames are those of the samples that were given.
struct TimingFit {
    /// From row to row in picoseconds; nil where no frame showed two flashes apart.
    var rowTime: ClosedRange<Int64>?
    /// From a frame's timestamp to the end of its first row's exposure in nanoseconds, by frame.
    var ends: [Int: ClosedRange<Int64>] = [:]
    /// The same for the start.
    var starts: [Int: ClosedRange<Int64>] = [:]
    /// The exposure in nanoseconds; nil where no frame showed both ends of one.
    var exposure: ClosedRange<Int64>?

    /// Fits a rolling shutter.
    ///
    /// Within one frame the timestamp's delay cancels, so the time from row to row does not depend on it.
    ///
    /// - Parameter grid: of the timestamps of the frames by whose indices edges go.
    /// - Throws: ``CalibrationError`` where edges contradict each other.
    init(rolling edges: [RowEdge], grid: TimestampGrid) throws(CalibrationError) {
        let frames = Dictionary(grouping: edges, by: \.frame).sorted { $0.key < $1.key }
        var (low, high) = (Int64(0), Int64.max)
        for (_, edges) in frames {
            for early in edges {
                for late in edges where late.flash > early.flash && late.moment == early.moment {
                    let far = late.rowAbove - early.rowBelow
                    let near = late.rowBelow - early.rowAbove
                    if far > 0 {
                        low = max(low, dividedUp((late.least - early.most) * 1_000, by: far))
                    }
                    if near > 0 {
                        high = min(high, dividedDown((late.most - early.least) * 1_000, by: near))
                    }
                }
            }
        }
        guard high < .max else { return }
        guard low <= high else { throw Self.contradiction }
        let rowTime = low...high
        self.rowTime = rowTime
        for (frame, edges) in frames {
            ends[frame] = try Self.common(
                edges.filter { $0.moment == .end }.map { $0.firstRow(rowTime) })
            starts[frame] = try Self.common(
                edges.filter { $0.moment == .start }.map { $0.firstRow(rowTime) })
            for end in edges where end.moment == .end {
                for start in edges where start.moment == .start && start.flash == end.flash {
                    try narrowExposure(end, start, rowTime)
                }
            }
        }
        narrow(on: grid)
    }

    /// Fits a global shutter from frames all of whose rows saw a part of a flash, of which none shows both ends of its
    /// exposure.
    ///
    /// - Parameter grid: of the timestamps of the frames by whose indices edges go.
    init(global edges: [RowEdge], grid: TimestampGrid) {
        rowTime = nil
        for edge in edges {
            if edge.moment == .end { ends[edge.frame] = edge.least...edge.most }
            if edge.moment == .start { starts[edge.frame] = edge.least...edge.most }
        }
        narrow(on: grid)
    }

    /// Narrows all bounds by those of the other frames, since all exposures lie alike on the camera's own clock.
    ///
    /// How well the line through the timestamps is known is not better than how they lie around it. Where that leaves
    /// nothing, the camera's clock is not so steady, and each frame's own bounds stay.
    private mutating func narrow(on grid: TimestampGrid) {
        func onGrid(_ ranges: [Int: ClosedRange<Int64>]) -> ClosedRange<Int64>? {
            let low = ranges.map { $1.lowerBound + grid.offsets[$0] }.max() ?? .max
            let high = ranges.map { $1.upperBound + grid.offsets[$0] }.min() ?? .min
            return low <= high ? low - grid.spread...high + grid.spread : nil
        }
        guard let end = onGrid(ends) else { return }
        for (frame, own) in ends {
            let offset = grid.offsets[frame]
            let low = max(own.lowerBound, end.lowerBound - offset)
            let high = min(own.upperBound, end.upperBound - offset)
            if low <= high { ends[frame] = low...high }
        }
        guard let start = onGrid(starts) else { return }
        // Both are widened by the spread; their difference needs it once.
        let low = end.lowerBound - start.upperBound + grid.spread
        let high = end.upperBound - start.lowerBound - grid.spread
        let least = max(low, exposure?.lowerBound ?? low)
        let most = min(high, exposure?.upperBound ?? high)
        if least <= most { exposure = least...most }
    }

    private static let contradiction = CalibrationError(
        "the lit rows contradict each other: another light flickers, or the camera's timing changes;"
            + " darken the room, and switch automatics off")

    private static func common(
        _ ranges: [ClosedRange<Int64>]
    ) throws(CalibrationError) -> ClosedRange<Int64>? {
        guard let first = ranges.first else { return nil }
        let low = ranges.reduce(first.lowerBound) { max($0, $1.lowerBound) }
        let high = ranges.reduce(first.upperBound) { min($0, $1.upperBound) }
        guard low <= high else { throw contradiction }
        return low...high
    }

    /// End and start of one exposure, seen in rows of one frame.
    private mutating func narrowExposure(
        _ end: RowEdge, _ start: RowEdge, _ rowTime: ClosedRange<Int64>
    ) throws(CalibrationError) {
        let least = start.rowBelow - end.rowAbove
        let most = start.rowAbove - end.rowBelow
        let low =
            end.least - start.most
            + dividedDown(
                least * (least >= 0 ? rowTime.lowerBound : rowTime.upperBound), by: 1_000)
        let high =
            end.most - start.least
            + dividedUp(most * (most >= 0 ? rowTime.upperBound : rowTime.lowerBound), by: 1_000)
        let old = exposure ?? low...max(low, high)
        let (newLow, newHigh) = (max(old.lowerBound, low), min(old.upperBound, high))
        guard newLow <= newHigh else { throw Self.contradiction }
        exposure = newLow...newHigh
    }
}
