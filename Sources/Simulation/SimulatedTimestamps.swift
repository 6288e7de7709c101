internal import Devices
internal import Timebase

/// What the simulated camera's own clock shows along with its frames.
///
/// A frame is timestamped when its readout begins; the reading that comes with it is made up to a millisecond later and
/// reaches the host late, each time by another span from the seed.
struct SimulatedTimestamps {
    private let timing: SimulatedCameraClock
    private var random: SplitMix64

    init(_ timing: SimulatedCameraClock, seed: UInt64) {
        self.timing = timing
        random = SplitMix64(seed: seed).split(12)
    }

    /// The timestamp of a frame that was read out from a moment on.
    mutating func timestamp(_ readout: Instant<Monotonic>, at clock: SimulatedClock)
        -> CameraTimestamp
    {
        let read = readout + .nanoseconds(Int64(random.next() % 1_000_000))
        let range = timing.longestDelay - timing.shortestDelay
        let further = Int64(random.next() % UInt64(max(1, range.nanoseconds)))
        let arrival = read + timing.shortestDelay + .nanoseconds(further)
        return CameraTimestamp(
            capture: clock.reading(of: .camera, at: readout),
            reading: clock.reading(of: .camera, at: read),
            // As a driver does: on the clock that it timestamps frames with, late and never early.
            arrival: clock.timestamp(arrival) + .microseconds(1))
    }
}
