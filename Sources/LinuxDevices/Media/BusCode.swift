internal import CVideo
internal import Imaging

/// How pixels are called on the bus between sensor and receiver (`linux/media-bus-format.h`).
///
/// Codes of one whole sample a clock (`…_1X10`), by which the kernel names pixels on serial buses such as CSI-2.
enum BusCode {
    /// The bus code of a pixel format that a sensor can deliver as it is; nil for all others.
    ///
    /// Packing in memory does not matter: the receiver packs.
    static func of(_ pixelFormat: PixelFormat) -> UInt32? {
        switch pixelFormat.samples {
        case .mono: mono[pixelFormat.bitsPerSample].map { UInt32($0) }
        case .bayer(let pattern): bayer(pattern, pixelFormat.bitsPerSample).map { UInt32($0) }
        case .yuv422, .rgb: nil
        }
    }

    /// How messages name a bus code: the pixels, where a sensor delivers them as they are, and the number.
    static func text(_ code: UInt32) -> String {
        let number = "bus code 0x\(String(code, radix: 16))"
        return format(code).map { "\($0.name) (\(number))" } ?? number
    }

    /// The message where a sensor gives the colours in another order than asked; else nothing.
    ///
    /// Flipping a sensor's image starts it with another row or column, so the Bayer order follows the flips.
    static func advice(wanted: UInt32, given: UInt32) -> String {
        guard differInOrderAlone(wanted, given), let given = format(given) else { return "" }
        return ": its flips decide the order of colours; ask for \(given.name), or pin "
            + "horizontal_flip and vertical_flip in the camera profile"
    }

    /// Whether two bus codes are Bayer patterns of the same depth, in different orders.
    static func differInOrderAlone(_ one: UInt32, _ other: UInt32) -> Bool {
        guard let one = format(one), let other = format(other), case .bayer = one.samples,
            case .bayer = other.samples
        else { return false }
        return one != other && one.bitsPerSample == other.bitsPerSample
    }

    /// The unpacked pixel format of a bus code; nil for codes of pixels that framelock does not record.
    private static func format(_ code: UInt32) -> PixelFormat? {
        PixelFormat.known.first { $0.packing == .unpacked && of($0) == code }
    }

    /// Bus codes of grey pixels by their bits.
    private static let mono: [Int: Int32] = [
        8: MEDIA_BUS_FMT_Y8_1X8, 10: MEDIA_BUS_FMT_Y10_1X10, 12: MEDIA_BUS_FMT_Y12_1X12,
    ]

    /// The bus code of a Bayer pattern; nil for depths that have none here.
    private static func bayer(_ pattern: BayerPattern, _ bits: Int) -> Int32? {
        switch (pattern, bits) {
        case (.rggb, 8): MEDIA_BUS_FMT_SRGGB8_1X8
        case (.grbg, 8): MEDIA_BUS_FMT_SGRBG8_1X8
        case (.gbrg, 8): MEDIA_BUS_FMT_SGBRG8_1X8
        case (.bggr, 8): MEDIA_BUS_FMT_SBGGR8_1X8
        case (.rggb, 10): MEDIA_BUS_FMT_SRGGB10_1X10
        case (.grbg, 10): MEDIA_BUS_FMT_SGRBG10_1X10
        case (.gbrg, 10): MEDIA_BUS_FMT_SGBRG10_1X10
        case (.bggr, 10): MEDIA_BUS_FMT_SBGGR10_1X10
        case (.rggb, 12): MEDIA_BUS_FMT_SRGGB12_1X12
        case (.grbg, 12): MEDIA_BUS_FMT_SGRBG12_1X12
        case (.gbrg, 12): MEDIA_BUS_FMT_SGBRG12_1X12
        case (.bggr, 12): MEDIA_BUS_FMT_SBGGR12_1X12
        case (.rggb, 16): MEDIA_BUS_FMT_SRGGB16_1X16
        case (.grbg, 16): MEDIA_BUS_FMT_SGRBG16_1X16
        case (.gbrg, 16): MEDIA_BUS_FMT_SGBRG16_1X16
        case (.bggr, 16): MEDIA_BUS_FMT_SBGGR16_1X16
        default: nil
        }
    }
}
