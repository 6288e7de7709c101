internal import Timebase

/// Says from which frame on written settings are surely in force.
///
/// A control written while frame k is being exposed shows from frame k + latency on. Frame k is the first one whose
/// readout begins after the write has returned; since stamps may be late, it is the first one whose readout *surely*
/// begins after it.
struct SettingsBarrier {
    private enum State {
        case open
        case writing
        case written(at: Instant<Monotonic>)
        case counting(from: UInt32)
    }

    private var state = State.open
    private var latencyFrames: UInt32 = 0

    /// Whether settings are being written or not yet surely in force.
    var isClosed: Bool {
        if case .open = state { false } else { true }
    }

    /// A write has been ordered: nothing is sure until it returns.
    mutating func beginWriting() {
        state = .writing
    }

    /// The write has returned, or the lens has come to rest, at this time.
    mutating func written(at time: Instant<Monotonic>, latencyFrames: Int) {
        self.latencyFrames = UInt32(clamping: latencyFrames)
        state = .written(at: time)
    }

    /// The sequence has jumped: what was counted so far is worth nothing, so counting starts anew with the next frame.
    mutating func restartCounting(from sequence: UInt32) {
        if case .counting = state { state = .counting(from: sequence) }
    }

    /// Offers the next frame of the stream.
    ///
    /// - Returns: whether the settings are surely in force in it.
    mutating func admits(sequence: UInt32, earliestReadout: Instant<Monotonic>) -> Bool {
        switch state {
        case .open: return true
        case .writing: return false
        case .written(let time):
            guard earliestReadout > time else { return false }
            state = .counting(from: sequence)
            return admits(sequence: sequence, earliestReadout: earliestReadout)
        case .counting(let start):
            guard sequence &- start >= latencyFrames else { return false }
            state = .open
            return true
        }
    }

    /// How many frames after `last` the first sure one will be; nil while that can't be said.
    ///
    /// - Parameter framesUntil: how many frames after the last one the first comes whose readout surely begins after
    ///   a time.
    func framesAhead(
        ofLast last: UInt32, framesUntil: (Instant<Monotonic>) -> Int64
    ) -> Int64? {
        switch state {
        case .open: 1
        case .writing: nil
        case .written(let time): framesUntil(time) + Int64(latencyFrames)
        case .counting(let start):
            max(1, Int64(Int32(bitPattern: start &+ latencyFrames &- last)))
        }
    }
}
