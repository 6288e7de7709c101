/// How the bytes of one frame lie in memory.
///
/// Shape: `size.height` rows of `bytesPerRow` bytes; what lies behind the last pixel of a row is undefined.
public struct FrameLayout: Hashable, Sendable {
    /// What the bytes are.
    public let pixelFormat: PixelFormat
    /// Pixels and rows.
    public let size: FrameSize
    /// Bytes from the start of one row to the start of the next.
    ///
    /// V4L2's `bytesperline`; drivers round it up, for example to 32 bytes. Padding bytes are neither recorded nor
    /// hashed.
    public let bytesPerRow: Int

    /// A single pixel.
    package static let pixel = FrameLayout()

    private init() {
        (pixelFormat, size) = (PixelFormat.known[0], .pixel)
        bytesPerRow = pixelFormat.bytesPerRow(width: 1)
    }

    /// Creates a layout.
    ///
    /// - Parameters:
    ///   - pixelFormat: what the bytes are.
    ///   - size: pixels and rows.
    ///   - bytesPerRow: the driver's figure; nil for rows without padding.
    /// - Returns: nil if a row is too short for its pixels.
    public init?(pixelFormat: PixelFormat, size: FrameSize, bytesPerRow: Int? = nil) {
        let least = pixelFormat.bytesPerRow(width: size.width)
        let stride = bytesPerRow ?? least
        guard stride >= least else { return nil }
        self.pixelFormat = pixelFormat
        self.size = size
        self.bytesPerRow = stride
    }

    /// Bytes that the frame takes in the camera's memory, without padding after the last row.
    public var byteCount: Int {
        bytesPerRow * (size.height - 1) + pixelFormat.bytesPerRow(width: size.width)
    }

    /// Bytes of the frame in the record: unpacked samples, rows without padding.
    public var recordedByteCount: Int {
        size.width * size.height * pixelFormat.channels * pixelFormat.bytesPerSample
    }
}
