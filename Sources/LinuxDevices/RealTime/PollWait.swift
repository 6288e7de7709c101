internal import CRealTime
internal import Glibc
public import Timebase

/// Waits for several descriptors and a deadline at once; the only place where a capture thread sleeps.
///
/// The descriptors are set once; waiting allocates and locks nothing.
public final class PollWait {
    /// Why a wait ended.
    public enum Outcome: Hashable, Sendable {
        /// At least one descriptor is ready.
        case ready
        /// The deadline came first.
        case deadline
        /// A signal came first.
        case interrupted
        /// The kernel refused: a positive errno.
        case failed(errno: Int32)
    }

    /// How a descriptor stands after a wait.
    public struct Readiness: Hashable, Sendable {
        /// The kernel's POLL… bits.
        public let events: Int16

        /// Whether there is something to read: data (POLLIN), or an event (POLLPRI).
        public var isReadable: Bool { events & Int16(POLLIN | POLLPRI) != 0 }
        /// Whether there is something besides data, as events of a camera's controls.
        public var isUrgent: Bool { events & Int16(POLLPRI) != 0 }
        /// Whether the descriptor reports an error or its device is gone.
        public var isBroken: Bool { events & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 }
    }

    /// What the kernel is handed, at an address that stays: a wait allocates nothing.
    private let entries: UnsafeMutablePointer<pollfd>
    private let count: Int

    /// Creates a wait.
    ///
    /// - Parameter descriptors: what to watch, in an order that ``readiness(_:)`` counts by; a negative one is never
    ///   ready.
    public init(_ descriptors: [Int32]) {
        count = descriptors.count
        entries = .allocate(capacity: max(1, count))
        for (index, descriptor) in descriptors.enumerated() {
            let entry = pollfd(fd: descriptor, events: Int16(POLLIN | POLLPRI), revents: 0)
            (entries + index).initialize(to: entry)
        }
    }

    deinit {
        entries.deallocate()
    }

    /// Waits until a descriptor is ready or the deadline is reached.
    ///
    /// - Parameter deadline: a time that has passed makes this a look without a wait; half of `Int64.max` nanoseconds
    ///   and more mean no deadline at all.
    public func wait(until deadline: Instant<Monotonic>) -> Outcome {
        let result = waitNanoseconds(until: deadline.nanoseconds)
        if result > 0 { return .ready }
        if result == 0 { return .deadline }
        return result == -EINTR ? .interrupted : .failed(errno: -result)
    }

    /// How a descriptor stood when the last wait ended.
    ///
    /// - Parameter place: its place in the list given at the start.
    public func readiness(_ place: Int) -> Readiness {
        precondition(place >= 0 && place < count, "a descriptor that is watched")
        return Readiness(events: entries[place].revents)
    }

    /// Stops or resumes watching a descriptor, for example that of a device which is gone.
    ///
    /// - Parameters:
    ///   - place: its place in the list given at the start.
    ///   - descriptor: −1 to stop watching; another one to watch that instead. What the last wait found for the place
    ///     is forgotten.
    public func watch(_ place: Int, descriptor: Int32) {
        precondition(place >= 0 && place < count, "a descriptor that is watched")
        entries[place].fd = descriptor
        entries[place].revents = 0
    }

    /// Waits; returns how many are ready, 0 at the deadline, or the negative errno.
    @_noLocks
    private func waitNanoseconds(until deadline: Int64) -> Int32 {
        let result = fl_poll_until(entries, Int32(truncatingIfNeeded: count), deadline)
        if result <= 0 {
            // The kernel leaves the last answer standing when it was interrupted.
            for place in 0..<count { entries[place].revents = 0 }
        }
        return result
    }
}
