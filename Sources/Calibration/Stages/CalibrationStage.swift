public import Devices
public import Imaging
public import Timebase

/// One measurement as decisions alone: it receives what happens and returns what to do next.
///
/// A value without clock, camera or thread of its own: ``CalibrationCamera/run(_:)`` drives it, and tests do so without
/// one. The same events give the same steps.
public protocol CalibrationStage {
    /// What has to be measured of the frames to come; asked before each frame, and the less the faster.
    var subjects: FrameMeter.Subjects { get }
    /// Whether the level of every row is to be measured; false by default.
    var wantsRows: Bool { get }

    /// What is to be done now; asked again after each step and after each wait.
    ///
    /// A step that was asked for is carried out and reported by ``handle(_:)`` before this is asked again.
    ///
    /// - Parameter now: the present, not before anything that was reported.
    /// - Throws: ``CalibrationError`` if the measurement can't succeed any more.
    mutating func next(at now: Instant<Monotonic>) throws(CalibrationError) -> CalibrationStep

    /// Takes note of what happened; events come in the order in which they were seen, not in that of their timestamps.
    mutating func handle(_ event: CalibrationEvent)
}

extension CalibrationStage {
    /// Rows are left alone.
    public var wantsRows: Bool { false }
}

/// What a measurement wants done.
public enum CalibrationStep: Hashable, Sendable {
    /// These controls in one call.
    case write([ControlValue])
    /// This output, by its index into the lines that the camera was opened with.
    case set(line: Int32, active: Bool)
    /// Nothing until then, or until something happens: a frame, an edge or a changed control ends the wait early.
    case wait(until: Instant<Monotonic>)
    /// No more: the measurement is over.
    case finish
}

/// What a measurement takes: what devices did.
public enum CalibrationEvent: Hashable, Sendable {
    /// A frame was delivered.
    case frame(CalibrationFrame)
    /// What was asked to be written was written, or not.
    case written(CalibrationWrite)
    /// Somebody else changed a control: another program, or the camera itself. Own writes are not reported.
    case changed(ControlChange)
    /// An output was set.
    case set(LineChange)
    /// An edge came on an input.
    case edge(LineEdge)
}

/// A frame as measurements see it.
public struct CalibrationFrame: Hashable, Sendable {
    /// The device's own count; wraps at 2^32, and gaps are lost frames.
    public var sequence: UInt32
    /// The driver's timestamp, untouched; the profile states what moment it marks.
    public var timestamp: Instant<Monotonic>
    /// Whether the driver marked it as damaged; then neither ``reading`` nor ``rows`` has anything.
    public var isDamaged: Bool
    /// What was measured; empty where nothing was asked for.
    public var reading: FrameReading
    /// The mean of each row in thousandths of codes; empty where it was not asked for.
    public var rows: [Int64] = []

    /// Creates a frame.
    public init(
        sequence: UInt32, timestamp: Instant<Monotonic>, isDamaged: Bool = false,
        reading: FrameReading = FrameReading()
    ) {
        self.sequence = sequence
        self.timestamp = timestamp
        self.isDamaged = isDamaged
        self.reading = reading
    }
}

/// An output that was set, and between which times it changed.
public struct LineChange: Hashable, Sendable {
    /// The line, an index into the camera's lines.
    public var line: Int32
    /// Whether it is on now.
    public var isActive: Bool
    /// It changed no earlier.
    public var begun: Instant<Monotonic>
    /// It changed no later.
    public var ended: Instant<Monotonic>

    /// Creates a change.
    public init(
        line: Int32, isActive: Bool, begun: Instant<Monotonic>, ended: Instant<Monotonic>
    ) {
        self.line = line
        self.isActive = isActive
        self.begun = begun
        self.ended = ended
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
