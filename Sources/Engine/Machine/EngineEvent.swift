public import Cameras
public import Lines
public import Records
public import Timebase

/// What the engine is told.
///
/// Plain bits.
public enum EngineEvent: BitwiseCopyable, Sendable {
    /// The stream has started, with the plan's first settings written at `settingsWritten`.
    case started(settingsWritten: Instant<Monotonic>, applied: AppliedSettings)
    /// A frame has arrived; whether a pool buffer is free for it.
    case frame(DequeuedFrame, hasRoom: Bool)
    /// An edge has arrived.
    case edge(LineEdge)
    /// Settings that were ordered are written, or refused.
    case settingsWritten(WriteResult)
    /// What the device says that it has of these groups.
    case settingsRead(groups: ControlGroups, applied: AppliedSettings)
    /// An output was switched, or could not be.
    case outputSet(line: Int32, active: Bool, planned: Instant<Monotonic>, succeeded: Bool)
    /// The disk refused a frame.
    case storageFailed
    /// The stream is broken for good; ENODEV means that the camera is gone.
    case streamFailed(errno: Int32)
    /// Somebody asked the run to stop.
    case interrupt
    /// Time has passed, or there is room for more actions.
    case tick
}

/// How a write of settings went.
public struct WriteResult: BitwiseCopyable, Hashable, Sendable {
    /// The settings that were written.
    public var settings: Int32
    /// The groups of them.
    public var groups: ControlGroups
    /// The slot that they were written for; −1 for none.
    public var slot: Int64
    /// When the write began; it ended when the engine was told.
    public var begun: Instant<Monotonic>
    /// 0, or the positive errno of a refusal.
    public var errno: Int32

    /// Creates a result.
    public init(
        settings: Int32, groups: ControlGroups, slot: Int64, begun: Instant<Monotonic>,
        errno: Int32
    ) {
        self.settings = settings
        self.groups = groups
        self.slot = slot
        self.begun = begun
        self.errno = errno
    }
}
