internal import Timebase

extension ClockSample {
    /// The sample as an estimator takes it; nil if it says nothing.
    ///
    /// - Parameter ticksPerSecond: of the camera's own clock; nil if it has none.
    func reading(
        cameraTicksPerSecond ticksPerSecond: Int64?
    ) -> ClockReading<Monotonic, DeviceClock>? {
        guard clock == .camera else {
            return ClockReading(
                before: before, reading: Instant(nanoseconds: reading), after: after)
        }
        guard let ticksPerSecond, ticksPerSecond > 0,
            let time = Int64(exactly: Int128(reading) * 1_000_000_000 / Int128(ticksPerSecond))
        else { return nil }
        return ClockReading(
            before: before, reading: Instant(nanoseconds: time), after: after,
            resolution: .nanoseconds(1_000_000_000 / ticksPerSecond + 1))
    }
}

extension ClockSource {
    /// What such a clock keeps to against the monotonic one.
    var behaviour: ClockBehaviour {
        switch self {
        case .realtime, .tai, .boottime: .sameOscillator
        // What NTP does to the monotonic clock shows in both.
        case .monotonicRaw, .planned, .camera: .steered
        }
    }
}
