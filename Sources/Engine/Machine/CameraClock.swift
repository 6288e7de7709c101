internal import Cameras
internal import Timebase

/// Relates a camera's own clock to the host's, frame by frame, and says when frames were captured.
///
/// Allocates nothing after it was made.
struct CameraClock {
    /// What a frame's stamp means.
    struct Finding {
        /// The earliest and the latest moment of capture; nil where too little is known.
        var capture: ObservedFrame.Readout?
        /// Whether the clock did not go on as it went.
        var hasStepped = false
        /// A reading for the record.
        var sample: ClockSample?
    }

    /// A clock that breaks so often in a row is none.
    private static let mostBreaks = 8
    /// How often a reading is recorded: the freshest of so long.
    private static let recordInterval = Interval.seconds(1)

    private let model: CameraClockModel
    private let ticksPerSecond: Int64
    private var estimator: ClockEstimator<DeviceClock, Monotonic>
    private var breaks = 0
    private var freshest: ClockSample?
    private var recordedAt = Instant<Monotonic>.distantPast

    init(_ model: CameraClockModel, ticksPerSecond: Int64) {
        self.model = model
        self.ticksPerSecond = max(1, ticksPerSecond)
        // The host's clock is slewed by NTP, the camera's oscillator warms up.
        estimator = ClockEstimator(.steered, knots: 16)
    }

    /// Hears what came with a frame.
    ///
    /// - Parameters:
    ///   - stamp: the camera's.
    ///   - arrival: when its reading had come, on the monotonic clock, at the latest.
    mutating func hear(_ stamp: CameraStamp, arrival: Instant<Monotonic>) -> Finding {
        var finding = Finding()
        guard breaks < Self.mostBreaks, let time = instant(stamp.reading),
            let reading = ClockReading<DeviceClock, Monotonic>(
                stamp: time, arrival: arrival, longestDelay: model.lateness,
                resolution: .nanoseconds(1_000_000_000 / ticksPerSecond + 1))
        else { return finding }
        switch estimator.add(reading) {
        case .fits: breaks = 0
        case .broke:
            breaks += 1
            finding.hasStepped = true
        case .unusable: return finding
        }
        finding.sample = sample(stamp, arrival)
        guard let capture = instant(stamp.capture) else { return finding }
        let limits = estimator.limits(at: capture)
        if let earliest = limits.earliest, let latest = limits.latest, earliest <= latest {
            finding.capture = ObservedFrame.Readout(earliest: earliest, latest: latest)
        }
        return finding
    }

    /// The freshest reading of each second, told by the nominal rate.
    private mutating func sample(
        _ stamp: CameraStamp, _ arrival: Instant<Monotonic>
    ) -> ClockSample? {
        let sample = ClockSample(
            .camera, before: arrival - model.lateness, reading: stamp.reading, after: arrival)
        if let best = freshest, let a = instant(sample.reading), let b = instant(best.reading),
            sample.after - best.after >= a - b
        {
            // The one before is at least as fresh.
        } else {
            freshest = sample
        }
        guard arrival - recordedAt >= Self.recordInterval else { return nil }
        recordedAt = arrival
        defer { freshest = nil }
        return freshest
    }

    /// Ticks as time, cut off to nanoseconds; nil beyond what can be counted.
    private func instant(_ ticks: Int64) -> Instant<DeviceClock>? {
        let nanoseconds = Int128(ticks) * 1_000_000_000 / Int128(ticksPerSecond)
        return Int64(exactly: nanoseconds).map { Instant(nanoseconds: $0) }
    }
}
