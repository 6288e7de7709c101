/// The files that a still can be written as.
public enum StillFormat: String, Hashable, Sendable, CaseIterable {
    /// Developed, 8 bits, compressed.
    case jpeg
    /// Developed, 8 bits or, where the frame has more, 16.
    case tiff
    /// The same without a loss, compressed.
    case png
    /// The raw samples with what a raw converter needs.
    case dng

    /// The end of the file's name, for example `jpg`.
    public var fileExtension: String {
        switch self {
        case .jpeg: "jpg"
        case .tiff: "tif"
        case .png: "png"
        case .dng: "dng"
        }
    }

    /// Whether a developed picture keeps more than 8 bits.
    public var isDeep: Bool { self == .tiff || self == .png }

    /// Whether a still of these pixels can be written so: a DNG needs raw samples.
    public func takes(_ pixels: PixelFormat) -> Bool {
        switch (self, pixels.samples) {
        case (.dng, .yuv422), (.dng, .rgb): false
        default: true
        }
    }
}
