internal import Devices

extension LedgerRow {
    /// The event of a value that the row is to have no longer; nil where it has none.
    func doubt(_ group: ControlGroup) -> RunEvent? {
        applied[group].map {
            .settingDoubted(
                settings: settings, sequence: deviceSequence ?? 0, group: group, believed: $0,
                by: applied[knownBy: group])
        }
    }

    /// The events of what this row has and another one of the same frame has no longer.
    func doubts(leaving other: LedgerRow) -> [RunEvent] {
        ControlGroup.all.filter { other.applied[$0] == nil }.compactMap { doubt($0) }
    }
}
