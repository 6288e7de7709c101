public import Timebase

/// What really became of a pulse on an input line.
public struct SimulatedEdge: Hashable, Sendable {
    /// What the kernel made of it.
    public enum Fate: String, Hashable, Sendable, CaseIterable {
        /// An edge of its own, with a number where the kernel numbers edges.
        case seen
        /// Too soon after the one before: the line was not stable yet.
        case debounced
        /// It came before the interrupt of the one before was over: both are one edge.
        case merged
        /// Nobody noticed.
        case lost
        /// The queue was full: an edge that waited was thrown away, or the new one, as the interface does.
        case overflowed
    }

    /// The line's name.
    public var line: String
    /// When the contact closed.
    public var time: Instant<Monotonic>
    /// What became of it.
    public var fate: Fate
    /// The kernel's number; nil if it came to none.
    public var sequence: UInt32?
    /// The kernel's timestamp; nil if it came to none.
    public var timestamp: Instant<Monotonic>?
    /// Whether it is the contact of the pulse before, bouncing.
    public var isBounce: Bool
}
