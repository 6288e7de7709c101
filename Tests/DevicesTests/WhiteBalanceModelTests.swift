import Imaging
import TestSupport
import Testing

@testable import Devices

struct WhiteBalanceModelTests {
    private static let red = CameraControl(rawValue: 0x0098_090e)
    private static let blue = CameraControl(rawValue: 0x0098_090f)
    private static let kelvin = CameraControl(rawValue: 0x0098_091a)

    private static let model = WhiteBalanceModel(
        components: .init(red: red, blue: blue, unity: 1024, codes: CodeRange(256, 4095)),
        temperature: .init(control: kelvin, codes: CodeRange(2_800, 6_500, step: 10)),
        latencyFrames: 1)

    private static func gains(_ red: Int64, _ green: Int64, _ blue: Int64) -> WhiteBalance {
        .gains(
            red: Gain(millionths: red), green: Gain(millionths: green),
            blue: Gain(millionths: blue))
    }

    // MARK: Correlated colour temperature

    @Test(arguments: [(312_700, 329_000, 6_504), (447_570, 407_450, 2_856)])
    func `D65 and illuminant A have their temperatures`(x: Int64, y: Int64, kelvin: Int64) {
        #expect(correlatedColourTemperature(xMillionths: x, yMillionths: y)?.kelvin == kelvin)
    }

    @Test func `lights have a temperature up to 0.05 from the black body, and no farther`() {
        var random = SeededGenerator(seed: 12)
        var counts = (near: 0, far: 0)
        for _ in 0..<600 {
            let (x, y) = (random.number(250_000...550_000), random.number(200_000...450_000))
            let found = correlatedColourTemperature(xMillionths: x, yMillionths: y)?.kelvin
            // The nearest of the black bodies that Kang's formula is good for.
            let bodies = stride(from: 45.0, through: 590, by: 1.0).map { 1e6 / $0 }
            let distances = bodies.map {
                (
                    kelvin: $0,
                    away: Self.distance(x: Double(x) / 1e6, y: Double(y) / 1e6, kelvin: $0)
                )
            }
            guard let nearest = distances.min(by: { $0.away < $1.away }),
                nearest.kelvin < 20_000, nearest.kelvin > 1_720
            else { continue }
            if nearest.away < 0.049 {
                counts.near += 1
                #expect(abs(Double(found ?? 0) / nearest.kelvin - 1) < 0.02, "\(x) \(y)")
            } else if nearest.away > 0.051 {
                counts.far += 1
                #expect(found == nil, "\(x) \(y), \(nearest.away) from the black body")
            }
        }
        #expect(counts.near > 100 && counts.far > 50)
    }

    /// How far a chromaticity is from a black body in CIE 1960 (u, v); its place after Kang 2002.
    private static func distance(x: Double, y: Double, kelvin t: Double) -> Double {
        let bodyX =
            t <= 4000
            ? ((-0.2661239e9 / t - 0.2343589e6) / t + 0.8776956e3) / t + 0.179910
            : ((-3.0258469e9 / t + 2.1070379e6) / t + 0.2226347e3) / t + 0.24039
        let a = bodyX
        let bodyY =
            t <= 2222
            ? ((-1.1063814 * a - 1.34811020) * a + 2.18555832) * a - 0.20219683
            : t <= 4000
                ? ((-0.9549476 * a - 1.37418593) * a + 2.09137015) * a - 0.16748867
                : ((3.0817580 * a - 5.8733867) * a + 3.75112997) * a - 0.37001483
        func uniform(_ x: Double, _ y: Double) -> (u: Double, v: Double) {
            (4 * x / (-2 * x + 12 * y + 3), 6 * y / (-2 * x + 12 * y + 3))
        }
        let (light, body) = (uniform(x, y), uniform(bodyX, bodyY))
        return ((light.u - body.u) * (light.u - body.u) + (light.v - body.v) * (light.v - body.v))
            .squareRoot()
    }

    @Test func `a red lamp has no colour temperature, though the formula would give it one`() {
        #expect(correlatedColourTemperature(xMillionths: 700_000, yMillionths: 290_000) == nil)
    }

    @Test func `no chromaticity is a trap`() {
        for x: Int64 in [.min, -1, 0, 332_000, 1_000_000, .max / 4] {
            for y: Int64 in [-1, 0, 185_799, 185_800, 185_801, 1_000_000] {
                let found = correlatedColourTemperature(xMillionths: x, yMillionths: y)?.kelvin
                #expect(found.map { (1_000...100_000).contains($0) } ?? true)
            }
        }
    }

    // MARK: Codes

    @Test func `gains are relative to green`() throws {
        let (codes, achieved) = try Self.model.quantise(
            Self.gains(3_840_000, 2_000_000, 1_000_000), profile: "p")
        #expect(codes == [ControlValue(Self.red, 1_966), ControlValue(Self.blue, 512)])
        // 1966 / 1024 and a half.
        #expect(achieved == Self.gains(1_919_922, 1_000_000, 500_000))
    }

    @Test func `gains that a camera has can be asked for again: the least is 1, and codes stay`()
        throws
    {
        let components = try #require(Self.model.components)
        var random = SeededGenerator(seed: 13)
        for _ in 0..<1_000 {
            let (redCode, blueCode) = (random.number(256...4_095), random.number(256...4_095))
            let had = components.gains(redCode: redCode, blueCode: blueCode)
            guard case .gains(let red, let green, let blue) = had else {
                Issue.record("\(had)")
                return
            }
            #expect(min(red, green, blue) == .unity)
            let again = try Self.model.quantise(had, profile: "p")
            #expect(
                again.codes == [
                    ControlValue(Self.red, redCode), ControlValue(Self.blue, blueCode),
                ])
        }
    }

    @Test func `a temperature is rounded to the control's step`() throws {
        let (codes, achieved) = try Self.model.quantise(
            .temperature(kelvin: 5_205, tintThousandths: 0), profile: "p")
        #expect(codes == [ControlValue(Self.kelvin, 5_210)])
        #expect(achieved == .temperature(kelvin: 5_210, tintThousandths: 0))
    }

    @Test func `a chromaticity is set by its temperature`() throws {
        let (codes, achieved) = try Self.model.quantise(
            .chromaticity(xMillionths: 345_000, yMillionths: 352_000), profile: "p")
        #expect(codes == [ControlValue(Self.kelvin, 5_010)])
        #expect(achieved == .temperature(kelvin: 5_010, tintThousandths: 0))
    }

    // MARK: Refusals

    private static func refusal(
        _ asked: WhiteBalance, by model: WhiteBalanceModel = model
    ) throws -> SettingProblem {
        try #require(throws: SettingProblem.self) { try model.quantise(asked, profile: "web") }
    }

    @Test func `a gain outside is refused with the range, however little it is outside`() throws {
        for (red, green): (Int64, Int64) in [
            (1_999_999, 8_000_000), (3_999_024, 1_000_000), (1_000_000_000, 1_000_000),
        ] {
            let problem = try Self.refusal(Self.gains(red, green, green))
            #expect(problem.id == "white-balance-out-of-range")
            #expect(
                problem.message
                    == "the red gain, \(Gain(millionths: red)) over green \(Gain(millionths: green)),"
                    + " is outside 0.25x to 3.999023x (camera profile `web`)")
        }
        let blue = try Self.refusal(Self.gains(1_000_000, 1_000_000, 9_000_000))
        #expect(blue.message.hasPrefix("the blue gain, 9x over green 1x, is outside"))
    }

    @Test func `a gain below 1 is refused for every channel, whatever the camera takes`()
        throws
    {
        var byCurve = Self.model
        byCurve.components = nil
        let curve = try #require(
            ColourCurve(points: [
                .init(kelvin: 2_500, redMillionths: 1_000_000, blueMillionths: 350_000),
                .init(kelvin: 7_500, redMillionths: 500_000, blueMillionths: 850_000),
            ]))
        byCurve.curve = curve
        for model in [Self.model, byCurve] {
            for (asked, channel, gain) in [
                (Self.gains(999_999, 1_000_000, 1_000_000), "red", "0.999999x"),
                (Self.gains(1_000_000, 0, 1_000_000), "green", "0x"),
                (Self.gains(1_500_000, 1_000_000, 500_000), "blue", "0.5x"),
            ] {
                let problem = try Self.refusal(asked, by: model)
                #expect(problem.id == "white-balance-out-of-range")
                #expect(
                    problem.message
                        == "the \(channel) gain \(gain) is below 1x, the least that a channel can have"
                )
                #expect(
                    problem.hint == "divide all three by the smallest one, so that it is 1")
            }
        }
    }

    @Test func `a temperature outside is refused with the range`() throws {
        for kelvin: Int64 in [2_799, 6_501] {
            let problem = try Self.refusal(.temperature(kelvin: kelvin, tintThousandths: 0))
            #expect(
                problem.message
                    == "\(kelvin) K is outside 2800 K to 6500 K (white_balance_temperature of camera"
                    + " profile `web`)")
        }
    }

    @Test func `tint and far-off chromaticities are refused, never dropped`() throws {
        let tint = try Self.refusal(.temperature(kelvin: 5_200, tintThousandths: 4_000))
        #expect(tint.id == "tint-unsupported")
        #expect(
            tint.message
                == "camera profile `web` has a control for temperature but none for tint")
        // D50 is daylight, which is greener than the black body.
        let daylight = try Self.refusal(.chromaticity(xMillionths: 345_700, yMillionths: 358_500))
        #expect(daylight.id == "tint-unsupported" && daylight.isUnsupported)
        #expect(
            daylight.message.hasPrefix("a light of that chromaticity has 500")
                && daylight.message.contains(" K and a tint of 9."))
        #expect(
            daylight.message.hasSuffix(
                "camera profile `web` has a control for temperature but none for tint"))
        #expect(daylight.hint?.hasPrefix("give `temperature: 500") == true)
        let far = try Self.refusal(.chromaticity(xMillionths: 700_000, yMillionths: 290_000))
        #expect(
            far.message
                == "a light of that chromaticity has no colour temperature from 1000 K to 100000 K:"
                + " it is too far from daylight and lamps")
    }

    @Test func `what a camera has no control for is refused, with what it has instead`() throws {
        var onlyKelvin = Self.model
        onlyKelvin.components = nil
        let gains = try Self.refusal(
            Self.gains(1_000_000, 1_000_000, 1_000_000), by: onlyKelvin)
        #expect(gains.message == "camera profile `web` has no control that takes gains")
        #expect(gains.hint == "give a temperature, or leave white balance out")
        var onlyGains = Self.model
        onlyGains.temperature = nil
        let kelvin = try Self.refusal(
            .temperature(kelvin: 5_000, tintThousandths: 0), by: onlyGains)
        #expect(kelvin.message == "camera profile `web` has no control that takes a temperature")
        #expect(kelvin.hint == "give gains, or leave white balance out")
    }
}
