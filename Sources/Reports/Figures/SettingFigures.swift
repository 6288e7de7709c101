internal import Devices
internal import Records

/// What the frames of one set of settings had of one setting.
///
/// Values are in the unit of the component: nanoseconds, millionths or kelvin.
struct SettingFigures: Hashable {
    /// Frames by how the value is known; each frame counts once.
    ///
    /// White balance is known as a whole: a component without a value may count as read back.
    var evidence: [SettingEvidence: Int64] = [:]
    /// Of the values that are known; nil if none is.
    var lowest: Int64?
    var highest: Int64?
    /// The largest distance of an applied value from the one that was asked for, with its sign.
    ///
    /// With the slot that had it, the first of equals; nil where nothing was asked for or known.
    var worst: (deviation: Int64, slot: Int64)?

    /// Takes a frame of these settings.
    ///
    /// - Parameters:
    ///   - value: what it had; nil if unknown.
    ///   - asked: what the recipe asks for; nil if nothing.
    ///   - known: how the value is known.
    ///   - slot: its slot.
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

    /// The ends of the range are enough: equal figures have equal hashes.
    func hash(into hasher: inout Hasher) {
        hasher.combine(lowest)
        hasher.combine(highest)
    }
}
