/// A picture for eyes and for files: one or three channels, 8 or 16 bits, rows without padding.
///
/// Shape: `size.height` rows of `size.width` pixels of `channels` samples; samples of 16 bits are little-endian.
public struct DevelopedImage: Hashable, Sendable {
    /// Pixels and rows.
    public let size: FrameSize
    /// 1 for grey, 3 for red, green, blue.
    public let channels: Int
    /// 8 or 16.
    public let bitsPerSample: Int
    /// The samples.
    public var bytes: [UInt8]

    /// Creates a picture; nil unless the samples are exactly as many as they have to be.
    public init?(size: FrameSize, channels: Int, bitsPerSample: Int, bytes: [UInt8]) {
        guard channels == 1 || channels == 3, bitsPerSample == 8 || bitsPerSample == 16,
            bytes.count == size.width * size.height * channels * bitsPerSample / 8
        else { return nil }
        self.size = size
        self.channels = channels
        self.bitsPerSample = bitsPerSample
        self.bytes = bytes
    }

    /// Bytes of a row.
    public var bytesPerRow: Int { size.width * channels * bitsPerSample / 8 }
}
