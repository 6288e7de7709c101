internal import Devices
internal import Records
internal import Timebase
internal import Tracking

/// Whose metadata come with frames, and what they are worth.
///
/// Two questions, and both have to be answered before metadata are worth more than a read-back: whether the lines are
/// always of the same frame, by the sensor's count, and which frame that is, by settings that change.
struct MetadataEvidence {
    /// By the sensor's own count of frames.
    private var counter = MetadataCounter()
    /// By settings that change.
    private var delay = MetadataDelay()
    private var contradicted = ContradictedSettings()

    /// Leaves out metadata that are not the frame's own by the sensor's count.
    ///
    /// What is not surely its own is taken out of the frame, also while nothing is known yet.
    ///
    /// - Returns: whether they are another frame's; nil without a count.
    mutating func judge(_ frame: inout DequeuedFrame, _ clock: borrowing StreamClock) -> Bool? {
        guard let count = frame.embedded?.frameCount else { return nil }
        let judgement = counter.judge(
            count, at: clock.place, unnumbered: clock.place - clock.surePlace)
        if judgement != .own { frame.embedded = nil }
        return judgement == .otherFrame
    }

    /// Takes note of what a frame's metadata report, beside what it should have.
    ///
    /// - Parameters:
    ///   - said: nil for a frame without metadata.
    ///   - isCounted: whether the sensor's count came with them.
    ///   - expected: what was written, read back and changed by others.
    ///   - place: frames that came or are missing so far.
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
    /// - Parameters:
    ///   - group: exposure or gain.
    ///   - row: of the frame, which has how the value is known.
    ///   - believed: what it should have, in nanoseconds or millionths; nil where that is unknown.
    ///   - found: what its metadata report.
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
