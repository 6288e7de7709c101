import Imaging
import TestSupport
import Testing

/// Frames of noise and of single colours, and pictures taken apart.
enum Raw {
    /// Samples of a Bayer frame that shows one colour everywhere.
    static func constant(
        _ pattern: BayerPattern, width: Int, height: Int, red: Int, green: Int, blue: Int
    ) -> [Int] {
        let letters = Array(pattern.rawValue)
        return (0..<width * height).map { index in
            switch letters[(index / width) % 2 * 2 + index % width % 2] {
            case "R": red
            case "G": green
            default: blue
            }
        }
    }

    static func noise(_ count: Int, maximum: Int, seed: UInt64) -> [Int] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { _ in Int.random(in: 0...maximum, using: &random) }
    }

    /// Samples as the record has them.
    static func bytes(_ samples: [Int], wide: Bool) -> [UInt8] {
        samples.flatMap { wide ? [UInt8($0 & 0xFF), UInt8($0 >> 8)] : [UInt8($0)] }
    }

    /// The samples of a row-major picture with every row reversed.
    static func mirrored<Element>(_ pixels: [Element], width: Int) -> [Element] {
        stride(from: 0, to: pixels.count, by: width)
            .flatMap { pixels[$0..<$0 + width].reversed() }
    }

    /// The rows in reverse order.
    static func turnedOver<Element>(_ pixels: [Element], width: Int) -> [Element] {
        stride(from: pixels.count - width, through: 0, by: -width)
            .flatMap { pixels[$0..<$0 + width] }
    }
}

extension DevelopedImage {
    /// The samples of all pixels, channel by channel.
    var pixels: [[Int]] {
        let samples =
            bitsPerSample == 8
            ? bytes.map { Int($0) }
            : stride(from: 0, to: bytes.count, by: 2)
                .map { Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8 }
        return stride(from: 0, to: samples.count, by: channels)
            .map { Array(samples[$0..<$0 + channels]) }
    }
}

/// Develops samples with a format's name.
func develop(
    _ samples: [Int], _ format: String, width: Int, height: Int,
    _ settings: DevelopmentSettings = DevelopmentSettings(tone: .linear), bits: Int = 8,
    region: FrameRegion? = nil
) throws -> DevelopedImage {
    let format = try #require(PixelFormat.named(format))
    let size = try #require(FrameSize(width: width, height: height))
    let development = try #require(
        Development(format, size: size, settings: settings, bitsPerSample: bits))
    return Raw.bytes(samples, wide: format.bytesPerSample == 2).withUnsafeBytes {
        development.image(of: $0, region: region)
    }
}
