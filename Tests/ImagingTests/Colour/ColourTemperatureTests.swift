import Foundation
import Imaging
import Testing

/// Published figures for every formula between chromaticity and colour temperature.
@Suite("Colour temperature")
struct ColourTemperatureTests {
    static let d65 = Chromaticity(x: 0.3127, y: 0.3290)
    static let illuminantA = Chromaticity(x: 0.44757, y: 0.40745)
    static let ohnosLight = UniformChromaticity(u: 0.1978, v: 0.3122)

    @Test func `Ohno 2013 gives the published 6507.47 K and Duv 0.0032233`() throws {
        let found = try #require(ColourTemperature(Self.ohnosLight))
        #expect(abs(found.kelvin - 6507.47) < 0.005)
        #expect(abs(found.duv - 3.2233e-3) < 5e-8)
    }

    /// Lights made with Planck's law and the observer in steps of 1 nm, elsewhere than here, by temperature and Duv.
    @Test(arguments: [
        (0.357900389152, 0.360330915693, 1500, 0), (0.304164211433, 0.369027334037, 2000, 0.01),
        (0.255951285367, 0.349521049525, 2856, 0), (0.262338896563, 0.330568518739, 2856, -0.02),
        (0.208087305854, 0.359090384923, 4000, 0.03),
        (0.210341493164, 0.324155229114, 5003, 0.0015),
        (0.197837215440, 0.312211568314, 6504, 0.0032),
        (0.200454880309, 0.291210555873, 9300, -0.01),
        (0.181958499566, 0.283727462217, 15000, 0.004),
        (0.182932683590, 0.274073232218, 25000, 0),
        (0.176496449156, 0.269753132804, 50000, 0.005),
    ])
    func `lights of known temperature and distance are found again, and made again`(
        u: Double, v: Double, kelvin: Double, duv: Double
    ) throws {
        let light = UniformChromaticity(u: u, v: v)
        let found = try #require(ColourTemperature(light))
        #expect(abs(found.kelvin / kelvin - 1) < 2e-5 * max(1, kelvin / 10_000), "\(found)")
        #expect(abs(found.duv - duv) < 2e-7)
        let made = try #require(
            UniformChromaticity(ColourTemperature(kelvin: kelvin, duv: duv)))
        #expect(abs(made.u - u) < 2e-7 && abs(made.v - v) < 2e-7)
    }

    @Test(arguments: [
        (0.193741375998230, 0.315221043940594, 6500.0163, 8.3333e-3, 5e-5, 5e-8),
        (0.1978, 0.3122, 6506.88, 3.272e-3, 5e-3, 5e-7),
    ])
    func `Robertson 1968 gives the published figures`(
        u: Double, v: Double, kelvin: Double, duv: Double, kelvinDigits: Double, duvDigits: Double
    ) throws {
        let found = try #require(ColourTemperature(robertson: UniformChromaticity(u: u, v: v)))
        #expect(abs(found.kelvin - kelvin) <= kelvinDigits)
        #expect(abs(found.duv - duv) <= duvDigits)
        let back = try #require(UniformChromaticity(robertson: found))
        #expect(abs(back.u - u) < 2e-6 && abs(back.v - v) < 2e-6)
    }

    @Test func `illuminant A by Robertson, Krystek and Ohno`() throws {
        let light = try #require(Self.illuminantA.uniform)
        let robertson = try #require(ColourTemperature(robertson: light))
        #expect(abs(robertson.kelvin - 2855.76) < 0.005)
        #expect(abs(robertson.duv) < 1e-5)
        let krystek = try #require(ColourTemperature(krystek: light))
        #expect(abs(krystek.kelvin - 2854.9) < 0.05)
        let ohno = try #require(ColourTemperature(light))
        #expect(abs(ohno.kelvin - 2855.5) < 0.2)
    }

    @Test func `Krystek 1985 gives the published place of 6504.389 K`() throws {
        let body = UniformChromaticity(krystek: 6504.389)
        #expect(abs(body.u - 0.2004720) < 5e-8 && abs(body.v - 0.3102929) < 5e-8)
        let found = try #require(ColourTemperature(krystek: Self.ohnosLight))
        #expect(abs(found.kelvin - 6510.2) < 0.05)
        #expect(abs(found.duv - 3.28e-3) < 5e-6)
    }

    @Test func `McCamy 1992 gives the published temperatures of D65 and A`() throws {
        let daylight = try #require(ColourTemperature.mcCamy(Self.d65))
        #expect(abs(daylight - 6505.08) < 0.005)
        let lamp = try #require(ColourTemperature.mcCamy(Self.illuminantA))
        #expect(abs(lamp - 2857.3) < 0.05)
        #expect(ColourTemperature.mcCamy(Chromaticity(x: 0.3, y: 0.1858)) == nil)
    }

    @Test func `Hernández-Andrés 1999 gives the published temperature of D65, and is worse on A`()
        throws
    {
        let daylight = try #require(ColourTemperature.hernandezAndres(Self.d65))
        #expect(abs(daylight - 6500.742) < 5e-4)
        let warm = try #require(ColourTemperature.hernandezAndres(Self.illuminantA))
        #expect(abs(warm - 2790.6) < 0.05)
        // Beyond 50,000 K it changes to its second set of numbers.
        let hot = try #require(
            ColourTemperature.hernandezAndres(Chromaticity(x: 0.24258, y: 0.23802)))
        let n = (0.24258 - 0.3356) / (0.23802 - 0.1691)
        let second = 36284.48953 + 0.00228 * exp(-n / 0.07861) + 5.4535e-36 * exp(-n / 0.01543)
        #expect(abs(hot / second - 1) < 1e-12)
    }

    @Test(arguments: [
        (2856, 0.447071, 0.407509), (5000, 0.344992, 0.351587), (6504, 0.313432, 0.323602),
    ])
    func `Kang 2002 gives the published black bodies`(kelvin: Double, x: Double, y: Double) throws {
        let body = try #require(Chromaticity(kang: kelvin))
        #expect(abs(body.x - x) < 5e-7 && abs(body.y - y) < 5e-7)
        #expect(Chromaticity(kang: 1_600) == nil && Chromaticity(kang: 25_001) == nil)
    }

    @Test func `the CIE's daylight of 6504 K is D65`() throws {
        let light = try #require(Chromaticity(daylight: 6504))
        #expect(abs(light.x - 0.312714) < 5e-7 && abs(light.y - 0.329119) < 5e-7)
        #expect(Chromaticity(daylight: 3_999) == nil && Chromaticity(daylight: 25_001) == nil)
        // Both halves of the formula meet at 7,000 K.
        let below = try #require(Chromaticity(daylight: 7_000))
        let above = try #require(Chromaticity(daylight: 7_000.001))
        #expect(abs(below.x - above.x) < 1e-4)
    }

    @Test func `the formulas agree on daylight`() throws {
        for kelvin in stride(from: 4_000.0, through: 12_000, by: 500) {
            let light = try #require(Chromaticity(daylight: kelvin))
            let uniform = try #require(light.uniform)
            let ohno = try #require(ColourTemperature(light)).kelvin
            let robertson = try #require(ColourTemperature(robertson: uniform)).kelvin
            #expect(abs(robertson / ohno - 1) < 1e-3, "\(kelvin) K")
            let mcCamy = try #require(ColourTemperature.mcCamy(light))
            #expect(abs(mcCamy / ohno - 1) < 4e-2, "\(kelvin) K")
            let hernandez = try #require(ColourTemperature.hernandezAndres(light))
            #expect(abs(hernandez / ohno - 1) < 5e-3, "\(kelvin) K")
        }
    }

    @Test func `a positive tint is a greener illuminant`() throws {
        let grey = try #require(
            Chromaticity(ColourTemperature(kelvin: 5_000, tintThousandths: 0)))
        let green = try #require(
            Chromaticity(ColourTemperature(kelvin: 5_000, tintThousandths: 30_000)))
        // For the same luminance there is less X and less Z.
        #expect(green.x / green.y < grey.x / grey.y)
        #expect((1 - green.x) / green.y < (1 - grey.x) / grey.y)
        let found = try #require(ColourTemperature(green))
        #expect(abs(found.tint - 30) < 0.01)
        #expect(abs(found.duv - 0.01) < 1e-5)
    }

    @Test func `lights are not clamped but told to be out of range`() throws {
        #expect(ColourTemperature(kelvin: 6_500, duv: 0.0499).limits.isEmpty)
        #expect(
            ColourTemperature(kelvin: 6_500, duv: 0.06).limits == [.tint(180_000)])
        let odd = ColourTemperature(kelvin: 900, duv: 0)
        #expect(odd.limits == [.temperature(900, 1_000...100_000, of: .blackBody)])
        #expect(Chromaticity(odd) == nil)
        // A saturated red is nearest to bodies colder than any in the table; nothing is hotter than blue sky's end.
        #expect(ColourTemperature(Chromaticity(x: 0.72, y: 0.27)) == nil)
        #expect(ColourTemperature(Chromaticity(x: 0.15, y: 0.05)) == nil)
        #expect(ColourTemperature(Chromaticity(x: .nan, y: 0.3)) == nil)
    }

    @Test func `chromaticities convert and come back`() throws {
        for x in stride(from: 0.05, through: 0.7, by: 0.05) {
            for y in stride(from: 0.05, through: 0.8, by: 0.05) {
                let uniform = try #require(Chromaticity(x: x, y: y).uniform)
                let back = try #require(uniform.chromaticity)
                #expect(abs(back.x - x) < 1e-12 && abs(back.y - y) < 1e-12)
            }
        }
        #expect(Chromaticity(xMillionths: 312_700, yMillionths: 329_000) == Self.d65)
        #expect(Self.d65.xMillionths == 312_700 && Self.d65.yMillionths == 329_000)
    }

    @Test func `temperature and tint survive the way through a chromaticity in millionths`() throws
    {
        for kelvin: Int64 in stride(from: 2_000, through: 12_000, by: 250) {
            for tint: Int64 in stride(from: -90_000, through: 90_000, by: 15_000) {
                let light = try #require(
                    Chromaticity(ColourTemperature(kelvin: kelvin, tintThousandths: tint)))
                let rounded = Chromaticity(
                    xMillionths: light.xMillionths, yMillionths: light.yMillionths)
                let found = try #require(ColourTemperature(rounded))
                // A millionth of x is some parts in a hundred thousand of a temperature.
                #expect(abs(found.kelvin / Double(kelvin) - 1) < 1e-4, "\(kelvin) K, \(tint)")
                #expect(abs(found.tintThousandths - tint) < 10, "\(kelvin) K, \(tint)")
            }
        }
    }
}
