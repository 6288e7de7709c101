public import Cameras
public import Imaging
public import Timebase

/// One measurement as decisions alone: told what happens, it says what to do next.
public protocol CalibrationStage {
    /// What has to be measured of the frames to come.
    var subjects: FrameMeter.Subjects { get }

    /// What is to be done now.
    ///
    /// - Throws: ``CalibrationError`` if the measurement can't succeed any more.
    mutating func next(at now: Instant<Monotonic>) throws(CalibrationError) -> CalibrationStep

    /// Takes note of what happened.
    mutating func handle(_ event: CalibrationEvent)
}

/// What a measurement wants done.
public enum CalibrationStep: Hashable, Sendable {
    /// These controls in one call.
    case write([ControlValue])
    /// Nothing until then, or until something happens.
    case wait(until: Instant<Monotonic>)
    /// No more: the measurement is over.
    case finish
}

/// What a measurement is told.
public enum CalibrationEvent: Hashable, Sendable {
    /// A frame was delivered.
    case frame(CalibrationFrame)
    /// What was asked to be written was written, or not.
    case written(CalibrationWrite)
    /// Somebody else changed a control.
    case changed(ControlChange)
}

/// A frame as measurements see it.
public struct CalibrationFrame: Hashable, Sendable {
    /// The device's own count.
    public var sequence: UInt32
    /// The driver's stamp.
    public var stamp: Instant<Monotonic>
    /// Whether the driver marked it as damaged.
    public var isDamaged: Bool
    /// What was measured; empty where nothing was asked for.
    public var reading: FrameReading

    /// Creates a frame.
    public init(
        sequence: UInt32, stamp: Instant<Monotonic>, isDamaged: Bool = false,
        reading: FrameReading = FrameReading()
    ) {
        self.sequence = sequence
        self.stamp = stamp
        self.isDamaged = isDamaged
        self.reading = reading
    }
}

/// A write of controls, and how it went.
public struct CalibrationWrite: Hashable, Sendable {
    /// What was written.
    public var values: [ControlValue]
    /// Not before this did the device get it.
    public var begun: Instant<Monotonic>
    /// From then on the device has it, if it took it.
    public var ended: Instant<Monotonic>
    /// 0, or the positive errno.
    public var errno: Int32

    /// Creates a write.
    public init(
        values: [ControlValue], begun: Instant<Monotonic>, ended: Instant<Monotonic>, errno: Int32
    ) {
        self.values = values
        self.begun = begun
        self.ended = ended
        self.errno = errno
    }
}
