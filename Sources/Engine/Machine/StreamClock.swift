internal import Cameras
internal import Timebase

/// The timeline of a stream: what stamps mean in exposures, when the next frames will come, and which are missing.
struct StreamClock {
    /// A frame of the stream, delivered or not, by its number and the moment its readout began.
    struct Candidate: Hashable {
        var sequence: UInt32
        /// The driver's stamp, or the one it would have had.
        var stamp: Instant<Monotonic>
    }

    /// What stands between the last frame and this one.
    struct Gap: Hashable {
        /// Frames that the sequence skips.
        var bySequence: Int64 = 0
        /// Further frames that only the spacing of stamps shows.
        var bySpacing: Int64 = 0
        /// The sequence made no sense (repeated or jumped); nothing is concluded from it.
        var isJump = false
    }

    /// More missing frames than this in one gap are not believed: the sequence was reset.
    static let largestGap: UInt32 = 4096

    private let model: TimestampModel
    private let nominalPeriod: Interval?
    /// Whether frames come when edges do, so that their spacing says nothing.
    private let isTriggered: Bool
    private var first: Candidate?
    private(set) var last: Candidate?
    private var framesSinceFirst: Int64 = 0

    init(model: TimestampModel, nominalPeriod: Interval?, isTriggered: Bool = false) {
        self.model = model
        self.isTriggered = isTriggered
        self.nominalPeriod = nominalPeriod
    }

    /// Time from frame to frame: the promised one, else the mean so far; nil before two frames.
    var period: Interval? {
        if let nominalPeriod { return nominalPeriod }
        guard !isTriggered, let first, let last, framesSinceFirst > 0 else { return nil }
        return (last.stamp - first.stamp) / framesSinceFirst
    }

    /// Takes note of a delivered frame and says what is missing before it.
    mutating func advance(to frame: Candidate) -> Gap {
        defer { last = frame }
        guard let last else {
            first = frame
            return Gap()
        }
        let step = frame.sequence &- last.sequence
        guard step >= 1, step <= Self.largestGap else {
            first = frame
            framesSinceFirst = 0
            return Gap(isJump: true)
        }
        var gap = Gap(bySequence: Int64(step) - 1)
        gap.bySpacing = missingBySpacing(step: Int64(step), span: frame.stamp - last.stamp)
        framesSinceFirst += Int64(step) + gap.bySpacing
        return gap
    }

    /// Frames that stamps say are missing beyond the sequence's own gap.
    ///
    /// Judged only against a promised rate, and only when the span is more than 0.7 of a period too long: late
    /// interrupts stretch single intervals, a missing frame doubles one.
    private func missingBySpacing(step: Int64, span: Interval) -> Int64 {
        guard !isTriggered, let nominal = nominalPeriod?.nanoseconds, nominal > 0 else {
            return 0
        }
        let excess = span.nanoseconds - step * nominal
        guard excess > nominal * 7 / 10 else { return 0 }
        return min((excess + nominal / 2) / nominal, Int64(Self.largestGap))
    }

    /// The earliest and latest moment at which a frame's readout can have begun; nil while too little is known to say.
    ///
    /// A stamp is late by 0…lateness; the kernel's stamps are cut off to microseconds, so the truth may also lie 1 µs
    /// later.
    func readoutStart(
        of stamp: Instant<Monotonic>
    ) -> (earliest: Instant<Monotonic>, latest: Instant<Monotonic>)? {
        let earliest = stamp - model.lateness
        let latest = stamp + .microseconds(1)
        guard model.point == .endOfReadout else { return (earliest, latest) }
        guard let readout = model.readout else {
            return period.map { (earliest - $0, latest) }
        }
        return (earliest - readout, latest - readout)
    }

    /// The stamp that the frame `count` periods after the last one will have; nil before the period is known.
    func stamp(framesAhead count: Int64) -> Instant<Monotonic>? {
        guard let last, let period else { return nil }
        return last.stamp + period * count
    }
}
