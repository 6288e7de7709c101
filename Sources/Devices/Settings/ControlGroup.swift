/// Controls that are written together and show together.
public enum ControlGroup: Int, BitwiseCopyable, Hashable, Sendable {
    /// Exposure duration, and whatever has no group of its own.
    case exposure
    /// Gain.
    case gain
    /// Lens position.
    case lens
    /// White balance: one control, or a pair of gains.
    case whiteBalance

    /// What it is called in records.
    public var name: String {
        switch self {
        case .exposure: "exposure"
        case .gain: "gain"
        case .lens: "lens"
        case .whiteBalance: "white_balance"
        }
    }

    /// What it is called in sentences.
    public var words: String { self == .whiteBalance ? "white balance" : name }

    /// Every group, in the order of raw values.
    public static let all: [ControlGroup] = [.exposure, .gain, .lens, .whiteBalance]

    /// How many there are.
    static let count: UInt8 = 4

    /// Whether it changes how bright frames are by a factor that is not known; those of exposure and gain are.
    public var changesBrightness: Bool {
        switch self {
        case .whiteBalance: true
        case .exposure, .gain, .lens: false
        }
    }
}

/// A value for each group, by raw value; as long as ``ControlGroup/all``.
public typealias GroupArray<Value> = InlineArray<4, Value>

/// A set of ``ControlGroup``.
public struct ControlGroups: OptionSet, BitwiseCopyable, Hashable, Sendable {
    /// Bit n is the group of raw value n.
    public let rawValue: UInt8

    /// Every group.
    public static let all = ControlGroups(rawValue: 1 << ControlGroup.count - 1)

    /// Creates a set from its bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Creates a set of one group.
    public init(_ group: ControlGroup) {
        self.init(rawValue: 1 << UInt8(group.rawValue))
    }

    /// Whether a group is in the set.
    public func has(_ group: ControlGroup) -> Bool {
        rawValue & (1 << UInt8(group.rawValue)) != 0
    }

    /// Runs `body` for each group of the set, in the order of raw values; allocates nothing.
    public func forEach(_ body: (ControlGroup) -> Void) {
        for group in ControlGroup.all where has(group) { body(group) }
    }
}

extension ControlGroups {
    /// What an automatic of the camera drives; an unknown one is taken to drive everything.
    public init(drivenBy automatic: CameraControl) {
        switch automatic.name {
        case "auto_exposure", "exposure_dynamic_framerate", "gain_automatic":
            self = [ControlGroups(.exposure), ControlGroups(.gain)]
        case "focus_automatic_continuous": self.init(.lens)
        case "white_balance_automatic": self.init(.whiteBalance)
        default: self = .all
        }
    }
}
