public import Devices
public import Timebase

/// A frame of a triggered camera, by its number and the time of its readout.
public struct TriggeredFrame: BitwiseCopyable, Hashable, Sendable {
    /// The device's number.
    public var sequence: UInt32
    /// The earliest moment at which its readout can have begun.
    public var earliestReadout: Instant<Monotonic>
    /// The latest moment at which its readout can have begun.
    public var latestReadout: Instant<Monotonic>
    /// Frames that the device's numbers skip before it; nil where they give no count, for example after a reset.
    public var missing: Int64?

    /// Creates a frame.
    public init(
        sequence: UInt32, earliestReadout: Instant<Monotonic>, latestReadout: Instant<Monotonic>,
        missing: Int64? = 0
    ) {
        self.sequence = sequence
        self.earliestReadout = earliestReadout
        self.latestReadout = latestReadout
        self.missing = missing
    }
}

/// What became of an edge, of a frame, or of both together; final.
public struct TriggerDecision: BitwiseCopyable, Hashable, Sendable {
    /// What became of them.
    public var outcome: TriggerClass
    /// The edge; nil for a frame without one.
    ///
    /// An ambiguous frame has the first of the edges that it may belong to; the others have decisions of their own.
    public var edge: LineEdge?
    /// The number of the frame; nil for an edge without one.
    public var sequence: UInt32?
    /// Whether the frame came; false where it is one that the device's numbers skip.
    public var isDelivered: Bool

    /// Creates a decision.
    public init(
        _ outcome: TriggerClass, edge: LineEdge? = nil, sequence: UInt32? = nil,
        isDelivered: Bool = true
    ) {
        self.outcome = outcome
        self.edge = edge
        self.sequence = sequence
        self.isDelivered = isDelivered && sequence != nil
    }
}
