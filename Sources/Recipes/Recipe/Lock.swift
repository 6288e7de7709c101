public import Devices
internal import Notation
public import Timebase

/// The locked settings of a recipe, each with the place where it was written; what is nil is not controlled.
///
/// A step's own settings go before these while it lasts, and these are in force again after it.
public struct Lock: Sendable {
    /// Exposure duration, or `current`.
    public var exposure: Located<Setting<Interval>>?
    /// Gain, ISO or `current`.
    public var gain: Located<Setting<Sensitivity>>?
    /// Lens position, or `current`.
    public var lens: Located<Setting<LensPosition>>?
    /// White balance, or `current`.
    public var whiteBalance: Located<Setting<WhiteBalance>>?
    /// What is skipped, and recorded as skipped, where the camera does not support it.
    public var ifSupported: [ControlGroup]

    /// Creates a lock; what is not named is not controlled.
    public init(
        exposure: Located<Setting<Interval>>? = nil, gain: Located<Setting<Sensitivity>>? = nil,
        lens: Located<Setting<LensPosition>>? = nil,
        whiteBalance: Located<Setting<WhiteBalance>>? = nil,
        ifSupported: [ControlGroup] = []
    ) {
        self.exposure = exposure
        self.gain = gain
        self.lens = lens
        self.whiteBalance = whiteBalance
        self.ifSupported = ifSupported
    }
}

extension Lock {
    /// The settings with ISO turned into a gain; what is nil is free.
    ///
    /// - Parameter profile: of the camera that is compiled for; without a gain model an ISO becomes `current`, and
    ///   quantising then reports that gain is not supported.
    func requested(profile: CameraProfile) -> FrameSettings {
        let sensitivity: Setting<Gain> =
            switch gain?.value {
            case .value(.gain(let value)): .value(value)
            case .value(.iso(let iso)):
                profile.gain.map { .value($0.gain(forISO: iso)) } ?? .current
            case .current: .current
            case .free, nil: .free
            }
        return FrameSettings(
            exposure: exposure?.value ?? .free, gain: sensitivity, lens: lens?.value ?? .free,
            whiteBalance: whiteBalance?.value ?? .free)
    }

    /// Where a setting was written; nil where it was not.
    func range(of group: ControlGroup) -> SourceRange? {
        switch group {
        case .exposure: exposure?.range
        case .gain: gain?.range
        case .lens: lens?.range
        case .whiteBalance: whiteBalance?.range
        }
    }

    /// Takes a change; biases, rates and lights are none of a setting here.
    ///
    /// What the lock wanted only if it is supported, a change wants.
    mutating func take(_ change: Located<SweepValue>) {
        switch change.value {
        case .exposure(let value): exposure = Located(.value(value), at: change.range)
        case .gain(let value): gain = Located(.value(value), at: change.range)
        case .lens(let value): lens = Located(.value(value), at: change.range)
        case .whiteBalance(let value): whiteBalance = Located(.value(value), at: change.range)
        case .bias, .rate, .light: break
        }
        if !ifSupported.isEmpty { ifSupported.removeAll { $0 == change.value.group } }
    }

    /// Locks what a change is of at `current`, at the place of the change, unless it is locked already.
    mutating func keep(_ change: Located<SweepValue>) {
        switch change.value {
        case .exposure: exposure = exposure ?? Located(.current, at: change.range)
        case .gain: gain = gain ?? Located(.current, at: change.range)
        case .lens: lens = lens ?? Located(.current, at: change.range)
        case .whiteBalance: whiteBalance = whiteBalance ?? Located(.current, at: change.range)
        case .bias, .rate, .light: break
        }
    }
}

/// A sensitivity as it is written: a linear gain, or ISO (which a profile turns into a gain).
public enum Sensitivity: Hashable, Sendable {
    /// A linear gain, `2.0x`, on any camera the same.
    case gain(Gain)
    /// An ISO value, `ISO 100`; the profile's ISO at gain 1 determines which gain that is.
    case iso(Int64)
}

/// One value of a setting that a bracket or a sweep changes.
///
/// Biases and lights belong to brackets alone. Both are resolved by the compiler: a bias against the exposure in force,
/// a light against the numbers of lines.
public enum SweepValue: Hashable, Sendable {
    /// Another exposure duration.
    case exposure(Interval)
    /// Another gain or ISO.
    case gain(Sensitivity)
    /// Another lens position.
    case lens(LensPosition)
    /// Another white balance.
    case whiteBalance(WhiteBalance)
    /// Another frame rate of a raw sensor, and with it another frame length.
    case rate(FrameRate)
    /// The exposure duration in force, shifted.
    case bias(ExposureShift)
    /// The one output that is active during the exposure; nil for none.
    case light(String?)
}

extension SweepValue {
    /// The group that it changes; nil for a frame rate and a light.
    fileprivate var group: ControlGroup? {
        switch self {
        case .exposure, .bias: .exposure
        case .gain: .gain
        case .lens: .lens
        case .whiteBalance: .whiteBalance
        case .rate, .light: nil
        }
    }
}
