public import Timebase

/// Lens position ↔ code: a straight line from the nearest to the farthest code, which may run downwards.
public struct FocusModel: Hashable, Sendable {
    /// An end of the lens's way.
    public enum Side: String, Hashable, Sendable, CaseIterable {
        case near, far
    }

    /// How the lens is brought to a position, so that it comes to rest at the same place each time.
    public struct Approach: Hashable, Sendable {
        /// The side that the last move comes from.
        public var side: Side
        /// How far beyond the position the lens goes first, in codes; positive.
        public var overTravelCodes: Int64
        /// Creates an approach.
        public init(side: Side, overTravelCodes: Int64) {
            self.side = side
            self.overTravelCodes = overTravelCodes
        }
    }

    /// What a code was calibrated to be sharp at.
    public struct Calibrated: Hashable, Sendable {
        /// The code.
        public var code: Int64
        /// The reciprocal of the distance in metres, in thousandths of a dioptre.
        public var millidioptres: Int64
        /// Creates a point.
        public init(code: Int64, millidioptres: Int64) {
            self.code = code
            self.millidioptres = millidioptres
        }
    }

    /// The control.
    public var control: CameraControl
    /// Code of lens position 0.
    public var nearCode: Int64
    /// Code of lens position 1.
    public var farCode: Int64
    /// As in ``ExposureModel/latencyFrames``.
    public var latencyFrames: Int
    /// Where ``latencyFrames`` comes from.
    public var latencyOrigin: FigureOrigin
    /// How long the lens moves after a write.
    public var settle: Interval
    /// How positions are approached; nil where they are written straight away.
    public var approach: Approach?
    /// Codes and the distances at which they are sharp, ascending in dioptres; empty where nobody calibrated them.
    public var dioptres: [Calibrated]
    /// The codes that the attached device takes, where it reports them: they may be fewer than from one end to the
    /// other.
    public var liveCodes: CodeRange?
    /// Where ``liveCodes`` comes from.
    public var limit: LimitOrigin?

    /// Creates a model.
    public init(
        control: CameraControl, nearCode: Int64, farCode: Int64, latencyFrames: Int,
        settle: Interval, latencyOrigin: FigureOrigin = .assumed, approach: Approach? = nil,
        dioptres: [Calibrated] = []
    ) {
        precondition(nearCode != farCode, "a lens that moves has two ends")
        self.control = control
        self.nearCode = nearCode
        self.farCode = farCode
        self.latencyFrames = latencyFrames
        self.latencyOrigin = latencyOrigin
        self.settle = settle
        self.approach = approach
        self.dioptres = dioptres
    }
}
