/// A setting that a camera can't have, with the limit and where it comes from.
public struct SettingProblem: Error, Hashable, Sendable {
    /// Which of the settings; nil for the frame rate.
    public var group: ControlGroup?
    /// A stable id, for example `exposure-out-of-range`.
    public var id: String
    /// Whether the camera can't do such a thing at all, whatever the value.
    ///
    /// A request with `if_supported` is skipped then; one that is out of range never is.
    public var isUnsupported: Bool
    /// What is wrong, with the value found and the limit.
    public var message: String
    /// One way out.
    public var hint: String?

    /// Creates a problem.
    public init(
        _ group: ControlGroup?, id: String, isUnsupported: Bool = false, _ message: String,
        hint: String? = nil
    ) {
        self.group = group
        self.id = id
        self.isUnsupported = isUnsupported
        self.message = message
        self.hint = hint
    }
}
