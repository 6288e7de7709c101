internal import Devices
internal import Records
internal import Timebase

/// What the frames of one set of settings had of one setting.
struct SettingFigures: Hashable {
    /// Frames by how the value is known.
    var evidence: [SettingEvidence: Int64] = [:]
    var lowest: Int64?
    var highest: Int64?
    /// The largest distance of an applied value from the one that was asked for, with its sign.
    var worst: (deviation: Int64, slot: Int64)?

    mutating func add(
        _ value: Int64?, asked: Int64?, known: SettingEvidence, slot: Int64
    ) {
        evidence[known, default: 0] += 1
        guard let value else { return }
        lowest = min(lowest ?? value, value)
        highest = max(highest ?? value, value)
        guard let asked else { return }
        // A damaged ledger has any number.
        let (difference, overflows) = value.subtractingReportingOverflow(asked)
        let deviation = overflows ? value.signum() * .max : difference
        if deviation.magnitude > worst?.deviation.magnitude ?? 0 || worst == nil {
            worst = (deviation, slot)
        }
    }

    static func == (a: SettingFigures, b: SettingFigures) -> Bool {
        a.evidence == b.evidence && a.lowest == b.lowest && a.highest == b.highest
            && a.worst?.deviation == b.worst?.deviation && a.worst?.slot == b.worst?.slot
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(lowest)
        hasher.combine(highest)
    }
}

/// A setting as the report lists it: white balance has three.
enum ReportedSetting: Int, CaseIterable {
    case exposure, gain, lens, temperature, redGain, blueGain

    var name: String {
        switch self {
        case .exposure: "exposure"
        case .gain: "gain"
        case .lens: "lens"
        case .temperature: "white balance"
        case .redGain: "red gain"
        case .blueGain: "blue gain"
        }
    }

    var group: ControlGroup {
        switch self {
        case .exposure: .exposure
        case .gain: .gain
        case .lens: .lens
        case .temperature, .redGain, .blueGain: .whiteBalance
        }
    }

    /// What a frame had, in nanoseconds, millionths or kelvin.
    func value(of applied: AppliedSettings) -> Int64? {
        switch self {
        case .exposure: applied.exposure?.nanoseconds
        case .gain: applied.gainMillionths
        case .lens: applied.lensMillionths
        case .temperature: applied.whiteBalance.temperatureKelvin
        case .redGain: applied.whiteBalance.redMillionths
        case .blueGain: applied.whiteBalance.blueMillionths
        }
    }

    /// What settings ask for, in the same unit; nil where they ask for nothing of that kind.
    func value(of settings: FrameSettings) -> Int64? {
        let balance = settings.whiteBalance.asked
        switch self {
        case .exposure: return settings.exposure.asked?.nanoseconds
        case .gain: return settings.gain.asked?.millionths
        case .lens: return settings.lens.asked?.millionths
        case .temperature:
            if case .temperature(let kelvin, _) = balance { return kelvin }
        case .redGain:
            if case .gains(let red, let green, _) = balance { return Self.ratio(red, green) }
        case .blueGain:
            if case .gains(_, let green, let blue) = balance { return Self.ratio(blue, green) }
        }
        return nil
    }

    private static func ratio(_ gain: Gain, _ green: Gain) -> Int64? {
        guard green.millionths > 0 else { return nil }
        let scaled = Int128(gain.millionths) * 1_000_000 + Int128(green.millionths) / 2
        return Int64(clamping: scaled / Int128(green.millionths))
    }

    /// A value with its unit.
    func text(_ value: Int64) -> String {
        switch self {
        case .exposure: "\(Interval(nanoseconds: value))"
        case .gain, .redGain, .blueGain: Self.decimal(value) + "x"
        case .lens: Self.decimal(value)
        case .temperature: "\(value) K"
        }
    }

    private static func decimal(_ millionths: Int64) -> String {
        (millionths < 0 ? "-" : "") + decimalText(millionths.magnitude, unit: 1_000_000)
    }
}
