internal import Timebase

/// When rows are exposed, from the edges of lit bands: intersections of inequalities in whole numbers.
struct TimingFit {
    /// From row to row in picoseconds; nil where no frame showed two flashes apart.
    var rowTime: ClosedRange<Int64>?
    /// From a frame's stamp to the end of its first row's exposure in nanoseconds, by frame.
    var ends: [ClosedRange<Int64>] = []
    /// The same for the start.
    var starts: [ClosedRange<Int64>] = []
    /// The exposure in nanoseconds; nil where no frame showed both ends of one.
    var exposure: ClosedRange<Int64>?

    /// Fits a rolling shutter.
    ///
    /// Within one frame the stamp's lateness cancels, so the time from row to row does not depend on it.
    ///
    /// - Throws: ``CalibrationError`` where edges contradict each other.
    init(rolling edges: [RowEdge]) throws(CalibrationError) {
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
        for (_, edges) in frames {
            ends += try Self.common(edges.filter { $0.moment == .end }.map { $0.firstRow(rowTime) })
            starts += try Self.common(
                edges.filter { $0.moment == .start }.map { $0.firstRow(rowTime) })
            for end in edges where end.moment == .end {
                for start in edges where start.moment == .start && start.flash == end.flash {
                    try narrowExposure(end, start, rowTime)
                }
            }
        }
    }

    /// Fits a global shutter from frames all of whose rows saw a part of a flash.
    init(global edges: [RowEdge]) {
        rowTime = nil
        ends = edges.filter { $0.moment == .end }.map { $0.least...$0.most }
        starts = edges.filter { $0.moment == .start }.map { $0.least...$0.most }
    }

    private static let contradiction = CalibrationError(
        "the lit rows contradict each other: another light flickers, or the camera's timing changes;"
            + " darken the room, and switch automatics off")

    private static func common(
        _ ranges: [ClosedRange<Int64>]
    ) throws(CalibrationError) -> [ClosedRange<Int64>] {
        guard let first = ranges.first else { return [] }
        let low = ranges.reduce(first.lowerBound) { max($0, $1.lowerBound) }
        let high = ranges.reduce(first.upperBound) { min($0, $1.upperBound) }
        guard low <= high else { throw contradiction }
        return [low...high]
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
