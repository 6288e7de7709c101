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
struct WriteHistory: BitwiseCopyable {
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

    mutating func append(_ write: TimelineWrite) {
        if count == Self.capacity { removeFirst(1) }
        writes[count] = write
        count += 1
    }

    mutating func removeFirst(_ number: Int) {
        guard number > 0 else { return }
        var place = number
        while place < count {
            writes[place - number] = writes[place]
            place += 1
        }
        count -= number
    }
}

/// The latest writes of each control group, in memory that is made once.
///
/// A copy of them costs more than all that is asked of them, and a structure that holds them is copied at each call of
/// one of its methods.
///
/// `@unchecked Sendable`: each belongs to one ``SettingsTimeline``, which is never copied.
final class WriteHistories: @unchecked Sendable {
    private var histories = GroupArray(repeating: WriteHistory())

    subscript(group: ControlGroup) -> WriteHistory {
        _read { yield histories[group.rawValue] }
        _modify { yield &histories[group.rawValue] }
    }
}
