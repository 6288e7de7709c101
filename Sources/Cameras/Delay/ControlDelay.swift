public import Timebase

/// How long a write of a control group takes to show.
public struct ControlDelay: BitwiseCopyable, Hashable, Sendable {
    /// A write while frame k is being exposed shows from frame k + this on.
    public var latencyFrames: Int
    /// How long the lens still moves after a write.
    public var settle: Interval

    /// Whether a write shows in no frame before that; if it is only assumed, it may show in any.
    public var isExact: Bool

    /// Frames from the one that is being exposed at a write to the first that may differ: a lens that takes time to
    /// move begins at once, and a latency that nobody measured is an upper bound.
    public var earliestFrames: Int { settle > .zero || !isExact ? 0 : latencyFrames }

    /// Creates a delay.
    public init(latencyFrames: Int, settle: Interval = .zero, isExact: Bool = true) {
        precondition(latencyFrames >= 0 && settle >= .zero, "nothing shows before it is written")
        self.latencyFrames = latencyFrames
        self.settle = settle
        self.isExact = isExact
    }
}

extension CameraProfile {
    /// The delay of a group; none where the camera has no such control.
    public func delay(of group: ControlGroup) -> ControlDelay {
        switch group {
        case .exposure: delay(exposure?.latencyFrames, exposure?.latencyOrigin)
        case .gain: delay(gain?.latencyFrames, gain?.latencyOrigin)
        case .lens: delay(focus?.latencyFrames, focus?.latencyOrigin, focus?.settle ?? .zero)
        case .whiteBalance: delay(whiteBalance?.latencyFrames, whiteBalance?.latencyOrigin)
        }
    }

    private func delay(
        _ latencyFrames: Int?, _ origin: FigureOrigin?, _ settle: Interval = .zero
    ) -> ControlDelay {
        ControlDelay(
            latencyFrames: latencyFrames ?? 0, settle: settle, isExact: origin != .assumed)
    }
}
