public import Imaging

/// Which pictures a preview writes.
public struct PreviewOptions: Hashable, Sendable {
    /// The folder that gets them; it is made if it is not there.
    public var folder: String
    /// Whether edges in focus are painted over.
    public var marksFocus = false
    /// What an enlarged window shows in its middle; nil for no window.
    public var zoom: FramePoint?
    /// How large each pixel of the window becomes, 1…32.
    public var factor = 4

    /// Writes the whole picture alone.
    public init(folder: String) { self.folder = folder }
}
