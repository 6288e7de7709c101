public import Imaging
public import Timebase

/// Which camera is meant for use by hand, and in which format.
public struct CameraRequest: Hashable, Sendable {
    /// The camera's stable id, or `simulated`; nil for the only one attached.
    public var id: String?
    /// Its profile, by name or file; nil for the one that fits.
    public var profile: String?
    /// A folder with camera profiles, searched first.
    public var profiles: String?
    /// Name of the pixel format to stream, as `framelock devices` lists it; nil for any.
    public var pixels: String?
    /// Size of frames to stream; nil for any.
    public var size: FrameSize?
    /// Rate to stream at; nil for the usual one.
    public var rate: FrameRate?
    /// Whether a format with colour comes before one of the same size without.
    public var prefersColour = false
    /// Whether a simulated camera takes its time, instead of jumping over waits.
    public var isRealTime = false

    /// Means a camera in whatever format it streams best.
    public init(_ id: String? = nil) { self.id = id }
}
