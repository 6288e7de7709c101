internal import CImaging

/// How the samples of a frame become light: black level off, gain and full scale in one factor.
///
/// `lane = min(round(max(sample − black, 0) · 2^up · factor / 2^down), full scale)` with a factor of 16 bits for each
/// of the four sites; `down` is the largest shift with which all four factors still fit, so that gains keep the most
/// digits.
struct SampleScale {
    /// Even and odd columns of even and odd rows.
    private let rows: [fl_row_scale]

    /// Creates a scale.
    ///
    /// - Parameters:
    ///   - fullScale: the lane at saturation, 2047 or 32,767.
    ///   - largestDown: bits that a product may be shifted down by.
    /// - Returns: nil if black is not below white, or a gain is too large for the arithmetic (beyond 15, for a sensor
    ///   without black level).
    init?(
        _ settings: DevelopmentSettings, format: PixelFormat, fullScale: Int, largestDown: Int
    ) {
        let white = settings.white ?? format.maximum
        let gains = Self.gains(settings.gains, format)
        guard settings.black.count == 1 || settings.black.count == 4,
            settings.black.allSatisfy({ $0 >= 0 && $0 < white }), white <= format.maximum,
            gains.allSatisfy({ $0 > 0 && $0 <= 64_000_000 })
        else { return nil }
        let up = 16 - format.bitsPerSample
        // Rounded up, so that white reaches full scale.
        func factors(down: Int) -> [Int128] {
            gains.indices.map { site in
                let range = Int128(white - settings.black(ofSite: site)) << Int128(up)
                let numerator = (Int128(gains[site]) * Int128(fullScale)) << Int128(down)
                let denominator = 1_000_000 * range
                return (numerator + denominator - 1) / denominator
            }
        }
        let down = (17...largestDown).last { factors(down: $0).allSatisfy { $0 <= 65_535 } }
        let lesser =
            fullScale > 2_047
            ? (1..<17).last { factors(down: $0).allSatisfy { $0 <= 65_535 } } : nil
        guard let down = down ?? lesser else { return nil }
        let factors = factors(down: down).map { UInt16($0) }
        let black = (0..<4).map { UInt16(settings.black(ofSite: $0)) }
        rows = [0, 2].map { site in
            fl_row_scale(
                black: (black[site], black[site + 1]), factor: (factors[site], factors[site + 1]),
                up: UInt8(up), down: UInt8(down))
        }
    }

    /// The scale of a row.
    subscript(row: Int) -> fl_row_scale { rows[row & 1] }

    /// The gains of the four sites of the pattern.
    private static func gains(_ gains: ChannelGains, _ format: PixelFormat) -> [Int64] {
        let (red, green, blue) = (gains.redMillionths, gains.greenMillionths, gains.blueMillionths)
        return switch format.samples {
        case .bayer(.rggb): [red, green, green, blue]
        case .bayer(.grbg): [green, red, blue, green]
        case .bayer(.gbrg): [green, blue, red, green]
        case .bayer(.bggr): [blue, green, green, red]
        default: [1_000_000, 1_000_000, 1_000_000, 1_000_000]
        }
    }
}

extension BayerPattern {
    /// Whether a row holds red (and green); the others hold blue (and green).
    func hasRed(row: Int) -> Bool { (self == .rggb || self == .grbg) == (row & 1 == 0) }

    /// Whether a row begins with red or blue and not with green.
    func beginsWithColour(row: Int) -> Bool { (self == .rggb || self == .bggr) == (row & 1 == 0) }
}
