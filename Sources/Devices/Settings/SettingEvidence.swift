/// How it is known what a frame had of a setting, the best first.
///
/// The raw values are the words of the ledger's `…_known_by` columns; what each can't see is in docs/evidence.md.
public enum SettingEvidence: String, BitwiseCopyable, Hashable, Sendable, CaseIterable {
    /// The frame's own metadata has it.
    case metadata
    /// The frame's pixels show it: its brightness would be another one if it had what it had before.
    case pixels
    /// The device read it back after the write that the frame surely shows.
    case readBack = "read-back"
    /// Not at all.
    case none
}
