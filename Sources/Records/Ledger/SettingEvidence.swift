/// How it is known what a frame had of a setting, the best first.
///
/// The raw values are the words of the ledger's `…_known_by` columns; what each can't see is in docs/evidence.md.
public enum SettingEvidence: String, BitwiseCopyable, Hashable, Sendable, CaseIterable {
    /// The frame's own metadata has it.
    case metadata
    /// The device read it back after the write that the frame surely shows.
    case readBack = "read-back"
    /// The frame's pixels show it.
    case statistics
    /// Not at all.
    case none
}
