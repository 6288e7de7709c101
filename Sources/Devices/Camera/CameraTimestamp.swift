public import Timebase

/// A frame's timestamp on the camera's own clock, in ticks that never restart.
///
/// Such a timestamp is made inside the camera, so no bus and no interrupt make it late. What it is on the host's clock
/// follows from readings of the camera's clock, each of which reached the host some time after it was made.
public struct CameraTimestamp: BitwiseCopyable, Hashable, Sendable {
    /// When the frame was captured: the moment that ``CameraClockModel/point`` names.
    public var capture: Int64
    /// The freshest reading of the clock that came with the frame.
    public var reading: Int64
    /// When that reading had reached the host, on the clock that the driver timestamps frames with.
    public var arrival: Instant<Monotonic>

    /// Creates a timestamp.
    public init(capture: Int64, reading: Int64, arrival: Instant<Monotonic>) {
        self.capture = capture
        self.reading = reading
        self.arrival = arrival
    }
}

/// What is known of a camera's own clock.
public struct CameraClockModel: Hashable, Sendable {
    /// Where its readings come from.
    public enum Source: String, Hashable, Sendable, CaseIterable {
        /// The headers of a USB camera's packets: PTS for frames, SCR for readings (UVC 1.5, 2.4.3.3).
        case packetHeaders = "uvc"
    }

    /// Where its readings come from.
    public var source: Source
    /// The moment that a frame's timestamp marks.
    public var point: TimestampModel.Point
    /// The freshest reading that comes with a frame reaches the host at most this late.
    public var delay: Interval

    /// Creates a model.
    public init(source: Source, point: TimestampModel.Point, delay: Interval) {
        self.source = source
        self.point = point
        self.delay = delay
    }
}
