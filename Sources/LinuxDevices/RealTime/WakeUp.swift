internal import CRealTime
internal import Glibc

/// Ends another thread's wait: an event counter whose descriptor becomes readable when it is signalled.
///
/// An `eventfd` rather than a pipe, because one descriptor and one read do, however often it was signalled.
public final class WakeUp: Sendable {
    /// What the waiting thread watches for POLLIN; closed when this object goes.
    public let descriptor: Int32

    /// Creates a wake-up; nil if the process has no descriptor left.
    public init?() {
        descriptor = fl_event_make()
        if descriptor < 0 { return nil }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Wakes the waiting thread; from any thread, never blocks.
    public func signal() {
        _ = fl_event_signal(descriptor)
    }

    /// Makes the descriptor unreadable again.
    ///
    /// Called by the waiting thread alone. Never blocks: 0 if nobody signalled.
    ///
    /// - Returns: how often it was signalled since.
    @discardableResult
    public func take() -> Int {
        Int(max(0, fl_event_take(descriptor)))
    }
}
