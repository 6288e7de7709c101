public import Devices
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
