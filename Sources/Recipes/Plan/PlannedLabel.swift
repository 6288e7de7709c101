/// What the frames of a step are called.
public struct PlannedLabel: Hashable, Sendable {
    /// Index into the plan's steps.
    public var step: Int32
    /// The label: one line, 1 to 64 characters in a recipe.
    public var text: String

    /// Creates a label.
    public init(step: Int32, text: String) {
        self.step = step
        self.text = text
    }
}
