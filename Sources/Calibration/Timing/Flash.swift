internal import Timebase

/// A flash of the light: between which times it went on and off.
///
/// The times around the calls that set the output bound it; an edge on an input that is joined to the output narrows
/// them. How long the lamp itself takes is not known here.
struct Flash: Hashable, Sendable {
    /// It was off until here.
    var onEarliest: Instant<Monotonic>
    /// It was on from here.
    var onLatest: Instant<Monotonic>
    /// It was on until here.
    var offEarliest: Instant<Monotonic>
    /// It was off from here.
    var offLatest: Instant<Monotonic>
}

/// A frame that may have seen the flashes of one programme.
struct FlashSample: Sendable {
    /// The driver's timestamp.
    var timestamp: Instant<Monotonic>
    /// The flashes, in order of time.
    var flashes: [Flash]
    /// How much brighter each row is than without the light, in thousandths of codes.
    var rises: [Int64]
}

/// What the rows of some frames look like without flashes.
struct DarkRows: Sendable {
    /// The mean of each row, in thousandths of codes.
    var means: [Int64]
    /// How far any row of any frame lay from its mean, in thousandths of codes: noise, and other lights that flicker.
    var spread: Int64

    /// - Parameter frames: the rows of at least one frame.
    init(_ frames: [[Int64]]) {
        let count = Int64(max(1, frames.count))
        let rows = frames.first?.count ?? 0
        let means = (0..<rows).map { row in frames.reduce(0) { $0 + $1[row] } / count }
        self.means = means
        spread = frames.reduce(0) { most, frame in
            max(most, zip(frame, means).reduce(0) { max($0, abs($1.0 - $1.1)) })
        }
    }
}
