/// How a camera lays samples in memory: which samples, how many bits, how packed.
///
/// The set is closed on purpose: a format that is listed here is understood down to its last bit; any other is
/// reported by its FourCC and refused.
public struct PixelFormat: Hashable, Sendable {
    /// What a sample measures, and in which order samples follow each other.
    public enum Samples: Hashable, Sendable {
        /// One luminance sample per pixel.
        case mono
        /// One sample per pixel behind a colour filter; the pattern is named by its first two rows.
        case bayer(BayerPattern)
        /// 4:2:2: a luma sample per pixel, a chroma sample per pixel, alternately blue and red differences.
        case yuv422(lumaFirst: Bool)
        /// Red, green, blue samples per pixel.
        case rgb
    }

    /// How samples of more than eight bits lie in bytes.
    public enum Packing: Hashable, Sendable {
        /// Whole bytes per sample, little-endian, value in the low bits.
        case unpacked
        /// MIPI CSI-2 packing: 10 bits as 4 samples in 5 bytes, 12 bits as 2 samples in 3 bytes.
        case csi2
    }

    /// The name in recipes: V4L2's own, for example `SRGGB12`.
    public let name: String
    /// V4L2's four-character code, first character lowest.
    public let fourCC: UInt32
    /// What the samples are.
    public let samples: Samples
    /// Significant bits of a sample, 8 to 16.
    public let bitsPerSample: Int
    /// How samples lie in bytes.
    public let packing: Packing

    init(
        _ name: String, _ code: StaticString, _ samples: Samples, bits: Int,
        packing: Packing = .unpacked
    ) {
        self.name = name
        self.samples = samples
        self.bitsPerSample = bits
        self.packing = packing
        self.fourCC = code.withUTF8Buffer { bytes in
            precondition(bytes.count == 4, "a FourCC has four characters")
            return UInt32(bytes[0]) | UInt32(bytes[1]) << 8 | UInt32(bytes[2]) << 16
                | UInt32(bytes[3]) << 24
        }
    }

    /// Samples per pixel in the record: 2 for 4:2:2 (luma, chroma), 3 for RGB, else 1.
    public var channels: Int {
        switch samples {
        case .mono, .bayer: 1
        case .yuv422: 2
        case .rgb: 3
        }
    }

    /// Bytes of one sample in the record, where samples are unpacked: 1 or 2.
    public var bytesPerSample: Int { bitsPerSample > 8 ? 2 : 1 }

    /// The largest sample value, `2^bits − 1`; what a sensor saturates at can be less (a profile's white level).
    public var maximum: Int { 1 << bitsPerSample - 1 }

    /// The fewest bytes a row of `width` pixels takes in the camera's memory; the driver's figure may be larger.
    public func bytesPerRow(width: Int) -> Int {
        switch packing {
        case .unpacked: width * channels * bytesPerSample
        case .csi2: (width * bitsPerSample + 7) / 8
        }
    }
}

/// The order of colour filters in the first two rows.
public enum BayerPattern: String, Hashable, Sendable, CaseIterable {
    case rggb = "RGGB"
    case grbg = "GRBG"
    case gbrg = "GBRG"
    case bggr = "BGGR"
}

extension PixelFormat {
    /// The four-character code as text, of which the last may be spaces.
    public var fourCCText: String {
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: fourCC >> (8 * $0)) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
