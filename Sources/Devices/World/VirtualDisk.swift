public import Timebase

/// A disk whose time is the run's own: what it takes from the run is virtual time alone.
///
/// What is recorded still goes to the real one, which is waited for while virtual time stands still.
public protocol VirtualDisk: AnyObject {
    /// Whether frames are recorded with their pixels; otherwise the record has everything but them.
    var takesPixels: Bool { get }

    /// What becomes of a frame whose write begins at a time; writes follow each other.
    func write(slot: Int64, byteCount: Int, at time: Instant<Monotonic>) -> VirtualWrite
}

/// What a ``VirtualDisk`` makes of a frame.
public struct VirtualWrite: BitwiseCopyable, Hashable, Sendable {
    /// How long it takes.
    public var duration: Interval
    /// 0, or the positive errno with which it is refused.
    public var errno: Int32

    /// Creates a write; without figures it is done at once.
    public init(duration: Interval = .zero, errno: Int32 = 0) {
        precondition(duration >= .zero && errno >= 0, "no disk is done before it has begun")
        self.duration = duration
        self.errno = errno
    }
}
