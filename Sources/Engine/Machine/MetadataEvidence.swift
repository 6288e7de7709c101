internal import Devices
internal import Records
internal import Timebase
internal import Tracking

/// Whose metadata come with frames, and what they are worth.
struct MetadataEvidence {
    private var counter = MetadataCounter()
    private var delay = MetadataDelay()
    private var contradicted = ContradictedSettings()

    /// Leaves out metadata that are not the frame's own by the sensor's count.
    ///
    /// - Returns: whether they are another frame's; nil without a count.
    mutating func judge(_ frame: inout DequeuedFrame, _ clock: borrowing StreamClock) -> Bool? {
        guard let count = frame.embedded?.frameCount else { return nil }
        let judgement = counter.judge(
            count, at: clock.place, unnumbered: clock.place - clock.surePlace)
        if judgement != .own { frame.embedded = nil }
        return judgement == .otherFrame
    }

    /// Takes note of what a frame's metadata say, beside what it should have.
    ///
    /// - Returns: what they are worth.
    mutating func compare(
        _ said: MetadataDelay.Settings?, isCounted: Bool, expected: MetadataDelay.Settings,
        at place: Int64
    ) -> MetadataDelay.Worth {
        delay.observe(said, isCounted: isCounted, expected: expected, at: place)
    }

    /// A frame is missing that should have had some settings.
    mutating func observeMissing(expected: MetadataDelay.Settings) {
        delay.observeMissing(expected: expected)
    }

    /// Takes note of whether a frame's metadata contradict what it was believed to have.
    ///
    /// - Returns: what is to be logged; nil if they do not, or did so in the same way for the frame before.
    mutating func contradiction(
        _ group: ControlGroup, _ row: LedgerRow, believed: Int64?, found: Int64?
    ) -> RunEvent? {
        guard let sequence = row.deviceSequence, let found, let believed,
            contradicted.note(group, believed: believed, found: found)
        else { return nil }
        return .settingContradicted(
            settings: row.settings, sequence: sequence, group: group, believed: believed,
            found: found, by: row.applied[knownBy: group])
    }
}
