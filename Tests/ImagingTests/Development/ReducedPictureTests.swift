import Imaging
import Testing

/// Pictures made smaller for the eye.
struct ReducedPictureTests {
    private static func picture(_ width: Int, _ height: Int, channels: Int) throws -> DevelopedImage
    {
        let size = try #require(FrameSize(width: width, height: height))
        let bytes = (0..<width * height * channels).map { UInt8(truncatingIfNeeded: $0 * 37) }
        return try #require(
            DevelopedImage(size: size, channels: channels, bitsPerSample: 8, bytes: bytes))
    }

    @Test(arguments: [
        (12, 8, 1, 4), (13, 9, 3, 4), (100, 3, 1, 10), (7, 7, 3, 7), (8, 1, 1, 1), (9, 5, 3, 8),
    ])
    func `each pixel is the mean of its square, rounded`(
        width: Int, height: Int, channels: Int, limit: Int
    ) throws {
        let whole = try Self.picture(width, height, channels: channels)
        let small = whole.reduced(toWidth: limit)
        let side = (width + limit - 1) / limit
        let rows = min(side, height)
        #expect(small.size.width == width / side && small.size.width <= limit)
        #expect(small.size.height == max(1, height / side))
        for y in 0..<small.size.height {
            for x in 0..<small.size.width {
                for channel in 0..<channels {
                    var sum = 0.0
                    for row in 0..<rows {
                        for column in 0..<side {
                            let pixel = (y * rows + row) * width + x * side + column
                            sum += Double(whole.bytes[pixel * channels + channel])
                        }
                    }
                    let mean = (sum / Double(rows * side)).rounded(.toNearestOrAwayFromZero)
                    #expect(
                        Double(small.bytes[(y * small.size.width + x) * channels + channel]) == mean
                    )
                }
            }
        }
    }
}
