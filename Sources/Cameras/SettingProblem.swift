/// A setting that a camera can't have, with the limit and where it comes from.
public struct SettingProblem: Error, Hashable, Sendable {
    /// Which of the settings.
    public enum Subject: String, Hashable, Sendable {
        case exposure, gain, lens
        case whiteBalance = "white balance"
    }

    /// Which of the settings.
    public var subject: Subject
    /// A stable id, for example `exposure-out-of-range`.
    public var id: String
    /// What is wrong, with the value found and the limit.
    public var message: String
    /// One way out.
    public var hint: String?

    /// Creates a problem.
    public init(_ subject: Subject, id: String, _ message: String, hint: String? = nil) {
        self.subject = subject
        self.id = id
        self.message = message
        self.hint = hint
    }
}
