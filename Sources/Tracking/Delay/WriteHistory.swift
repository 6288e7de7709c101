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
/// Of fixed size; when it is full the oldest is forgotten, which makes older frames uncertain and never wrong.
///
/// Memory that is made once: a copy costs more than all that is asked of it, and a structure that holds it is copied at
/// each call of one of its methods.
///
/// `@unchecked Sendable`: each belongs to one ``SettingsTimeline``, which is never copied.
final class WriteHistory: @unchecked Sendable {
    static let capacity = 16

    private var writes: InlineArray<16, TimelineWrite>
    private(set) var count = 0

    init() {
        let nothing = TimelineWrite(
            value: TimelineWrite.unknown, ticket: -1, begun: .distantPast, restsAt: .distantPast,
            isUnderWay: false)
        writes = InlineArray(repeating: nothing)
    }

    var hasRoom: Bool { count < Self.capacity }
    var newest: TimelineWrite? { count > 0 ? writes[count - 1] : nil }

    subscript(index: Int) -> TimelineWrite {
        get {
            precondition(index < count, "a write of the history")
            return writes[index]
        }
        set {
            precondition(index < count, "a write of the history")
            writes[index] = newValue
        }
    }

    func append(_ write: TimelineWrite) {
        if count == Self.capacity { removeFirst(1) }
        writes[count] = write
        count += 1
    }

    func removeFirst(_ number: Int) {
        guard number > 0 else { return }
        var place = number
        while place < count {
            writes[place - number] = writes[place]
            place += 1
        }
        count -= number
    }
}
