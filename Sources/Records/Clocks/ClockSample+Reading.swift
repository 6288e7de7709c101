internal import Timebase

extension ClockSample {
    /// The sample as an estimator takes it; nil if it says nothing.
    ///
    /// - Parameters:
    ///   - ticksPerSecond: of the camera's own clock; nil if it has none.
    ///   - resolution: of the host's clocks, than which PTP hardware clocks are taken to be no coarser.
    func reading(
        cameraTicksPerSecond ticksPerSecond: Int64?, resolution: ClockResolution
    ) -> ClockReading<Monotonic, DeviceClock>? {
        guard clock == .camera else {
            return ClockReading(
                before: before, reading: Instant(nanoseconds: time.count), after: after,
                resolution: resolution.step, first: resolution)
        }
        guard let ticksPerSecond,
            let times = Self.times(ofTicks: time.count, perSecond: ticksPerSecond)
        else { return nil }
        return ClockReading(
            before: before, reading: times.lowerBound, after: after,
            resolution: times.upperBound - times.lowerBound, first: resolution)
    }

    /// For how long a clock shows this many ticks, on its own time; nil beyond what can be counted.
    static func times(
        ofTicks ticks: Int64, perSecond: Int64
    ) -> ClosedRange<Instant<DeviceClock>>? {
        guard perSecond > 0,
            let time = Int64(exactly: Int128(ticks) * 1_000_000_000 / Int128(perSecond))
        else { return nil }
        let first = Instant<DeviceClock>(nanoseconds: time)
        return first.nanoseconds < Instant<DeviceClock>.distantFuture.nanoseconds
            ? first...first + .nanoseconds(1_000_000_000 / perSecond + 1) : nil
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
