internal import Timebase

/// Finds the first frame that surely shows a write.
///
/// A control written while frame k is being exposed shows from frame k + latency on. Frame k is the first one whose
/// readout surely begins after the write has returned and the lens has come to rest. Timestamps may be late, so
/// "surely" goes by the earliest moment that a timestamp allows.
struct SyncCounter: Sendable {
    private enum Phase {
        case waiting
        case counting(from: Int64)
    }

    private let writtenAt: Instant<Monotonic>
    private let latencyFrames: Int64
    private var phase = Phase.waiting

    init(writtenAt: Instant<Monotonic>, latencyFrames: Int) {
        self.writtenAt = writtenAt
        self.latencyFrames = Int64(latencyFrames)
    }

    /// Offers the next frame of the stream, by its place among all that were counted.
    ///
    /// - Returns: whether it surely shows the write.
    mutating func admits(place: Int64, earliestReadout: Instant<Monotonic>?) -> Bool {
        if case .waiting = phase {
            guard let earliestReadout, earliestReadout > writtenAt else { return false }
            phase = .counting(from: place)
        }
        guard case .counting(let start) = phase else { return false }
        return place - start >= latencyFrames
    }

    /// The sequence jumped: what was counted so far is worth nothing.
    mutating func restart() {
        phase = .waiting
    }
}
