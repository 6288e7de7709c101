public import Devices
public import Records
public import Timebase

/// What the engine takes: what devices did, and the time.
///
/// Plain bits.
///
/// Made by the runner on the capture thread, with the moment at which it was noticed.
public enum EngineEvent: BitwiseCopyable, Sendable {
    /// The stream has started, with the plan's first settings written at `settingsWritten`.
    case started(settingsWritten: Instant<Monotonic>, applied: AppliedSettings)
    /// A frame has arrived; whether a pool buffer is free for it.
    case frame(DequeuedFrame, hasRoom: Bool)
    /// An edge has arrived.
    case edge(LineEdge)
    /// Every edge up to a time has been passed on.
    ///
    /// Only triggered cameras need it: a frame is not judged before the edges up to it are known.
    case linesRead(upTo: Instant<Monotonic>)
    /// Settings that were ordered are written (errno 0) or refused (positive); the write began at `begun`.
    case settingsWritten(SettingsWrite, begun: Instant<Monotonic>, errno: Int32)
    /// What the device reads back of what was written.
    case settingsRead(SettingsWrite, applied: AppliedSettings)
    /// Somebody else changed a watched control.
    case controlChanged(ControlChange)
    /// An output was switched, or could not be; `planned` is that of the order.
    case outputSet(line: Int32, active: Bool, planned: Instant<Monotonic>, succeeded: Bool)
    /// A clock was read.
    case clockRead(ClockSample)
    /// The disk refused a frame.
    case storageFailed
    /// The stream is broken for good; ENODEV means that the camera is gone.
    case streamFailed(errno: Int32)
    /// Somebody asked the run to stop.
    case interrupt
    /// Time has passed, or there is room for more actions; no frame waited at this moment.
    case tick
}
