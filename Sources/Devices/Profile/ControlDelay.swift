public import Timebase

/// How long a write of a control group takes to show.
///
/// A frame is *being exposed* from the start of readout of the frame before it to its own: from timestamp to timestamp,
/// where these mark the start of readout. Latencies count from that frame. libcamera's delays count from the frame
/// whose start came before the write, so they are one more: its 2 is our 1.
public struct ControlDelay: BitwiseCopyable, Hashable, Sendable {
    /// A write while frame k is being exposed shows from frame k + this on.
    public var latencyFrames: Int
    /// How long the lens still moves after a write.
    public var settle: Interval

    /// A write while frame k is being exposed shows in no frame before k + this, unless a lens moves.
    public var leastFrames: Int

    /// Whether a write shows in no frame before the one in which it surely does.
    public var isExact: Bool { leastFrames == latencyFrames }

    /// Frames from the one that is being exposed at a write to the first that may differ: a lens that takes time to
    /// move begins at once, and a latency that nobody measured is an upper bound.
    public var earliestFrames: Int { settle > .zero ? 0 : leastFrames }

    /// Creates a delay.
    ///
    /// - Parameters:
    ///   - latencyFrames: frames after which a write surely shows.
    ///   - settle: how long the lens still moves after a write.
    ///   - origin: how the frames are known, and so whether it may be fewer (``FigureOrigin/leastFrames(of:)``).
    public init(latencyFrames: Int, settle: Interval = .zero, origin: FigureOrigin = .exact) {
        precondition(latencyFrames >= 0 && settle >= .zero, "nothing shows before it is written")
        self.latencyFrames = latencyFrames
        self.settle = settle
        leastFrames = origin.leastFrames(of: latencyFrames)
    }
}
