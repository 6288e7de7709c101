public import Timebase

/// One edge on an input line, as the kernel timestamped it.
public struct LineEdge: BitwiseCopyable, Hashable, Sendable {
    /// The line, as an index into the requests that were opened.
    public var line: Int32
    /// Whether the line became active (after active-low is applied).
    public var isRising: Bool
    /// When the interrupt was taken.
    public var timestamp: Instant<Monotonic>
    /// The kernel's count of edges on this line, from 1; a gap means that edges were lost.
    public var lineSequence: UInt32

    /// Creates an edge.
    public init(
        line: Int32, isRising: Bool, timestamp: Instant<Monotonic>, lineSequence: UInt32
    ) {
        self.line = line
        self.isRising = isRising
        self.timestamp = timestamp
        self.lineSequence = lineSequence
    }
}
