/// How a camera sees CIE XYZ under one or two calibration illuminants: DNG's `ColorMatrix1` and `ColorMatrix2`.
///
/// Between the two temperatures, matrices are mixed by reciprocal temperature; beyond, the nearer one holds as it is.
public struct ColourMatrices: Hashable, Sendable {
    /// XYZ to raw red, green and blue under one illuminant.
    public struct Calibration: Hashable, Sendable {
        /// The illuminant's colour temperature in kelvin.
        public var kelvin: Int64
        /// Nine elements in millionths, row by row: the raw channel's row, X, Y and Z across.
        public var elementsMillionths: [Int64]

        /// Creates a calibration.
        public init(kelvin: Int64, elementsMillionths: [Int64]) {
            self.kelvin = kelvin
            self.elementsMillionths = elementsMillionths
        }
    }

    /// One calibration, or two ascending by temperature.
    public let calibrations: [Calibration]

    /// Creates matrices.
    ///
    /// - Returns: nil unless there are one or two ascending temperatures from 1,000 K to 100,000 K, with nine elements
    ///   each, of magnitude up to 1,000, and a determinant that is not 0.
    public init?(calibrations: [Calibration]) {
        guard (1...2).contains(calibrations.count),
            calibrations.count == 1 || calibrations[0].kelvin < calibrations[1].kelvin
        else { return nil }
        for calibration in calibrations {
            guard ColourCurve.temperatures.contains(calibration.kelvin),
                calibration.elementsMillionths.count == 9,
                calibration.elementsMillionths.allSatisfy({ $0.magnitude <= 1_000_000_000 }),
                ColourMatrix(calibration).inverse != nil
            else { return nil }
        }
        self.calibrations = calibrations
    }

    /// The gains that make a light look neutral to this camera; green is 1.
    ///
    /// - Returns: nil for a light without a colour temperature, and where a channel would see nothing of it.
    public func gains(for light: Chromaticity) -> Converted<ChannelGains>? {
        guard let illuminant = ColourTemperature(light), let colour = light.tristimulus else {
            return nil
        }
        let raw = matrix(at: illuminant.kelvin) * colour
        guard raw.0 > 0, raw.1 > 0, raw.2 > 0,
            let gains = ChannelGains(greyRed: raw.0 / raw.1, blue: raw.2 / raw.1)
        else { return nil }
        return Converted(gains, limits: limits(of: illuminant))
    }

    /// The light that gains make neutral, by iteration from D50 (DNG specification, "Mapping camera color space to CIE
    /// XYZ").
    ///
    /// Thirty steps at most; where they end in going to and fro, the middle of the last two counts.
    ///
    /// - Returns: nil unless every gain is above 0, and where the iteration leaves the lights that have a temperature.
    public func chromaticity(of gains: ChannelGains) -> Converted<Chromaticity>? {
        guard let grey = gains.grey else { return nil }
        var light = Chromaticity(x: 0.3457, y: 0.3585)
        for step in 1...30 {
            guard let kelvin = ColourTemperature(light)?.kelvin,
                let inverse = matrix(at: kelvin).inverse
            else { return nil }
            let (x, y, z) = inverse * (grey.red, 1, grey.blue)
            let sum = x + y + z
            guard sum > 0 else { return nil }
            var next = Chromaticity(x: x / sum, y: y / sum)
            let change = (next.x - light.x).magnitude + (next.y - light.y).magnitude
            if step == 30, change >= 1e-7 {
                next = Chromaticity(x: (next.x + light.x) / 2, y: (next.y + light.y) / 2)
            }
            light = next
            if change < 1e-9 { break }
        }
        guard let illuminant = ColourTemperature(light) else { return nil }
        return Converted(light, limits: limits(of: illuminant))
    }

    private func limits(of illuminant: ColourTemperature) -> [ColourLimit] {
        let range = calibrations[0].kelvin...calibrations[calibrations.count - 1].kelvin
        let isOutside = calibrations.count == 2 && !range.contains(illuminant.wholeKelvin)
        return (isOutside ? [.temperature(illuminant.wholeKelvin, range, of: .matrices)] : [])
            + illuminant.limits
    }

    /// The matrix at a temperature: linear in 1/T between the two, the nearer one beyond (DNG specification, "Mapping
    /// camera color space to CIE XYZ space").
    private func matrix(at kelvin: Double) -> ColourMatrix {
        let first = ColourMatrix(calibrations[0])
        guard calibrations.count == 2 else { return first }
        let (cold, hot) = (Double(calibrations[0].kelvin), Double(calibrations[1].kelvin))
        let part = (1 / kelvin - 1 / hot) / (1 / cold - 1 / hot)
        return first.mixed(with: ColourMatrix(calibrations[1]), part: min(max(part, 0), 1))
    }
}

extension Chromaticity {
    /// XYZ at Y = 1; nil at y = 0.
    fileprivate var tristimulus: (Double, Double, Double)? {
        y > 0 ? (x / y, 1, (1 - x - y) / y) : nil
    }
}
