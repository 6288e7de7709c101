internal import Devices
internal import Timebase

/// One write of a control group, and what is known of the frames that show it.
struct TimelineWrite: BitwiseCopyable {
    /// Stands for an unknown value: the write failed, or somebody else wrote.
    static let unknown: Int32 = -2

    var value: Int32
    var ticket: Int64
    /// Not before this moment did the device get it.
    var begun: Instant<Monotonic>
    /// From this moment on the device surely has it, and the lens rests.
    var restsAt: Instant<Monotonic>
    var isUnderWay: Bool
    /// What was read back from the device.
    var reading: Int64?
    /// The place from which on frames surely show it; nil until a frame's readout surely began after ``restsAt``.
    var sureFrom: Int64?
    /// The same, where frames that were surely lost inside the camera count too.
    var sureFromOfAll: Int64?
    /// The last frame whose readout surely began before the write; nil if none is known.
    var anchor: Anchor?

    struct Anchor: BitwiseCopyable {
        var place: Int64
        /// Not before this moment did its readout begin.
        var readout: Instant<Monotonic>
    }
}

/// The latest writes of one control group, oldest first.
///
/// Of fixed size; when it is full the oldest is forgotten, which makes older frames uncertain and never wrong. Its
/// memory is made once, and changed in place as long as the history is not copied.
struct WriteHistory: Sendable {
    static let capacity = 16

    private var writes: [TimelineWrite] = []

    init() { writes.reserveCapacity(Self.capacity) }

    var count: Int { writes.count }
    var hasRoom: Bool { count < Self.capacity }
    var newest: TimelineWrite? { writes.last }

    subscript(index: Int) -> TimelineWrite {
        get { writes[index] }
        set { writes[index] = newValue }
    }

    mutating func append(_ write: TimelineWrite) {
        if !hasRoom { removeFirst(1) }
        writes.append(write)
    }

    mutating func removeFirst(_ number: Int) { writes.removeFirst(number) }
}
