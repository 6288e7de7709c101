public import Devices

/// A setting that a recipe wants only if the camera supports it, and that the camera does not support.
public struct SkippedSetting: Hashable, Sendable {
    /// Which setting.
    public var group: ControlGroup
    /// What was asked for, in words: `0.42`, `current`.
    public var asked: String
    /// The id of the problem, for example `setting-unsupported`.
    public var reason: String

    /// Creates the note of a skipped setting.
    public init(_ group: ControlGroup, asked: String, reason: String) {
        self.group = group
        self.asked = asked
        self.reason = reason
    }
}
