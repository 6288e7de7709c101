internal import Devices
public import Timebase

/// What goes wrong between the sensor and the disk, by chance or at a time; every case of it is reported as it happens.
///
/// Chances are per million. Times count from the start of the stream.
public struct InjectedFaults: Hashable, Sendable {
    /// A stretch of time.
    public struct Span: Hashable, Sendable {
        /// When it begins.
        public var start: Interval
        /// How long it lasts.
        public var duration: Interval

        /// Creates a stretch.
        public init(start: Interval, duration: Interval) {
            self.start = start
            self.duration = duration
        }

        /// Its end.
        var end: Interval { start + duration }
    }

    /// A control that a camera may ignore.
    public enum Ignorable: String, Hashable, Sendable {
        /// The exposure time.
        case exposure
        /// The analogue gain.
        case gain

        var control: CameraControl {
            switch self {
            case .exposure: SimulatedControls.exposure
            case .gain: SimulatedControls.gain
            }
        }
    }

    /// Frames that get a number and are lost on the way to the host's buffers.
    public var driverDrops = 0
    /// Frames that are lost inside the camera, before they get a number.
    public var deviceDrops = 0
    /// Frames that the driver marks as damaged.
    public var damagedFrames = 0
    /// Frames with fewer bytes than they should have.
    public var shortFrames = 0
    /// Writes of controls that take one to eight frame periods longer.
    public var lateWrites = 0
    /// Writes of controls that are acknowledged and read back, and never reach the sensor.
    public var lostWrites = 0
    /// How many writes are lost in a row, once one is.
    public var lostWriteRun = 1
    /// Controls whose writes are acknowledged and read back from the start of the stream on, and never applied.
    public var ignoredControls: Set<Ignorable> = []
    /// Frames that a write takes longer to show than the profile says.
    public var extraLatency: Int64 = 0
    /// Each frame and its timestamp are late by a time of its own, from zero to this, each as likely.
    public var timestampJitter = Interval.zero
    /// Frames whose timestamp is made in an interrupt that came late, by up to eight tenths of a period.
    public var lateInterrupts = 0
    /// Frames whose end the receiver misses: it puts the next timestamp on their picture, and the next frame is lost
    /// without a number.
    public var lostFrameEnds = 0
    /// When frames take twice as long, as where the camera's own automatics lower the rate in the dark.
    ///
    /// Not of cameras that are triggered or without a rate. The earliest first, and none while another lasts.
    public var halfRates: [Span] = []
    /// Whether a raw sensor is twice as fast as its driver reports.
    public var understatesPixelRate = false
    /// Writes of controls that fail with EIO.
    public var refusedWrites = 0
    /// Frames during which somebody else changes the exposure.
    public var externalWrites = 0
    /// Frames whose metadata are lost, of a sensor that sends any.
    public var lostMetadata = 0
    /// Frames whose metadata come only after them, before those of the next one.
    public var lateMetadata = 0
    /// Frames whose metadata are those of the frame before, under this one's number.
    public var wrongMetadata = 0
    /// When the driver's count restarts, with 0.
    public var sequenceReset: Interval?
    /// When the driver's number stands still; afterwards it counts on as if it had not.
    public var sequenceStuck: [Span] = []
    /// When the driver's timestamp stands still.
    public var timestampStuck: [Span] = []
    /// Frames whose timestamp is zero.
    public var zeroTimestamps = 0
    /// When the host's realtime clock is set, and by how much.
    public var clockSteps: [SimulatedCourse.Step] = []
    /// What goes wrong with lines.
    public var lines = SimulatedLineFaults()

    /// When the host does not get to its work: frames pile up, and what finds no buffer is lost in the driver.
    public var starvation: [Span] = []
    /// When the camera is unplugged.
    public var unplugged: Interval?
    /// When the run is asked to stop.
    public var stopped: Interval?

    /// Bytes that the disk takes in a second; nil for as many as there are.
    public var diskBytesPerSecond: Int64?
    /// When the disk does nothing.
    public var diskStalls: [Span] = []
    /// Writes that the disk refuses with EIO.
    public var diskErrors = 0
    /// When the disk is full: from then on it refuses with ENOSPC.
    public var diskFull: Interval?

    /// Creates faults; there are none.
    public init() {}

    /// When comes what would come then at the full rate; both from the start of the stream.
    func atHalfRates(_ time: Interval) -> Interval {
        halfRates.reduce(time) { time, span in
            time + min(max(.zero, time - span.start), span.duration / 2)
        }
    }
}
