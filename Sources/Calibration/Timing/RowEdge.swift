internal import Timebase

/// What the border of a lit band shows of one frame: an inequality from either side of the border.
///
/// `time + rowAbove · τ ≥ least` and `time + rowBelow · τ ≤ most`, where time is the end (or the start) of the first
/// row's exposure, counted from the timestamp, and τ the time from row to row. A lit row saw some of the flash, a dark
/// one not all of it; nothing is assumed of how the camera's codes follow the light.
struct RowEdge: Hashable, Sendable {
    /// Which moment of the exposure it speaks of.
    enum Moment: Hashable, Sendable { case start, end }

    var moment: Moment
    /// The frame it was seen in, as an index.
    var frame: Int
    /// Which of the frame's flashes made it.
    var flash: Int
    /// Nanoseconds from the timestamp.
    var least: Int64
    /// Nanoseconds from the timestamp.
    var most: Int64
    /// A row in the order of reading, from 0, whose moment is not before the flash: there the lower bound holds.
    var rowAbove: Int64
    /// A row in the order of reading whose moment is not after the flash: there the upper bound holds.
    var rowBelow: Int64

    /// The bounds of the time of the first row, for times from row to row between two in picoseconds.
    func firstRow(_ rowTime: ClosedRange<Int64>) -> ClosedRange<Int64> {
        let low = least - dividedUp(rowAbove * rowTime.upperBound, by: 1_000)
        let high = most - rowBelow * rowTime.lowerBound / 1_000
        return low...max(low, high)
    }
}

/// A quotient rounded up; the divisor is positive.
func dividedUp(_ value: Int64, by divisor: Int64) -> Int64 {
    let quotient = value / divisor
    return value % divisor > 0 ? quotient + 1 : quotient
}

/// A quotient rounded down; the divisor is positive.
func dividedDown(_ value: Int64, by divisor: Int64) -> Int64 {
    let quotient = value / divisor
    return value % divisor < 0 ? quotient - 1 : quotient
}
