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

    /// Every group, in the order of raw values.
    public static let all: [ControlGroup] = [.exposure, .gain, .lens, .whiteBalance]

    /// How many groups there are; their raw values count from 0.
    public static let count = 4
}

/// A set of ``ControlGroup``.
public struct ControlGroups: OptionSet, BitwiseCopyable, Hashable, Sendable {
    /// Bit n is the group of raw value n.
    public let rawValue: UInt8

    /// Every group.
    public static let all = ControlGroups(rawValue: 0b1111)

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
        var place = 0
        while place < ControlGroup.count {
            if let group = ControlGroup(rawValue: place), has(group) { body(group) }
            place += 1
        }
    }
}

extension CameraProfile {
    /// The group that a control belongs to.
    public func group(of control: CameraControl) -> ControlGroup {
        if control == gain?.control { return .gain }
        if control == focus?.control { return .lens }
        let balance = whiteBalance
        if control == balance?.components?.red || control == balance?.components?.blue
            || control == balance?.temperature?.control
        {
            return .whiteBalance
        }
        return .exposure
    }
}

/// The values that a frame is to have, as numbers that the caller gives them: equal numbers, equal values.
public struct GroupValues: BitwiseCopyable, Hashable, Sendable {
    /// Stands for a group that may have any value.
    public static let anything: Int32 = -1
    /// Stands for a group of which nobody knows what it has: no group's value.
    public static let nothing: Int32 = -2

    private var exposure = anything
    private var gain = anything
    private var lens = anything
    private var whiteBalance = anything

    /// Creates values that leave every group free.
    public init() {}

    /// The value of a group.
    public subscript(group: ControlGroup) -> Int32 {
        get {
            switch group {
            case .exposure: exposure
            case .gain: gain
            case .lens: lens
            case .whiteBalance: whiteBalance
            }
        }
        set {
            switch group {
            case .exposure: exposure = newValue
            case .gain: gain = newValue
            case .lens: lens = newValue
            case .whiteBalance: whiteBalance = newValue
            }
        }
    }
}
