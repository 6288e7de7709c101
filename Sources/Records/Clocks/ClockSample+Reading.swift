internal import Timebase

extension ClockSample {
    /// The sample as an estimator takes it; nil if it holds no reading.
    ///
    /// The same reading is made while a run goes on (``RunClocks``), when it is verified and when it is fitted again
    /// (``RecordedReadings``), so that all three come to the same constraints.
    ///
    /// - Parameters:
    ///   - ticksPerSecond: of the camera's own clock; nil if it has none.
    ///   - resolution: of the host's clocks, than which PTP hardware clocks are taken to be no coarser.
    /// - Returns: nil for a camera's reading where the rate of its ticks is not known, or beyond what can be counted.
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
    ///
    /// A tick that is no whole number of nanoseconds is taken for one nanosecond longer than it is, so that the range
    /// surely holds the moment.
    ///
    /// - Parameters:
    ///   - ticks: as the camera counts them, from any zero.
    ///   - perSecond: ticks in a second; nil is returned unless it is positive.
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
    ///
    /// NTP slews realtime, TAI and boottime together with the monotonic clock, so that their distance changes by steps
    /// alone.
    var behaviour: ClockBehaviour {
        switch self {
        case .realtime, .tai, .boottime: .sameOscillator
        // What NTP does to the monotonic clock shows in both.
        case .monotonicRaw, .planned, .camera: .steered
        }
    }
}
