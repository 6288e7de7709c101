/// Marks what is in focus in a preview: pixels at strong edges are painted over.
///
/// A function from picture to picture, in whole numbers; the picture that is recorded is never touched.
public struct FocusPeaking: Hashable, Sendable {
    /// Edges weaker than this are not marked: the gradient's magnitude per pixel, in codes of 8 bits.
    public var threshold: Int
    /// What marked pixels become: red, green, blue.
    public var colour: [UInt8]

    /// Creates an overlay.
    ///
    /// - Returns: nil unless the threshold is in 1…255 and the colour has three channels.
    public init?(threshold: Int = 24, colour: [UInt8] = [255, 0, 0]) {
        guard (1...255).contains(threshold), colour.count == 3 else { return nil }
        self.threshold = threshold
        self.colour = colour
    }

    /// The picture in colour, with edges marked.
    ///
    /// The gradient is Sobel's, over green (grey where there is one channel only); a pixel is marked where its squared
    /// magnitude reaches the threshold's. Pixels at the border have no gradient.
    ///
    /// - Parameter image: 8 bits.
    /// - Returns: 8 bits, three channels, of the same size; nil for pictures of 16 bits.
    public func marked(_ image: DevelopedImage) -> DevelopedImage? {
        guard image.bitsPerSample == 8 else { return nil }
        let (width, height) = (image.size.width, image.size.height)
        var bytes =
            image.channels == 3 ? image.bytes : image.bytes.flatMap { [$0, $0, $0] }
        guard width > 2, height > 2 else {
            return DevelopedImage(size: image.size, channels: 3, bitsPerSample: 8, bytes: bytes)
        }
        let source = bytes
        // Sobel's weights add up to 8 for a gradient of one code per pixel.
        let limit = 64 * threshold * threshold
        for y in 1..<height - 1 {
            for x in 1..<width - 1 {
                func green(_ right: Int, _ down: Int) -> Int {
                    Int(source[((y + down) * width + x + right) * 3 + 1])
                }
                let left = green(-1, -1) + 2 * green(-1, 0) + green(-1, 1)
                let right = green(1, -1) + 2 * green(1, 0) + green(1, 1)
                let above = green(-1, -1) + 2 * green(0, -1) + green(1, -1)
                let below = green(-1, 1) + 2 * green(0, 1) + green(1, 1)
                let (across, down) = (right - left, below - above)
                guard across * across + down * down >= limit else { continue }
                let place = (y * width + x) * 3
                for channel in 0..<3 { bytes[place + channel] = colour[channel] }
            }
        }
        return DevelopedImage(size: image.size, channels: 3, bitsPerSample: 8, bytes: bytes)
    }
}
