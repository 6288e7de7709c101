internal import Devices
internal import Timebase
internal import Tracking

/// Relates a camera's own clock to the host's, frame by frame, and computes when frames were captured.
///
/// Allocates nothing after it was made.
///
/// The relation is fitted from below and above: a reading reaches the host some time after it was made, never before.
/// Used on the capture thread, once a frame.
struct CameraClock {
    /// What a frame's timestamp means.
    struct Finding {
        /// The earliest and the latest moment of capture; nil where too little is known.
        var capture: ObservedFrame.Readout?
        /// Whether the clock jumped or changed its rate: from here on it has a new relation.
        var hasStepped = false
        /// A reading for the record, about once a second; nil for all other frames.
        var sample: ClockSample?
    }

    /// A clock that breaks so often in a row is none: from then on nothing is taken from it.
    private static let mostBreaks = 8
    /// How often a reading is recorded: the freshest of so long.
    private static let recordInterval = Interval.seconds(1)

    private let model: CameraClockModel
    /// At least 1.
    private let ticksPerSecond: Int64
    /// A tick, rounded up: a timestamp is cut off to one.
    private let resolution: Interval
    /// Of the host's clocks: the arrival is cut off to a step of theirs.
    private let host: ClockResolution
    private var estimator: ClockEstimator<DeviceClock, Monotonic>
    private var breaks = 0
    /// Ticks that are added to what the camera sends, since the clock was set back.
    private var shift: Int64 = 0
    /// The last reading with what was added to it.
    private var last = Int64.min
    private var freshest: ClockSample?
    /// When a reading was last given for the record, by its arrival.
    private var recordedAt = Instant<Monotonic>.distantPast

    /// - Parameters:
    ///   - model: how late readings may be, and what moment of a frame a timestamp marks.
    ///   - ticksPerSecond: as the camera reports it.
    ///   - host: the resolution of the host's clocks.
    init(
        _ model: CameraClockModel, ticksPerSecond: Int64, host: ClockResolution = .nanosecond
    ) {
        self.model = model
        self.host = host
        self.ticksPerSecond = max(1, ticksPerSecond)
        resolution = .nanoseconds(1_000_000_000 / max(1, ticksPerSecond) + 1)
        // The host's clock is slewed by NTP, the camera's oscillator warms up.
        estimator = ClockEstimator(.steered, knots: 16)
    }

    /// Hears what came with a frame.
    ///
    /// - Parameters:
    ///   - timestamp: the camera's.
    ///   - arrival: when its reading had come, on the monotonic clock, at the latest.
    ///   - doubt: how much earlier that may have been.
    mutating func observe(
        _ timestamp: CameraTimestamp, arrival: Instant<Monotonic>, doubt: Interval = .zero
    ) -> Finding {
        var finding = Finding()
        let delay = model.delay + doubt
        shift = shifted(timestamp.reading)
        last = timestamp.reading &+ shift
        guard breaks < Self.mostBreaks, let time = instant(last),
            let reading = ClockReading<DeviceClock, Monotonic>(
                timestamp: time, arrival: arrival, longestDelay: delay,
                resolution: resolution, second: host)
        else { return finding }
        switch estimator.add(reading) {
        case .fits: breaks = 0
        case .broke:
            breaks += 1
            finding.hasStepped = true
        case .unusable: return finding
        }
        finding.sample = sample(timestamp, arrival, delay)
        guard let capture = instant(timestamp.capture &+ shift) else { return finding }
        let limits = estimator.limits(at: capture)
        if let earliest = limits.earliest, let latest = limits.latest, earliest <= latest {
            finding.capture = ObservedFrame.Readout(
                earliest: earliest, latest: latest + resolution)
        }
        return finding
    }

    /// The shift from a reading on: a clock that is set back goes on far ahead, where nothing agrees with what was.
    ///
    /// By a minute's ticks ahead, so that the estimator sees a break instead of time going backwards.
    private func shifted(_ reading: Int64) -> Int64 {
        reading &+ shift < last ? last &- reading &+ 60 * ticksPerSecond : shift
    }

    /// The freshest reading of each second, converted by the nominal rate.
    private mutating func sample(
        _ timestamp: CameraTimestamp, _ arrival: Instant<Monotonic>, _ delay: Interval
    ) -> ClockSample? {
        let sample = ClockSample(
            before: arrival - delay, .camera(ticks: timestamp.reading), after: arrival)
        if isFresher(sample, than: freshest) { freshest = sample }
        guard arrival - recordedAt >= Self.recordInterval else { return nil }
        recordedAt = arrival
        defer { freshest = nil }
        return freshest
    }

    /// Whether a reading came after a shorter delay than another: by how much later it arrived than by its ticks alone.
    private func isFresher(_ sample: ClockSample, than other: ClockSample?) -> Bool {
        guard let other, let a = instant(sample.time.count), let b = instant(other.time.count)
        else {
            return true
        }
        return sample.after - other.after < a - b
    }

    /// Ticks as time, cut off to nanoseconds; nil beyond what can be counted.
    private func instant(_ ticks: Int64) -> Instant<DeviceClock>? {
        let nanoseconds = Int128(ticks) * 1_000_000_000 / Int128(ticksPerSecond)
        return Int64(exactly: nanoseconds).map { Instant(nanoseconds: $0) }
    }
}
