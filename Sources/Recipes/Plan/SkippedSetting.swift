public import Devices
public import Notation

/// A setting that a recipe wants only if the camera supports it, and that the camera does not support.
public struct SkippedSetting: Hashable, Sendable {
    /// Which setting.
    public var subject: SettingProblem.Subject
    /// What was asked for, in words: `0.42`, `current`.
    public var asked: String
    /// The id of the problem, for example `setting-unsupported`.
    public var reason: String

    /// Creates the note of a skipped setting.
    public init(subject: SettingProblem.Subject, asked: String, reason: String) {
        self.subject = subject
        self.asked = asked
        self.reason = reason
    }

    /// The note as JSON, in plans and manifests.
    public var json: JSONValue {
        [
            "setting": .string(subject.rawValue), "asked": .string(asked),
            "reason": .string(reason),
        ]
    }
}
