extension ColourTemperature {
    /// The correlated colour temperature in kelvin by McCamy's formula (1992), good from 2,000 K to 12,500 K.
    ///
    /// `n = (x − 0.3320) / (0.1858 − y)`, `CCT = 449 n³ + 3525 n² + 6823.3 n + 5520.33`. It gives no information on the
    /// distance from the black body, and gives a red lamp a temperature too.
    ///
    /// - Returns: nil at y = 0.1858.
    public static func mcCamy(_ light: Chromaticity) -> Double? {
        guard light.y != 0.1858 else { return nil }
        let n = (light.x - 0.3320) / (0.1858 - light.y)
        return ((449 * n + 3525) * n + 6823.3) * n + 5520.33
    }

    /// The correlated colour temperature in kelvin after Hernández-Andrés, Lee and Romero (1999).
    ///
    /// Made for daylight, 3,000 K to 800,000 K; less exact for incandescent lamps.
    ///
    /// - Returns: nil at y = 0.1735 and at y = 0.1691.
    public static func hernandezAndres(_ light: Chromaticity) -> Double? {
        guard light.y != 0.1735, light.y != 0.1691 else { return nil }
        let n = (light.x - 0.3366) / (light.y - 0.1735)
        let kelvin =
            -949.86315 + 6253.80338 * exponential(-n / 0.92159)
            + 28.70599 * exponential(-n / 0.20039) + 0.00004 * exponential(-n / 0.07125)
        if kelvin <= 50_000 { return kelvin }
        let hot = (light.x - 0.3356) / (light.y - 0.1691)
        return 36284.48953 + 0.00228 * exponential(-hot / 0.07861)
            + 5.4535e-36 * exponential(-hot / 0.01543)
    }
}

extension UniformChromaticity {
    /// The black body of a temperature by Krystek's quotients (1985), good from 1,000 K to 15,000 K.
    public init(krystek kelvin: Double) {
        let t = kelvin
        u =
            (0.860117757 + 1.54118254e-4 * t + 1.28641212e-7 * t * t)
            / (1 + 8.42420235e-4 * t + 7.08145163e-7 * t * t)
        v =
            (0.317398726 + 4.22806245e-5 * t + 4.20481691e-8 * t * t)
            / (1 - 2.89741816e-5 * t + 1.61456053e-7 * t * t)
    }
}

extension Chromaticity {
    /// The black body of a temperature by the polynomials of Kang and others (2002); nil outside 1,667 K to 25,000 K.
    public init?(kang kelvin: Double) {
        guard (1_667...25_000).contains(kelvin) else { return nil }
        let t = 1e3 / kelvin
        let x =
            kelvin <= 4_000
            ? ((-0.2661239 * t - 0.2343589) * t + 0.8776956) * t + 0.179910
            : ((-3.0258469 * t + 2.1070379) * t + 0.2226347) * t + 0.24039
        let y =
            switch kelvin {
            case ...2_222: ((-1.1063814 * x - 1.34811020) * x + 2.18555832) * x - 0.20219683
            case ...4_000: ((-0.9549476 * x - 1.37418593) * x + 2.09137015) * x - 0.16748867
            default: ((3.0817580 * x - 5.8733867) * x + 3.75112997) * x - 0.37001483
            }
        self.init(x: x, y: y)
    }

    /// The CIE's daylight of a temperature; nil outside 4,000 K to 25,000 K.
    ///
    /// The nominal D65 is 6,504 K on today's temperature scale.
    public init?(daylight kelvin: Double) {
        guard (4_000...25_000).contains(kelvin) else { return nil }
        let t = 1e3 / kelvin
        let x =
            kelvin <= 7_000
            ? ((-4.6070 * t + 2.9678) * t + 0.09911) * t + 0.244063
            : ((-2.0064 * t + 1.9018) * t + 0.24748) * t + 0.237040
        self.init(x: x, y: (-3 * x + 2.870) * x - 0.275)
    }
}

/// e to the power of a number, by basic operations alone, which are the same on every machine.
func exponential(_ power: Double) -> Double {
    if power.isNaN { return power }
    if power > 709 { return .infinity }
    if power < -745 { return 0 }
    // e^p = 2^k · e^r with |r| at most half of ln 2, which Taylor's series gives to the last bits.
    let halvings = (power / 0.693147180559945309).rounded()
    let rest = power - halvings * 0.693147180559945309
    var sum = 1.0
    for divisor in stride(from: 18.0, through: 1, by: -1) { sum = 1 + sum * rest / divisor }
    return Double(sign: .plus, exponent: Int(halvings), significand: sum)
}
