public import Devices
public import Records
public import Timebase

/// What the engine wants done.
///
/// Plain bits; carried out in order.
///
/// The runner carries them out on the capture thread and reports those that can fail to the machine, before it takes
/// the next action.
public enum EngineAction: BitwiseCopyable, Sendable {
    /// Write settings, then report to the engine (``EngineEvent/settingsWritten(_:begun:errno:)``).
    case write(SettingsWrite)
    /// Read back from the device what was written, then report to the engine.
    ///
    /// Ordered after the write has returned, behind all actions of that turn, which must not wait for it.
    case readBack(SettingsWrite)
    /// Switch an output that was planned for this time, then report to the engine.
    case setOutput(line: Int32, active: Bool, planned: Instant<Monotonic>)
    /// Record this frame with this row, and give its buffer back.
    case record(LedgerRow, DequeuedFrame)
    /// Keep this frame with this row until its group is whole, and give its buffer back.
    case hold(LedgerRow, DequeuedFrame)
    /// Record every frame that is kept, in order.
    case recordHeld
    /// Give every frame that is kept up.
    case discardHeld
    /// Record this hole.
    case recordHole(LedgerRow)
    /// Give a buffer back unrecorded.
    case release(DequeuedFrame)
    /// Write this event down.
    case log(RunEvent, at: Instant<Monotonic>)
    /// The run has ended; every slot has its row.
    ///
    /// The last action of a machine.
    case finish(RunEnding)
}

/// A write of some groups of a set of settings.
public struct SettingsWrite: BitwiseCopyable, Hashable, Sendable {
    /// The number of the write, rising; 0 stands for what was written before the stream started.
    public var ticket: Int64
    /// Index into the plan's settings.
    public var settings: Int32
    /// The groups of them that are written.
    public var groups: ControlGroups
    /// The slot that waits for it; −1 for none.
    public var slot: Int64
    /// Whether the lens goes beyond its place first; its own code follows later, alone and with the same ticket.
    public var isApproach: Bool

    /// Creates a write.
    public init(
        ticket: Int64, settings: Int32, groups: ControlGroups, slot: Int64,
        isApproach: Bool = false
    ) {
        self.ticket = ticket
        self.settings = settings
        self.groups = groups
        self.slot = slot
        self.isApproach = isApproach
    }
}

/// A fixed queue of actions, allocated once.
///
/// Holds unsafe memory because the capture thread must not allocate and a Swift array may.
///
/// The runner drains it after each event. A ring, which begins at its first place again whenever it is empty: what is
/// used stays in the processor's cache, and of the rest no page is ever touched.
public struct ActionQueue: ~Copyable {
    /// Actions that fit; the machine keeps to it by draining long lists of holes in parts.
    public static let capacity = 16_384

    private let storage: UnsafeMutablePointer<EngineAction>
    private var head = 0
    private var tail = 0

    /// Creates an empty queue.
    public init() {
        storage = .allocate(capacity: Self.capacity)
    }

    deinit {
        // Actions are plain bits: nothing to deinitialise.
        storage.deallocate()
    }

    /// Room for further actions.
    public var room: Int { Self.capacity - (tail - head) }
    /// Whether nothing waits.
    public var isEmpty: Bool { head == tail }

    /// Adds an action at the end.
    ///
    /// - Precondition: there is room; the machine looks at ``room`` before it begins what may need much.
    public mutating func push(_ action: EngineAction) {
        precondition(room > 0, "the engine keeps to the capacity of its action queue")
        (storage + tail % Self.capacity).initialize(to: action)
        tail += 1
    }

    /// Takes the oldest action; nil if nothing waits.
    public mutating func pop() -> EngineAction? {
        guard head < tail else { return nil }
        defer {
            head += 1
            if isEmpty { (head, tail) = (0, 0) }
        }
        return (storage + head % Self.capacity).move()
    }
}
