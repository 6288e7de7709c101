internal import Timebase

/// A number among the settings of a frame: each group has one, white balance has three.
public enum SettingComponent: Int, BitwiseCopyable, Hashable, Sendable {
    /// Exposure duration in nanoseconds.
    case exposure
    /// Linear gain in millionths.
    case gain
    /// Lens position in millionths.
    case lens
    /// Correlated colour temperature in kelvin.
    case temperature
    /// Gain of red over green in millionths.
    case redGain
    /// Gain of blue over green in millionths.
    case blueGain

    /// Every component, in the order of raw values.
    public static let all: [SettingComponent] = [
        .exposure, .gain, .lens, .temperature, .redGain, .blueGain,
    ]

    /// What reports call it: of white balance each component has its own name, as it has a row of its own.
    package var name: String {
        switch self {
        case .temperature: "white balance"
        case .redGain: "red gain"
        case .blueGain: "blue gain"
        case .exposure, .gain, .lens: group.name
        }
    }

    /// A value with its unit.
    package func words(_ value: Int64) -> String {
        func decimal(_ millionths: Int64) -> String {
            (millionths < 0 ? "-" : "") + decimalText(millionths.magnitude, unit: 1_000_000)
        }
        return switch self {
        case .exposure: "\(Interval(nanoseconds: value))"
        case .gain, .redGain, .blueGain: decimal(value) + "x"
        case .lens: decimal(value)
        case .temperature: "\(value) K"
        }
    }

    /// What it is written with.
    public var group: ControlGroup {
        switch self {
        case .exposure: .exposure
        case .gain: .gain
        case .lens: .lens
        case .temperature, .redGain, .blueGain: .whiteBalance
        }
    }
}

/// A value for each component, by raw value; its length is that of ``SettingComponent/all``.
public typealias ComponentArray<Value> = InlineArray<6, Value>

extension ControlGroup {
    /// Its only component; nil for white balance, which has three.
    public var component: SettingComponent? {
        switch self {
        case .exposure: .exposure
        case .gain: .gain
        case .lens: .lens
        case .whiteBalance: nil
        }
    }
}

extension CameraProfile {
    /// The control that holds a component; nil if the camera has none.
    public func control(of component: SettingComponent) -> CameraControl? {
        switch component {
        case .exposure: exposure?.control
        case .gain: gain?.control
        case .lens: focus?.control
        case .temperature: whiteBalance?.temperature?.control
        case .redGain: whiteBalance?.components?.red
        case .blueGain: whiteBalance?.components?.blue
        }
    }

    /// What a control holds; nil if it is none of a frame's settings.
    public func component(of control: CameraControl) -> SettingComponent? {
        SettingComponent.all.first { self.control(of: $0) == control }
    }

    /// The value that a code stands for, in the unit of its component; nil if the profile has no law for it.
    public func value(of component: SettingComponent, code: Int64) -> Int64? {
        switch component {
        case .exposure: exposure?.duration(ofCode: code).nanoseconds
        case .gain: gain?.gain(ofCode: code)?.millionths
        case .lens: focus?.position(ofCode: code)?.millionths
        case .temperature: code
        case .redGain, .blueGain: whiteBalance?.components?.gain(ofCode: code).millionths
        }
    }

    /// The group that a control is written with: the exposure's for whatever has none of its own.
    public func group(of control: CameraControl) -> ControlGroup {
        component(of: control)?.group ?? .exposure
    }

    /// Whether the camera has exposure or gain, by a model of it in the profile.
    package func models(_ group: ControlGroup) -> Bool {
        group == .exposure ? exposure != nil : gain != nil
    }

    /// The controls of a group: those that are read and kept.
    ///
    /// Gains hold white balance where a camera has both gains and a temperature.
    public func controls(of group: ControlGroup) -> [CameraControl] {
        let hasGains = whiteBalance?.components != nil
        return SettingComponent.all.compactMap { component in
            guard component.group == group, component != .temperature || !hasGains else {
                return nil
            }
            return control(of: component)
        }
    }
}
