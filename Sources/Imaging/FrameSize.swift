/// The size of a frame in pixels.
public struct FrameSize: Hashable, Sendable, CustomStringConvertible {
    /// Pixels in a row, positive.
    public let width: Int
    /// Rows, positive.
    public let height: Int

    /// Creates a size; nil unless both sides are in 1…65,535.
    public init?(width: Int, height: Int) {
        guard (1...65_535).contains(width), (1...65_535).contains(height) else { return nil }
        self.width = width
        self.height = height
    }

    /// A single pixel.
    package static let pixel = FrameSize()

    private init() { (width, height) = (1, 1) }

    /// The size as it is written in recipes, for example `1456x1088`.
    public var description: String { "\(width)x\(height)" }
}

/// A rectangle of pixels, from the top left corner of the sensor's image.
public struct FrameRegion: Hashable, Sendable, CustomStringConvertible {
    /// Pixels left of the region.
    public let left: Int
    /// Rows above the region.
    public let top: Int
    /// The size of the region.
    public let size: FrameSize

    /// Creates a region; nil if it starts left of or above the image.
    public init?(left: Int, top: Int, size: FrameSize) {
        guard left >= 0, top >= 0 else { return nil }
        self.left = left
        self.top = top
        self.size = size
    }

    /// The region as it is written in recipes, for example `640x480+100+50`.
    public var description: String { "\(size)+\(left)+\(top)" }
}
