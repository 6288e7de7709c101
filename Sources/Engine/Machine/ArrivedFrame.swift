internal import Devices
internal import Records
internal import Timebase
internal import Tracking

/// A frame from the driver to its row: its buffer and metadata, its place in the stream, and what is known of its time.
///
/// Plain bits on the stack of the capture thread; the pixels stay in the driver's buffer until the frame is recorded or
/// released.
struct ArrivedFrame: BitwiseCopyable {
    /// As the driver gave it, with its timestamp on the monotonic clock; without metadata that are not surely its own.
    var frame: DequeuedFrame
    /// Its place in the stream.
    var stream: StreamFrame
    /// Its timestamps, untouched and read.
    var timestamps: FrameTimestamps
    /// What its metadata are worth.
    var metadataWorth = MetadataDelay.Worth()

    /// The driver's number, which may repeat or jump; ``stream`` has what is believed of it.
    var sequence: UInt32 { frame.sequence }
}

/// What is known of the timestamps of a frame.
///
/// Made once for a frame by ``FrameTimes/read(_:period:_:_:)``.
struct FrameTimestamps: BitwiseCopyable {
    /// The timestamp that is used for the frame, on the monotonic clock.
    var time = Instant<Monotonic>.distantPast
    /// The driver's, untouched, and the clock that it is of.
    var raw = Instant<Monotonic>.distantPast
    var clock = TimestampClock.monotonic
    /// How much earlier than ``time`` the timestamp may mean; zero where it needed no conversion.
    var doubt = Interval.zero
    /// When the frame was captured by the camera's own clock; nil where it is not followed or too little is
    /// known.
    var capture: ObservedFrame.Readout?
    /// The camera's own timestamp, in ticks; nil where its clock is not followed.
    var cameraTicks: Int64?
}

extension FrameTimestamps {
    /// The earliest and latest moment at which the frame's readout can have begun: by the driver's timestamp and by the
    /// camera's own clock.
    ///
    /// Where the two exclude each other the driver's timestamp is believed: it needs no relation.
    ///
    /// - Parameters:
    ///   - byDriver: the same by the stream clock alone.
    ///   - model: what timestamps mean, the camera's own among them.
    func readoutStart(
        _ byDriver: ObservedFrame.Readout, _ model: TimestampModel
    ) -> ObservedFrame.Readout {
        let byTimestamp = ObservedFrame.Readout(
            earliest: byDriver.earliest - doubt, latest: byDriver.latest)
        guard let capture, let point = model.cameraClock?.point,
            let before = point == .startOfReadout ? .zero : model.readout
        else { return byTimestamp }
        let earliest = max(byTimestamp.earliest, capture.earliest - before)
        let latest = min(byTimestamp.latest, capture.latest - before)
        return earliest <= latest
            ? ObservedFrame.Readout(earliest: earliest, latest: latest) : byTimestamp
    }
}
