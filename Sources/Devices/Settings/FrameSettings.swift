public import Timebase

/// What a recipe asks of one setting of the camera.
public enum Setting<Value: Hashable & Sendable>: Hashable, Sendable {
    /// Nothing: the camera's own business, not checked.
    case free
    /// Stays where the camera has it when the run starts, with its automatic off.
    case current
    /// This value.
    case value(Value)

    /// The value, where there is one.
    public var asked: Value? {
        if case .value(let value) = self { value } else { nil }
    }
}

/// What a recipe asks of a setting, whatever its value.
public enum SettingKind: Hashable, Sendable {
    /// Nothing.
    case free
    /// That it stays where it is.
    case current
    /// A value.
    case value
}

extension Setting {
    /// What is asked, whatever the value.
    public var kind: SettingKind {
        switch self {
        case .free: .free
        case .current: .current
        case .value: .value
        }
    }
}

/// The settings that a frame is to be taken with.
public struct FrameSettings: Hashable, Sendable {
    /// Exposure duration.
    public var exposure: Setting<Interval>
    /// Linear gain; ISO is converted with the profile's ISO at unity gain.
    public var gain: Setting<Gain>
    /// Lens position.
    public var lens: Setting<LensPosition>
    /// White balance.
    public var whiteBalance: Setting<WhiteBalance>
    /// A step's own frame rate; nil where the run's is in force.
    public var rate: FrameRate?

    /// Creates settings; what is not named is free.
    public init(
        exposure: Setting<Interval> = .free, gain: Setting<Gain> = .free,
        lens: Setting<LensPosition> = .free, whiteBalance: Setting<WhiteBalance> = .free
    ) {
        self.exposure = exposure
        self.gain = gain
        self.lens = lens
        self.whiteBalance = whiteBalance
    }
}

extension FrameSettings {
    /// What is asked of a group.
    public func kind(of group: ControlGroup) -> SettingKind {
        switch group {
        case .exposure: exposure.kind
        case .gain: gain.kind
        case .lens: lens.kind
        case .whiteBalance: whiteBalance.kind
        }
    }

    /// Whether the same is asked of a group.
    public func isSame(_ group: ControlGroup, as other: FrameSettings) -> Bool {
        switch group {
        case .exposure: exposure == other.exposure
        case .gain: gain == other.gain
        case .lens: lens == other.lens
        case .whiteBalance: whiteBalance == other.whiteBalance
        }
    }

    /// Says nothing of a group any more.
    public mutating func leaveFree(_ group: ControlGroup) {
        switch group {
        case .exposure: exposure = .free
        case .gain: gain = .free
        case .lens: lens = .free
        case .whiteBalance: whiteBalance = .free
        }
    }
}

extension FrameSettings {
    /// What is asked for one group, in words.
    package func words(of group: ControlGroup) -> String {
        switch group {
        case .exposure: exposure.words { "\($0)" }
        case .gain: gain.words { "\($0)" }
        case .lens: lens.words { "\($0)" }
        case .whiteBalance: whiteBalance.words(\.words)
        }
    }
}

extension FrameSettings {
    /// A number that differs for nearly all settings that differ; the steps are SplitMix64's.
    package var mixedBits: UInt64 {
        var bits: UInt64 = 0
        func mix(_ number: Int64?) {
            bits = (bits &+ UInt64(bitPattern: number ?? -1)) &* 0xbf58_476d_1ce4_e5b9
            bits ^= bits >> 29
        }
        mix(exposure.asked?.nanoseconds)
        mix(gain.asked?.millionths)
        mix(lens.asked?.millionths)
        switch whiteBalance.asked {
        case .gains(let red, let green, let blue):
            mix(red.millionths)
            mix(green.millionths)
            mix(blue.millionths)
        case .temperature(let kelvin, let tintThousandths):
            mix(kelvin)
            mix(tintThousandths)
        case .chromaticity(let xMillionths, let yMillionths):
            mix(xMillionths)
            mix(yMillionths)
        case nil: mix(nil)
        }
        if let rate {
            mix(rate.frames)
            mix(rate.seconds)
        }
        return bits
    }
}

extension Setting {
    /// A setting in words: `free`, `current`, or its value.
    fileprivate func words(_ value: (Value) -> String) -> String {
        switch self {
        case .free: "free"
        case .current: "current"
        case .value(let asked): value(asked)
        }
    }
}

extension WhiteBalance {
    /// A white balance in words, short: the tint is left out.
    package var words: String {
        switch self {
        case .gains(let red, let green, let blue):
            "gains \(red.decimal), \(green.decimal), \(blue.decimal)"
        case .temperature(let kelvin, _): "\(kelvin) K"
        case .chromaticity(let x, let y):
            "at x \(Gain(millionths: x).decimal), y \(Gain(millionths: y).decimal)"
        }
    }
}
