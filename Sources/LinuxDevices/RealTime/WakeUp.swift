internal import CRealTime
internal import Glibc

/// Ends another thread's wait: an event counter whose descriptor becomes readable when it is signalled.
public final class WakeUp: Sendable {
    /// What the waiting thread watches.
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
    /// - Returns: how often it was signalled since.
    @discardableResult
    public func take() -> Int {
        Int(max(0, fl_event_take(descriptor)))
    }
}
