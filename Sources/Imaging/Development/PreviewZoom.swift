/// A window into a frame, enlarged so that single pixels can be judged.
public struct PreviewZoom: Hashable, Sendable {
    /// The part of the frame.
    public let region: FrameRegion
    /// Each pixel becomes so many squared.
    public let factor: Int

    /// Creates a window.
    ///
    /// - Parameters:
    ///   - point: what is to be in the middle, on the frame as the sensor has it; at a border the window moves inwards.
    ///   - size: the frame's.
    ///   - window: pixels of the frame that are shown; at most the frame.
    ///   - factor: 1…32.
    /// - Returns: nil where the window is larger than the frame or the factor is outside its range.
    public init?(at point: FramePoint, in size: FrameSize, window: FrameSize, factor: Int) {
        guard window.width <= size.width, window.height <= size.height, (1...32).contains(factor)
        else { return nil }
        func start(_ millionths: Int64, _ whole: Int, _ part: Int) -> Int {
            let middle = Int((Int64(whole) * millionths + 500_000) / 1_000_000)
            return min(max(0, middle - part / 2), whole - part)
        }
        let left = start(point.xMillionths, size.width, window.width)
        let top = start(point.yMillionths, size.height, window.height)
        guard let region = FrameRegion(left: left, top: top, size: window) else { return nil }
        self.region = region
        self.factor = factor
    }

    /// The window of a frame: only its part is developed.
    ///
    /// - Parameters:
    ///   - frame: exactly the frame's samples.
    ///   - development: of such frames.
    /// - Returns: nil if the enlarged window has more than 65,535 pixels on a side.
    public func image(
        of frame: UnsafeRawBufferPointer, by development: Development
    ) -> DevelopedImage? {
        enlarged(development.image(of: frame, region: region))
    }

    /// A picture with each pixel repeated: nothing is interpolated, so that nothing is invented.
    func enlarged(_ image: DevelopedImage) -> DevelopedImage? {
        if factor == 1 { return image }
        guard
            let size = FrameSize(
                width: image.size.width * factor, height: image.size.height * factor)
        else { return nil }
        let pixelBytes = image.channels * image.bitsPerSample / 8
        var bytes: [UInt8] = []
        bytes.reserveCapacity(image.bytes.count * factor * factor)
        for row in stride(from: 0, to: image.bytes.count, by: image.bytesPerRow) {
            var line: [UInt8] = []
            line.reserveCapacity(image.bytesPerRow * factor)
            for pixel in stride(from: row, to: row + image.bytesPerRow, by: pixelBytes) {
                for _ in 0..<factor { line += image.bytes[pixel..<pixel + pixelBytes] }
            }
            for _ in 0..<factor { bytes += line }
        }
        return DevelopedImage(
            size: size, channels: image.channels, bitsPerSample: image.bitsPerSample, bytes: bytes)
    }
}
