/// An illuminant by correlated colour temperature and distance from the black body.
public struct ColourTemperature: Hashable, Sendable {
    /// The correlated colour temperature in kelvin.
    public var kelvin: Double
    /// The distance from the Planckian locus in CIE 1960 (u, v); above 0 the illuminant is greener than the black body.
    public var duv: Double

    /// Creates a colour temperature.
    public init(kelvin: Double, duv: Double) {
        self.kelvin = kelvin
        self.duv = duv
    }

    /// Creates a colour temperature from the integers of recipes.
    ///
    /// - Parameters:
    ///   - kelvin: the correlated colour temperature.
    ///   - tintThousandths: the tint of the illuminant, in thousandths.
    public init(kelvin: Int64, tintThousandths: Int64) {
        self.init(kelvin: Double(kelvin), duv: Double(tintThousandths) / Self.tintThousandths)
    }

    /// The tint of the illuminant, +3000·Duv: positive means a greener *illuminant* (whose correction looks more
    /// magenta).
    ///
    /// Source of factor and sign: the DNG software development kit, `dng_temperature`.
    public var tint: Double { duv * 3_000 }
    /// The colour temperature to the nearest kelvin.
    public var wholeKelvin: Int64 { nearestInteger(kelvin) }
    /// The tint of the illuminant to the nearest thousandth.
    public var tintThousandths: Int64 { nearestInteger(duv * Self.tintThousandths) }

    /// Thousandths of tint per Duv.
    private static let tintThousandths = 3_000_000.0
    /// Tints of illuminants to which a colour temperature means something, in thousandths: 0.05 from the black body
    /// (CIE 15).
    public static let meaningfulTints: ClosedRange<Int64> = -150_000...150_000

    /// What of this is beyond the range in which a colour temperature means something; empty if nothing is.
    public var limits: [ColourLimit] {
        var limits: [ColourLimit] = []
        if !PlanckianLocus.kelvin.contains(wholeKelvin) {
            limits.append(.temperature(wholeKelvin, PlanckianLocus.kelvin, of: .blackBody))
        }
        if !Self.meaningfulTints.contains(tintThousandths) { limits.append(.tint(tintThousandths)) }
        return limits
    }
}
