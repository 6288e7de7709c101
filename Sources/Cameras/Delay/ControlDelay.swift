public import Timebase

/// How long a write of a control group takes to show.
public struct ControlDelay: BitwiseCopyable, Hashable, Sendable {
    /// A write while frame k is being exposed shows from frame k + this on.
    public var latencyFrames: Int
    /// How long the lens still moves after a write.
    public var settle: Interval

    /// Frames from the one that is being exposed at a write to the first that may differ: a lens that takes time to
    /// move begins at once.
    public var earliestFrames: Int { settle > .zero ? 0 : latencyFrames }

    /// Creates a delay.
    public init(latencyFrames: Int, settle: Interval = .zero) {
        precondition(latencyFrames >= 0 && settle >= .zero, "nothing shows before it is written")
        self.latencyFrames = latencyFrames
        self.settle = settle
    }
}

extension CameraProfile {
    /// The delay of a group; none where the camera has no such control.
    public func delay(of group: ControlGroup) -> ControlDelay {
        switch group {
        case .exposure: ControlDelay(latencyFrames: exposure?.latencyFrames ?? 0)
        case .gain: ControlDelay(latencyFrames: gain?.latencyFrames ?? 0)
        case .lens:
            ControlDelay(
                latencyFrames: focus?.latencyFrames ?? 0, settle: focus?.settle ?? .zero)
        case .whiteBalance: ControlDelay(latencyFrames: whiteBalance?.latencyFrames ?? 0)
        }
    }
}
