internal import Devices

/// A control of a frame, by what a row and an event about it have in common.
struct FrameSetting: Hashable {
    let group: ControlGroup
    let settings: Int32
    let sequence: UInt32

    init(_ group: ControlGroup, _ settings: Int32, _ sequence: UInt32) {
        (self.group, self.settings, self.sequence) = (group, settings, sequence)
    }

    /// - Returns: nil for a row without a number of its frame.
    init?(_ group: ControlGroup, of row: LedgerRow) {
        guard let sequence = row.deviceSequence else { return nil }
        self.init(group, row.settings, sequence)
    }
}
