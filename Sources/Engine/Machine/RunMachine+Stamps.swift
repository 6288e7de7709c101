internal import Cameras
internal import Recipes
internal import Records
internal import Timebase

/// What is known of the stamps of the frame at hand.
struct FrameStamps: BitwiseCopyable {
    /// The stamp that the frame goes by, on the monotonic clock.
    var time = Instant<Monotonic>.distantPast
    /// The driver's, untouched, and the clock that it is of.
    var raw = Instant<Monotonic>.distantPast
    var clock = StampedClock.monotonic
    /// How much earlier than ``time`` the stamp may mean.
    var doubt = Interval.zero
    /// When the camera's own clock says that the frame was captured.
    var capture: ObservedFrame.Readout?
    /// The camera's own stamp, in ticks.
    var cameraTicks: Int64?
}

extension RunMachine {
    /// Puts a frame's stamps on the monotonic clock before anything is made of them.
    mutating func timed(
        _ frame: DequeuedFrame, _ now: Instant<Monotonic>, _ actions: inout ActionQueue
    ) -> DequeuedFrame {
        // A frame that was not there when none waited is under way for some periods: a pipeline behind the sensor takes
        // its time too.
        let model = plan.camera.profile.timestamps
        let underWay =
            model.lateness + (clock.period ?? .seconds(1)) * 2 + (model.readout ?? .zero)
            + .seconds(1)
        let reading = stampClock.judge(
            frame.timestamp, earliest: (queueEmptyAt ?? .distantPast) - underWay, taken: now)
        if reading.isNews {
            var found: ClockSource?
            if case .host(let source) = reading.clock { found = source }
            actions.push(.log(.stampClock(found), at: now))
        }
        stamps = FrameStamps(
            time: reading.time, raw: frame.timestamp, clock: reading.clock, doubt: reading.doubt)
        if let stamp = frame.cameraStamp { hear(stamp, frame.sequence, now, &actions) }
        var timed = frame
        timed.timestamp = reading.time
        return timed
    }

    private mutating func hear(
        _ stamp: CameraStamp, _ sequence: UInt32, _ now: Instant<Monotonic>,
        _ actions: inout ActionQueue
    ) {
        let arrival = stampClock.monotonic(stamp.arrival, at: now)
        let finding = cameraClock?.hear(stamp, arrival: arrival.time, doubt: arrival.doubt)
        guard let finding else { return }
        stamps.cameraTicks = stamp.capture
        stamps.capture = finding.capture
        if finding.hasStepped {
            actions.push(.log(.cameraClockStepped(sequence: sequence), at: now))
        }
        if let sample = finding.sample { actions.push(.log(.clockSample(sample), at: now)) }
    }

    /// The earliest and latest moment at which a frame's readout can have begun: by the driver's stamp, and for the
    /// frame at hand by the camera's own clock too.
    ///
    /// Where the two exclude each other the driver's stamp is believed: it needs no relation.
    func readoutStart(of frame: StreamFrame) -> ObservedFrame.Readout? {
        guard let byDriver = clock.readoutStart(of: frame), frame.stamp == stamps.time else {
            return clock.readoutStart(of: frame)
        }
        let byStamp = ObservedFrame.Readout(
            earliest: byDriver.earliest - stamps.doubt, latest: byDriver.latest)
        guard let capture = stamps.capture, let model = plan.camera.profile.timestamps.cameraClock,
            let before = readoutTime(before: model.point)
        else { return byStamp }
        let earliest = max(byStamp.earliest, capture.earliest - before)
        let latest = min(byStamp.latest, capture.latest - before)
        return earliest <= latest
            ? ObservedFrame.Readout(earliest: earliest, latest: latest) : byStamp
    }

    /// From the start of readout to the moment that the camera stamps; nil if it is not known.
    private func readoutTime(before point: TimestampModel.Point) -> Interval? {
        switch point {
        case .startOfReadout: .zero
        case .endOfReadout: plan.camera.profile.timestamps.readout
        }
    }
}
