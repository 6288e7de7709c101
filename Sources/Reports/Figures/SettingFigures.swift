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

extension SettingComponent {
    /// What the report calls it.
    var name: String {
        switch self {
        case .exposure, .gain, .lens: group.name
        case .temperature: "white balance"
        case .redGain: "red gain"
        case .blueGain: "blue gain"
        }
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
