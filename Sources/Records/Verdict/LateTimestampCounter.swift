internal import Tracking

/// Counts frames that were timestamped later than their camera's profile allows, and judges how many of all they are.
///
/// There, frames before the first slot are left out on both sides: of most of them it could not be known yet.
struct LateTimestampCounter {
    /// Fewer late timestamps than these refute nothing, however short the run.
    private static let fewest: Int64 = 4

    private var all: Int64 = 0
    /// Those that a slot waited for or could have.
    private var late: Int64 = 0
    /// Frames that no slot took.
    private var skipped: Int64 = 0
    /// The number behind those that were left out at the start; nil before that is known.
    private var start: UInt32?

    /// Takes a report of skipped frames or of late timestamps.
    mutating func count(_ event: RunEvent) {
        switch event {
        case .framesSkipped(let count, let from, .startup):
            start = from &+ UInt32(truncatingIfNeeded: count)
            late = 0
        case .framesSkipped(let count, _, let why) where why != .repeated: skipped += count
        case .timestampInvalid(let count, let from, .late):
            let before = start.map { Int64(Int32(bitPattern: $0 &- from)) } ?? 0
            all += count
            late += count - min(count, max(0, before))
        default: break
        }
    }

    /// Adds what they come to, once frames with a row are counted.
    func add(to tally: inout RunTally) {
        tally.lateTimestamps = all
        tally.isMostlyLate =
            late >= Self.fewest && late >= (tally.frames + skipped + 1) / 2
    }
}
