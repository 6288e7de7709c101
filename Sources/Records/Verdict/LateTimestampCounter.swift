internal import Tracking

/// Counts frames that were timestamped later than their camera's profile allows, and judges how many of all they are.
///
/// There, frames before the first slot are left out on both sides: of most of them it could not be known yet. Of those
/// that came while settings settled it often could not either, so that the others are judged alone, too.
struct LateTimestampCounter {
    /// Frames in a row, by the driver's number of the first.
    private struct Span {
        let from: UInt32
        let count: Int64

        /// How many frames both have.
        func overlap(_ other: Self) -> Int64 {
            let ahead = Int64(Int32(bitPattern: other.from &- from))
            return max(0, min(count, ahead + other.count) - max(0, ahead))
        }
    }

    /// Fewer late timestamps than these refute nothing, however short the run.
    private static let fewest: Int64 = 4
    /// Spans that are remembered: a span is reported at its end, after shorter ones that began later.
    private static let mostSpans = 64

    private var all: Int64 = 0
    /// How many frames from the first slot on were late, and how many of all of them had no slot.
    private var late: Int64 = 0
    private var skipped: Int64 = 0
    /// The same of those that came while settings settled.
    private var settling: (late: Int64, skipped: Int64) = (0, 0)
    /// The last that were late, that came before the first slot, and that came while settings settled.
    private var lateSpans: [Span] = []
    private var startSpans: [Span] = []
    private var settlingSpans: [Span] = []

    /// Takes a report of skipped frames or of late timestamps, or that the driver's numbers begin anew.
    mutating func count(_ event: RunEvent) {
        switch event {
        case .framesSkipped(let count, let from, .startup):
            let span = Span(from: from, count: count)
            late -= Self.overlap(span, lateSpans)
            Self.remember(span, in: &startSpans)
        case .framesSkipped(let count, let from, .settling):
            let span = Span(from: from, count: count)
            skipped += count
            settling.skipped += count
            settling.late += Self.overlap(span, lateSpans)
            Self.remember(span, in: &settlingSpans)
        case .framesSkipped(let count, _, let why) where why != .repeated: skipped += count
        case .timestampInvalid(let count, let from, .late):
            let span = Span(from: from, count: count)
            all += count
            late += count - Self.overlap(span, startSpans)
            settling.late += Self.overlap(span, settlingSpans)
            Self.remember(span, in: &lateSpans)
        case .streamStarted, .sequenceJumped:
            (lateSpans, startSpans, settlingSpans) = ([], [], [])
        default: break
        }
    }

    private static func overlap(_ span: Span, _ spans: [Span]) -> Int64 {
        spans.reduce(0) { $0 + $1.overlap(span) }
    }

    private static func remember(_ span: Span, in spans: inout [Span]) {
        if spans.count == mostSpans { spans.removeFirst() }
        spans.append(span)
    }

    /// Adds what they come to, once frames with a row are counted.
    func add(to tally: inout RunTally) {
        tally.lateTimestamps = all
        let others = (late: late - settling.late, all: tally.frames + skipped - settling.skipped)
        tally.isMostlyLate =
            Self.isMostly(late, of: tally.frames + skipped)
            || Self.isMostly(others.late, of: others.all)
    }

    private static func isMostly(_ late: Int64, of all: Int64) -> Bool {
        late >= fewest && late >= (all + 1) / 2
    }
}
