public import Imaging

/// A step whose frames become picture files too.
///
/// Beside the record, never instead of it: the frames are in the container all the same.
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
