public import Devices
public import Timebase

/// What really happened in a simulation: each frame of the sensor, delivered or not, and each fault that was injected.
public enum SimulatedTruth: Hashable, Sendable {
    /// A frame of the sensor.
    case frame(SimulatedFrame)
    /// A pulse on an input line; reported a second time if its edge is thrown away later.
    case edge(SimulatedEdge)
    /// Something that was made to go wrong with controls, disk or host; the control and code where there are any.
    case fault(SimulatedFault, at: Instant<Monotonic>, ControlValue?)
}

/// What really became of a frame of the sensor, and what it was exposed with.
public struct SimulatedFrame: Hashable, Sendable {
    /// What became of it on its way.
    public enum Fate: String, Hashable, Sendable, CaseIterable {
        /// The run got it.
        case delivered
        /// The run got it, marked as damaged.
        case damaged
        /// The run got it with fewer bytes than it should have.
        case short
        /// Lost inside the camera: no number was used up.
        case lostInCamera = "lost-in-camera"
        /// Lost between camera and host, with its number.
        case lostInDriver = "lost-in-driver"
        /// It found no buffer, since the host was not quick enough; its number is used up.
        case noBuffer = "no-buffer"
    }

    /// Counts the sensor's frames from 0.
    public var number: Int64
    /// What became of it.
    public var fate: Fate
    /// The number that the driver gave it; nil if it came to none.
    public var sequence: UInt32?
    /// The timestamp that the driver gave it, or would have.
    public var timestamp: Instant<Monotonic>
    /// When its exposure ended and its readout began.
    public var exposureEnd: Instant<Monotonic>
    /// What its sensor had.
    public var codes: [ControlValue]
    /// The ambient light that reached its first row, with an iris that no control shows, in millionths of the usual;
    /// nil in the usual scene.
    public var light: Int64?
}

/// What was made to go wrong, beside frames.
public enum SimulatedFault: String, Hashable, Sendable, CaseIterable {
    /// A write took longer than it should.
    case lateWrite = "late-write"
    /// A write was acknowledged and never reached the sensor.
    case lostWrite = "lost-write"
    /// The camera ignored a control from then on, and kept this code.
    case ignoredControl = "ignored-control"
    /// From then on writes showed later than the profile says.
    case reaction
    /// From then on frames and timestamps were late.
    case jitter
    /// A write was refused.
    case refusedWrite = "refused-write"
    /// Somebody else wrote a control.
    case externalWrite = "external-write"
    /// The host did not get to its work.
    case starvation
    /// The camera was unplugged.
    case unplugged
    /// The run was asked to stop.
    case stopped
    /// The driver's count restarted.
    case sequenceReset = "sequence-reset"
    /// The driver's number stood still from then on.
    case sequenceStuck = "sequence-stuck"
    /// The driver's timestamp stood still from then on.
    case timestampStuck = "timestamp-stuck"
    /// A frame's timestamp was made late.
    case lateInterrupt = "late-interrupt"
    /// The receiver missed the end of a frame, and put the next one's timestamp on it.
    case lostFrameEnd = "lost-frame-end"
    /// From then on frames took twice as long, for a while.
    case halfRate = "half-rate"
    /// The sensor is twice as fast as its driver reports.
    case understatedPixelRate = "understated-pixel-rate"
    /// A frame had zero for a timestamp.
    case zeroTimestamp = "timestamp-zero"
    /// The host's realtime clock was set to another time.
    case clockStep = "clock-step"
    /// The disk did nothing for a while.
    case diskStall = "disk-stall"
    /// The disk refused a frame.
    case diskError = "disk-error"
    /// The disk had no room for a frame.
    case diskFull = "disk-full"
}
