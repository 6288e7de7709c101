internal import Devices
internal import Recipes
internal import Records
internal import Timebase
internal import Tracking

/// Puts the timestamps of frames on the monotonic clock, whichever clock a driver takes them from.
///
/// Conversion comes before everything else that looks at a timestamp: gaps, slots and edges see one clock only.
struct FrameTimes {
    /// What the driver's timestamps mean, and the camera's own.
    private let model: TimestampModel
    /// Nothing is converted before it has found that another clock is in use.
    private var clock: TimestampClockCheck
    /// Nil where the camera has no clock of its own, or it is not followed.
    private var cameraClock: CameraClock?
    /// The last moment at which no frame waited; nil before the stream starts.
    private(set) var queueEmptyAt: Instant<Monotonic>?
    /// The timestamps of the last frame that came.
    private(set) var last = FrameTimestamps()
    /// When it was taken, or the stream started.
    private(set) var lastTakenAt = Instant<Monotonic>.distantPast

    /// - Parameters:
    ///   - cameraTicksPerSecond: how often the camera's own clock ticks; nil if it is not followed.
    ///   - resolution: of the host's clocks.
    init(_ model: TimestampModel, cameraTicksPerSecond: Int64?, resolution: ClockResolution) {
        self.model = model
        clock = TimestampClockCheck(resolution: resolution)
        if let model = model.cameraClock, let cameraTicksPerSecond {
            cameraClock = CameraClock(
                model, ticksPerSecond: cameraTicksPerSecond, host: resolution)
        }
    }

    /// The host's clocks were read.
    mutating func note(_ sample: ClockSample) { clock.note(sample) }

    /// The stream has started, after the camera's first settings were written.
    mutating func start(_ written: Instant<Monotonic>, _ now: Instant<Monotonic>) {
        (queueEmptyAt, lastTakenAt) = (written, now)
    }

    /// No frame waited at a time.
    mutating func noteEmptyQueue(at time: Instant<Monotonic>) { queueEmptyAt = time }

    /// Reads a frame's timestamps, before anything is made of them.
    ///
    /// - Parameters:
    ///   - frame: as the driver gave it.
    ///   - period: time from frame to frame; nil while it is not known.
    ///   - now: when it was taken: no timestamp of it can be later.
    ///   - actions: takes what is to be logged of clocks.
    mutating func read(
        _ frame: DequeuedFrame, period: Interval?, _ now: Instant<Monotonic>,
        _ actions: inout ActionQueue
    ) -> FrameTimestamps {
        // A frame that was not there when none waited is under way for some periods: a pipeline behind the sensor takes
        // its time too.
        let underWay =
            model.delay + (period ?? .seconds(1)) * 2 + (model.readout ?? .zero) + .seconds(1)
        let reading = clock.judge(
            frame.timestamp, earliest: (queueEmptyAt ?? .distantPast) - underWay, taken: now)
        if reading.isNews {
            var found: ClockSource?
            if case .host(let source) = reading.clock { found = source }
            actions.push(.log(.timestampClock(found), at: now))
        }
        var timestamps = FrameTimestamps(
            time: reading.time, raw: frame.timestamp, clock: reading.clock, doubt: reading.doubt)
        if let timestamp = frame.cameraTimestamp {
            observe(timestamp, frame.sequence, &timestamps, now, &actions)
        }
        (last, lastTakenAt) = (timestamps, now)
        return timestamps
    }

    private mutating func observe(
        _ timestamp: CameraTimestamp, _ sequence: UInt32, _ timestamps: inout FrameTimestamps,
        _ now: Instant<Monotonic>, _ actions: inout ActionQueue
    ) {
        let arrival = clock.monotonic(timestamp.arrival, at: now)
        let finding = cameraClock?.observe(timestamp, arrival: arrival.time, doubt: arrival.doubt)
        guard let finding else { return }
        timestamps.cameraTicks = timestamp.capture
        timestamps.capture = finding.capture
        if finding.hasStepped {
            actions.push(.log(.cameraClockStepped(sequence: sequence), at: now))
        }
        if let sample = finding.sample { actions.push(.log(.clockSample(sample), at: now)) }
    }
}
