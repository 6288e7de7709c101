public import Imaging
public import Timebase

/// How frames are to be delivered: by explicit values, or by what they are for.
///
/// Without a preset pixels and size are both there; the decoder refuses anything else.
public struct FormatNeed: Sendable {
    /// What the frames are for; nil where the size is given.
    public var preset: Located<FormatPreset>?
    /// Pixel format; with a preset, nil for the only one that fits.
    public var pixelFormat: Located<PixelFormat>?
    /// Frame size; nil with a preset.
    public var size: Located<FrameSize>?
    /// Frame rate; nil leaves it to the camera, or to the preset.
    public var rate: Located<FrameRate>?

    /// Creates a need.
    public init(
        preset: Located<FormatPreset>? = nil, pixelFormat: Located<PixelFormat>? = nil,
        size: Located<FrameSize>? = nil, rate: Located<FrameRate>? = nil
    ) {
        self.preset = preset
        self.pixelFormat = pixelFormat
        self.size = size
        self.rate = rate
    }
}

/// What frames are for, from which a camera's format follows.
///
/// A preset never chooses between pixel formats: where several fit equally well it is an error that lists them.
public enum FormatPreset: String, Hashable, Sendable, CaseIterable {
    /// The most pixels, however slowly; the rate is the camera's own business.
    case photo
    /// The most pixels at 24 fps or more, at the fastest rate.
    case high
    /// The most pixels, but not more than 1280x720, at 24 fps or more, at the fastest rate.
    case medium
    /// The most pixels, but not more than 640x480, at 24 fps or more, at the fastest rate.
    case low
    /// The fastest rate; of equally fast formats the one with the most pixels.
    case fastest
}
