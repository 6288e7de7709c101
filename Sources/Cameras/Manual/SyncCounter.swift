internal import Timebase

/// Finds the first frame that surely shows a write.
///
/// A control written while frame k is being exposed shows from frame k + latency on. Frame k is the first one whose
/// readout surely begins after the write has returned and the lens has come to rest. Stamps may be late, so "surely"
/// goes by the earliest moment that a stamp allows.
struct SyncCounter: Sendable {
    private enum Phase {
        case waiting
        case counting(from: UInt32)
    }

    private let writtenAt: Instant<Monotonic>
    private let latencyFrames: UInt32
    private var phase = Phase.waiting

    init(writtenAt: Instant<Monotonic>, latencyFrames: Int) {
        self.writtenAt = writtenAt
        self.latencyFrames = UInt32(clamping: latencyFrames)
    }

    /// Offers the next frame of the stream.
    ///
    /// - Returns: whether it surely shows the write.
    mutating func admits(sequence: UInt32, earliestReadout: Instant<Monotonic>?) -> Bool {
        if case .waiting = phase {
            guard let earliestReadout, earliestReadout > writtenAt else { return false }
            phase = .counting(from: sequence)
        }
        guard case .counting(let start) = phase else { return false }
        return sequence &- start >= latencyFrames
    }

    /// The sequence jumped: what was counted so far is worth nothing.
    mutating func restart() {
        phase = .waiting
    }
}

/// The moments at which frames were read out, as far as stamps tell, and jumps of the sequence.
struct ReadoutTimes: Sendable {
    /// More missing frames than this in one gap are not believed: the sequence was reset.
    private static let largestGap: UInt32 = 4096

    private let model: TimestampModel
    private let promised: Interval?
    private(set) var last: (sequence: UInt32, stamp: Instant<Monotonic>)?
    private(set) var measured: Interval?

    init(model: TimestampModel, rate: FrameRate?) {
        self.model = model
        promised = rate?.period
    }

    /// Time from frame to frame: the promised one, else that between the last two frames.
    var period: Interval? { promised ?? measured }

    /// Takes note of a frame; returns whether the sequence made a jump.
    mutating func advance(sequence: UInt32, stamp: Instant<Monotonic>) -> Bool {
        defer { last = (sequence, stamp) }
        guard let last else { return false }
        let step = sequence &- last.sequence
        guard step >= 1, step <= Self.largestGap else { return true }
        measured = (stamp - last.stamp) / Int64(step)
        return false
    }

    /// The earliest moment at which a frame's readout can have begun; nil while too little is known.
    func earliestReadout(of stamp: Instant<Monotonic>) -> Instant<Monotonic>? {
        let earliest = stamp - model.lateness
        guard model.point == .endOfReadout else { return earliest }
        return (model.readout ?? period).map { earliest - $0 }
    }
}
