public import Devices
public import Timebase

/// What the device really had, and how that is known: never what was asked of it.
///
/// Nil is an unknown value; a value that was only asked for never stands here. Plain bits: every row has one.
public struct AppliedSettings: BitwiseCopyable, Hashable, Sendable {
    /// Exposure duration; nil if unknown.
    public var exposure: Interval?
    /// Linear gain in millionths: 1 000 000 is unity.
    public var gainMillionths: Int64?
    /// Lens position in millionths: 0 nearest, 1 000 000 farthest.
    public var lensMillionths: Int64?
    /// White balance; empty where the device has no control for it.
    public var whiteBalance: AppliedWhiteBalance

    /// By what each group is known that has a value; meaningless for one that has none.
    private var evidence = PerGroup(repeating: SettingEvidence.readBack)

    /// Creates settings that were read back from the device; nil where it can't report one or has no such control.
    public init(
        exposure: Interval? = nil, gainMillionths: Int64? = nil, lensMillionths: Int64? = nil,
        whiteBalance: AppliedWhiteBalance = AppliedWhiteBalance()
    ) {
        self.exposure = exposure
        self.gainMillionths = gainMillionths
        self.lensMillionths = lensMillionths
        self.whiteBalance = whiteBalance
    }

    /// How a group is known; `none` exactly where it has no value.
    ///
    /// To be set for a group with a value, and to something other than `none`; it is `read-back` unless set.
    public subscript(knownBy group: ControlGroup) -> SettingEvidence {
        get { self[group] == nil ? .none : evidence[group] }
        set {
            precondition(
                newValue != .none && self[knownBy: group] != .none, "evidence is for a value")
            evidence[group] = newValue
        }
    }

    /// What is known of a group, as one number: white balance as ``AppliedWhiteBalance/packed``.
    ///
    /// The delay model keeps one number for each group, and this is it.
    package subscript(group: ControlGroup) -> Int64? {
        get {
            guard let component = group.component else { return whiteBalance.packed }
            return self[component]
        }
        set {
            if let component = group.component {
                self[component] = newValue
            } else {
                whiteBalance = AppliedWhiteBalance(packed: newValue)
            }
        }
    }

    /// What is known of a component, in its unit.
    ///
    /// As columns of the ledger have it: nanoseconds, millionths or kelvin.
    package subscript(component: SettingComponent) -> Int64? {
        get {
            switch component {
            case .exposure: exposure?.nanoseconds
            case .gain: gainMillionths
            case .lens: lensMillionths
            case .temperature: whiteBalance.temperatureKelvin
            case .redGain: whiteBalance.redMillionths
            case .blueGain: whiteBalance.blueMillionths
            }
        }
        set {
            switch component {
            case .exposure: exposure = newValue.map { Interval(nanoseconds: $0) }
            case .gain: gainMillionths = newValue
            case .lens: lensMillionths = newValue
            case .temperature: whiteBalance.temperatureKelvin = newValue
            case .redGain: whiteBalance.redMillionths = newValue
            case .blueGain: whiteBalance.blueMillionths = newValue
            }
        }
    }
}

/// What a device that balances white really had: a temperature, or gains relative to green.
public struct AppliedWhiteBalance: BitwiseCopyable, Hashable, Sendable {
    // Negative: not known. Small, since every row of a run carries them.
    private var kelvin: Int32 = -1
    private var red: Int32 = -1
    private var blue: Int32 = -1

    /// Creates a white balance; nil, and what no device has, is not known.
    public init(kelvin: Int64? = nil, redMillionths: Int64? = nil, blueMillionths: Int64? = nil) {
        self.kelvin = Self.stored(kelvin)
        red = Self.stored(redMillionths)
        blue = Self.stored(blueMillionths)
    }

    /// Correlated colour temperature in kelvin.
    public var temperatureKelvin: Int64? {
        get { Self.value(kelvin) }
        set { kelvin = Self.stored(newValue) }
    }
    /// Gain of red over green in millionths.
    public var redMillionths: Int64? {
        get { Self.value(red) }
        set { red = Self.stored(newValue) }
    }
    /// Gain of blue over green in millionths.
    public var blueMillionths: Int64? {
        get { Self.value(blue) }
        set { blue = Self.stored(newValue) }
    }

    /// Nil for what is not known, which is stored as −1.
    private static func value(_ stored: Int32) -> Int64? { stored < 0 ? nil : Int64(stored) }
    /// What does not fit counts as not known: negative numbers, and 2^31 − 1 and more.
    private static func stored(_ value: Int64?) -> Int32 {
        // Below the maximum, so that ``packed`` has room.
        value.flatMap { (0..<Int64(Int32.max)).contains($0) ? Int32($0) : nil } ?? -1
    }
}

extension AppliedWhiteBalance {
    /// The same as one number, for who keeps one a group: gains if any is known, else the temperature; nil if nothing
    /// is.
    ///
    /// Gains are zero or positive, with red in the upper 32 bits and blue in the lower, each plus one so that a missing
    /// one is 0; temperatures are negative.
    public var packed: Int64? {
        if red >= 0 || blue >= 0 { return (Int64(red) + 1) << 32 | (Int64(blue) + 1) }
        return kelvin < 0 ? nil : -1 - Int64(kelvin)
    }

    /// Takes such a number apart; of a device that reported both, the temperature is lost.
    public init(packed: Int64?) {
        self.init()
        guard let packed else { return }
        if packed < 0 {
            temperatureKelvin = -1 - packed
        } else {
            redMillionths = (packed >> 32) - 1
            blueMillionths = (packed & 0xFFFF_FFFF) - 1
        }
    }
}
