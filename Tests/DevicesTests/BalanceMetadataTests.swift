import Imaging
import Testing
import Timebase

@testable import Devices

/// White balance of cameras that do not balance, and what a colour curve makes possible.
struct BalanceMetadataTests {
    /// The published curve of the imx477.
    private static func curve() throws -> ColourCurve {
        let points: [(Int64, Int64, Int64)] = [
            (2_850, 430_700, 395_700), (2_960, 415_900, 431_300), (3_580, 377_100, 517_600),
            (4_559, 303_100, 657_300), (5_881, 280_900, 694_200), (7_600, 226_300, 776_200),
        ]
        return try #require(
            ColourCurve(
                points: points.map { .init(kelvin: $0, redMillionths: $1, blueMillionths: $2) }))
    }

    private static func gains(_ red: Int64, _ green: Int64, _ blue: Int64) -> WhiteBalance {
        .gains(
            red: Gain(millionths: red), green: Gain(millionths: green),
            blue: Gain(millionths: blue))
    }

    @Test func `a temperature becomes the published gains, and no code`() throws {
        let model = WhiteBalanceModel.metadata(curve: try Self.curve())
        let (codes, achieved) = try model.quantise(
            .temperature(kelvin: 5_000, tintThousandths: 0), profile: "imx477")
        #expect(codes == [])
        guard case .gains(let red, let green, let blue) = achieved else {
            Issue.record("\(achieved)")
            return
        }
        // (3.3818, 1, 1.4934) to the published digits.
        #expect((red.millionths - 3_381_800).magnitude <= 150)
        #expect(green == .unity)
        #expect((blue.millionths - 1_493_400).magnitude <= 60)
    }

    @Test func `a greener illuminant gets more red and blue, and a chromaticity brings its tint`()
        throws
    {
        let model = WhiteBalanceModel.metadata(curve: try Self.curve())
        func balance(_ asked: WhiteBalance) throws -> (red: Int64, blue: Int64) {
            guard
                case .gains(let red, let green, let blue) = try model.quantise(
                    asked, profile: "imx477"
                ).achieved
            else { throw SettingProblem(.whiteBalance, id: "none", "no gains") }
            #expect(green == .unity)
            return (red.millionths, blue.millionths)
        }
        let plain = try balance(.temperature(kelvin: 5_000, tintThousandths: 0))
        let greener = try balance(.temperature(kelvin: 5_000, tintThousandths: 20_000))
        #expect(greener.red > plain.red && greener.blue > plain.blue)
        // (0.3440, 0.3600) lies above the black body's (0.3450, 0.3516): 5,048 K, Duv +0.0042.
        let above = try balance(.chromaticity(xMillionths: 344_000, yMillionths: 360_000))
        let on = try balance(.chromaticity(xMillionths: 344_992, yMillionths: 351_587))
        #expect(above.red > on.red && above.blue > on.blue)
        #expect(throws: SettingProblem.self) {
            try balance(.temperature(kelvin: 5_000, tintThousandths: 200_000))
        }
    }

    @Test func `gains are kept as they are, each from 1 to the largest`() throws {
        let model = WhiteBalanceModel.metadata(curve: nil)
        let asked = Self.gains(2_345_678, 1_000_000, 1_500_000)
        #expect(try model.quantise(asked, profile: "p").achieved == asked)
        for (asked, channel, value) in [
            (Self.gains(999_999, 1_000_000, 1_000_000), "red", "0.999999x"),
            (Self.gains(1_000_000, 500_000, 1_000_000), "green", "0.5x"),
            (Self.gains(1_000_000, 1_000_000, 8_000_001), "blue", "8.000001x"),
        ] {
            let problem = try #require(throws: SettingProblem.self) {
                try model.quantise(asked, profile: "p")
            }
            #expect(
                problem.message
                    == "the \(channel) gain \(value) is outside 1x to 8x (camera profile `p`)")
            #expect(!problem.isUnsupported)
        }
    }

    @Test func `a curve that needs less than 1 for a channel gives the others more`() throws {
        let warm = try #require(
            ColourCurve(points: [
                .init(kelvin: 2_500, redMillionths: 1_028_900, blueMillionths: 450_300),
                .init(kelvin: 2_803, redMillionths: 942_800, blueMillionths: 510_800),
            ]))
        let gains = try #require(warm.gains(kelvin: 2_500))
        #expect(gains.red == .unity)
        #expect(gains.green == Gain(millionths: 1_028_900))
        #expect(gains.blue == Gain(millionths: 2_284_921))
    }

    @Test func `outside the curve is an error that names it`() throws {
        let model = WhiteBalanceModel.metadata(curve: try Self.curve())
        for kelvin: Int64 in [2_849, 7_601] {
            let problem = try #require(throws: SettingProblem.self) {
                try model.quantise(
                    .temperature(kelvin: kelvin, tintThousandths: 0), profile: "imx477")
            }
            #expect(
                problem.message
                    == "\(kelvin) K is outside 2850 K to 7600 K (colour curve of camera profile"
                    + " `imx477`)")
        }
        for kelvin: Int64 in [2_850, 7_600] {
            #expect(throws: Never.self) {
                try model.quantise(.temperature(kelvin: kelvin, tintThousandths: 0), profile: "p")
            }
        }
    }

    @Test func `without a curve there are no temperatures, and current means nothing`() throws {
        let model = WhiteBalanceModel.metadata(curve: nil)
        let problem = try #require(throws: SettingProblem.self) {
            try model.quantise(.temperature(kelvin: 5_000, tintThousandths: 0), profile: "imx290")
        }
        #expect(problem.isUnsupported)
        #expect(
            problem.message == "camera profile `imx290` has no control that takes a temperature")
        var profile = CameraProfile(
            name: "imx290",
            timestamps: TimestampModel(point: .startOfReadout, delay: .zero, readout: nil))
        profile.whiteBalance = model
        let current = profile.quantise(FrameSettings(whiteBalance: .current)).problems
        #expect(current.map(\.id) == ["white-balance-unsupported"])
        #expect(current.allSatisfy { $0.isUnsupported })
    }

    // MARK: Cameras with controls and a curve

    @Test func `a camera that takes a temperature alone gets one for gains, and back`() throws {
        let curve = try Self.curve()
        var model = WhiteBalanceModel(
            components: nil,
            temperature: .init(
                control: CameraControl(rawValue: 0x0098_091a), codes: CodeRange(2_800, 7_600)),
            latencyFrames: 1, curve: curve)
        for kelvin: Int64 in stride(from: 2_900, through: 7_500, by: 100) {
            let gains = try #require(curve.gains(kelvin: kelvin))
            let asked = WhiteBalance.gains(red: gains.red, green: gains.green, blue: gains.blue)
            guard case .temperature(let found, 0) = try model.quantise(asked, profile: "p").achieved
            else {
                Issue.record("no temperature for \(kelvin) K")
                continue
            }
            #expect((found - kelvin).magnitude <= 1)
        }
        // Daylight's red with a lamp's blue: no temperature.
        #expect(throws: SettingProblem.self) {
            try model.quantise(Self.gains(4_000_000, 1_000_000, 2_500_000), profile: "p")
        }
        model.curve = nil
        let refusal = try #require(throws: SettingProblem.self) {
            try model.quantise(Self.gains(2_000_000, 1_000_000, 1_500_000), profile: "p")
        }
        #expect(refusal.isUnsupported)
    }

    @Test func `a camera that takes components alone gets them for a temperature`() throws {
        let model = WhiteBalanceModel(
            components: .init(
                red: CameraControl(rawValue: 0x0098_090e),
                blue: CameraControl(rawValue: 0x0098_090f), unity: 1024,
                codes: CodeRange(256, 4095)),
            temperature: nil, latencyFrames: 1, curve: try Self.curve())
        let codes = try model.quantise(
            .temperature(kelvin: 5_000, tintThousandths: 0), profile: "p"
        ).codes
        // 3.3819 · 1024 and 1.4934 · 1024.
        #expect(codes.map(\.code) == [3_463, 1_529])
    }
}
