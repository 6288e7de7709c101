public import Imaging

/// A step whose frames become picture files too.
public struct PlannedStill: Hashable, Sendable {
    /// Index into the plan's steps.
    public var step: Int32
    /// The kind of file.
    public var format: StillFormat

    /// Creates a planned still.
    public init(step: Int32, format: StillFormat) {
        self.step = step
        self.format = format
    }
}
