public import Devices
public import Imaging
public import Timebase

/// Who decides on a subject at the moment.
public enum ManualMode: String, Hashable, Sendable, CaseIterable {
    /// The camera itself, in the state in which it was found.
    case free
    /// Nobody: it stays as it is.
    case locked
    /// A routine, once; locked afterwards.
    case auto
    /// A routine, all the time.
    case continuous
    /// Exposure only: the caller, by duration and gain.
    case custom
}

/// What can be observed of a camera, in every mode.
public struct ManualState: Hashable, Sendable {
    /// What exposure, focus and white balance have in common.
    public struct Control: Hashable, Sendable {
        /// Who decides.
        public var mode = ManualMode.free
        /// How the routine stands; nil where none has run.
        public var routine: RoutineState?
        /// Whether something was asked that frames do not surely show yet.
        public var isAdjusting = false
        /// When a lock ends by itself; nil if it does not.
        public var lockedUntil: Instant<Monotonic>?
    }

    /// Exposure's mode and routine.
    public var exposure = Control()
    /// The lens's mode and routine.
    public var focus = Control()
    /// White balance's mode and routine.
    public var whiteBalance = Control()

    /// The exposure duration that was read back from the device; nil before that.
    public var duration: Interval?
    /// The gain that was read back.
    public var gain: Gain?
    /// The lens position that was read back.
    public var lens: LensPosition?
    /// The white balance that was read back.
    public var balance: WhiteBalance?
    /// How much brighter than the target the picture is to be, in thousandths of an EV.
    public var biasThousandths: Int64 = 0
    /// How much brighter than the target, bias included, the last frame was, in thousandths of an EV; nil before one
    /// was metered.
    public var offsetThousandths: Int64?
    /// Whether so much of the last frame was saturated that the offset is only a lower bound.
    public var isOffsetLowerBound = false
    /// Gains that would make the centre of the last frame grey, the least of them 1; nil where it holds too little
    /// detail of use, or no colour.
    public var grayWorld: ChannelGains?
    /// The frames that white balance was last found from, by number.
    public var grayFrames: [Int64] = []
    /// The sharpness of the last frame.
    public var focusScore: FocusScore?
    /// Positions that the lens went to before its present one, for the record of the approach.
    public var approach: [LensPosition] = []
    /// The last frame that the state takes account of.
    public var sequence: UInt32?

    /// Creates the state of a camera that nothing is known of.
    public init() {}

    /// The part of one subject.
    public subscript(subject: ManualSubject) -> Control {
        get {
            switch subject {
            case .exposure: exposure
            case .focus: focus
            case .whiteBalance: whiteBalance
            }
        }
        set {
            switch subject {
            case .exposure: exposure = newValue
            case .focus: focus = newValue
            case .whiteBalance: whiteBalance = newValue
            }
        }
    }
}
