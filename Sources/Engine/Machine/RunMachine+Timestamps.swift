internal import Devices
internal import Recipes
internal import Records
internal import Timebase
internal import Tracking

/// What is known of the timestamps of the frame at hand.
struct FrameTimestamps: BitwiseCopyable {
    /// The timestamp that the frame goes by, on the monotonic clock.
    var time = Instant<Monotonic>.distantPast
    /// The driver's, untouched, and the clock that it is of.
    var raw = Instant<Monotonic>.distantPast
    var clock = TimestampClock.monotonic
    /// How much earlier than ``time`` the timestamp may mean.
    var doubt = Interval.zero
    /// When the camera's own clock says that the frame was captured.
    var capture: ObservedFrame.Readout?
    /// The camera's own timestamp, in ticks.
    var cameraTicks: Int64?
}

extension RunMachine {
    /// Puts a frame's timestamps on the monotonic clock before anything is made of them.
    mutating func timed(
        _ frame: DequeuedFrame, _ now: Instant<Monotonic>, _ actions: inout ActionQueue
    ) -> DequeuedFrame {
        // A frame that was not there when none waited is under way for some periods: a pipeline behind the sensor takes
        // its time too.
        let model = plan.camera.profile.timestamps
        let underWay =
            model.delay + (clock.period ?? .seconds(1)) * 2 + (model.readout ?? .zero)
            + .seconds(1)
        let reading = timestampClock.judge(
            frame.timestamp, earliest: (queueEmptyAt ?? .distantPast) - underWay, taken: now)
        if reading.isNews {
            var found: ClockSource?
            if case .host(let source) = reading.clock { found = source }
            actions.push(.log(.timestampClock(found), at: now))
        }
        timestamps = FrameTimestamps(
            time: reading.time, raw: frame.timestamp, clock: reading.clock, doubt: reading.doubt)
        if let timestamp = frame.cameraTimestamp {
            observe(timestamp, frame.sequence, now, &actions)
        }
        var timed = frame
        timed.timestamp = reading.time
        return timed
    }

    private mutating func observe(
        _ timestamp: CameraTimestamp, _ sequence: UInt32, _ now: Instant<Monotonic>,
        _ actions: inout ActionQueue
    ) {
        let arrival = timestampClock.monotonic(timestamp.arrival, at: now)
        let finding = cameraClock?.observe(timestamp, arrival: arrival.time, doubt: arrival.doubt)
        guard let finding else { return }
        timestamps.cameraTicks = timestamp.capture
        timestamps.capture = finding.capture
        if finding.hasStepped {
            actions.push(.log(.cameraClockStepped(sequence: sequence), at: now))
        }
        if let sample = finding.sample { actions.push(.log(.clockSample(sample), at: now)) }
    }

    /// The earliest and latest moment at which a frame's readout can have begun: by the driver's timestamp, and for the
    /// frame at hand by the camera's own clock too.
    ///
    /// Where the two exclude each other the driver's timestamp is believed: it needs no relation.
    func readoutStart(of frame: StreamFrame) -> ObservedFrame.Readout? {
        guard let byDriver = clock.readoutStart(of: frame), frame.timestamp == timestamps.time
        else {
            return clock.readoutStart(of: frame)
        }
        let byTimestamp = ObservedFrame.Readout(
            earliest: byDriver.earliest - timestamps.doubt, latest: byDriver.latest)
        guard let capture = timestamps.capture,
            let model = plan.camera.profile.timestamps.cameraClock,
            let before = readoutTime(before: model.point)
        else { return byTimestamp }
        let earliest = max(byTimestamp.earliest, capture.earliest - before)
        let latest = min(byTimestamp.latest, capture.latest - before)
        return earliest <= latest
            ? ObservedFrame.Readout(earliest: earliest, latest: latest) : byTimestamp
    }

    /// From the start of readout to the moment that the camera timestamps; nil if it is not known.
    private func readoutTime(before point: TimestampModel.Point) -> Interval? {
        switch point {
        case .startOfReadout: .zero
        case .endOfReadout: plan.camera.profile.timestamps.readout
        }
    }
}
