import TestSupport
import Testing

@testable import Devices

/// Laws besides those of GainModelTests: decibels, ratios of straight lines, measured tables.
struct GainLawTests {
    private static func model(_ law: GainModel.Law, _ codes: CodeRange) -> GainModel {
        GainModel(
            control: CameraControl(rawValue: 0x009e_0903), law: law, codes: codes, isoAtUnity: 100,
            latencyFrames: 2)
    }

    private static let imx296 = model(.exponential(stepMillidecibels: 100), CodeRange(0, 480))
    private static let imx290 = model(.exponential(stepMillidecibels: 300), CodeRange(0, 240))

    @Test func `published gains of the sensors that count decibels have the published codes`()
        throws
    {
        let two = Gain(millionths: 2_000_000)
        #expect(try Self.imx296.code(for: two, profile: "imx296") == 60)
        #expect(try Self.imx290.code(for: two, profile: "imx290") == 20)
        #expect(Self.imx296.gain(ofCode: 60)?.description == "1.995262x")
        #expect(Self.imx290.gain(ofCode: 20)?.description == "1.995262x")
    }

    /// Computed with fifty digits elsewhere.
    @Test(
        arguments: [
            (100, 0, 1_000_000), (100, 1, 1_011_579), (100, 200, 10_000_000),
            (100, 239, 15_667_511),
            (100, 480, 251_188_643), (300, 1, 1_035_142), (300, 67, 10_115_795),
            (300, 100, 31_622_777), (300, 240, 3_981_071_706), (1, 1, 1_000_115),
            (1, 16_383, 6_594_016), (1, 19_999, 9_998_849), (1, 200_000, 10_000_000_000_000_000),
        ] as [(Int64, Int64, Int64)])
    func `a gain in decibels is right to the last millionth`(
        step: Int64, code: Int64, millionths: Int64
    ) {
        let model = Self.model(.exponential(stepMillidecibels: step), CodeRange(0, 200_000 / step))
        #expect(model.gain(ofCode: code) == Gain(millionths: millionths))
    }

    @Test func `all gains of both decibel tables add up to what fifty digits give`() {
        func sum(_ model: GainModel) -> Int64 {
            (model.codes.minimum...model.codes.maximum)
                .compactMap { model.gain(ofCode: $0)?.millionths }.reduce(0, +)
        }
        #expect(sum(Self.imx296) == 21_857_443_783)
        #expect(sum(Self.imx290) == 117_237_369_808)
    }

    @Test func `every code comes back from its own gain, under every law`() throws {
        let rational = Self.model(
            .rational(RationalGain(m0: 0, c0: 1_024, m1: -1, c1: 1_024)), CodeRange(0, 978))
        for model in [Self.imx296, Self.imx290, rational] {
            for code in model.codes.minimum...model.codes.maximum {
                let gain = try #require(model.gain(ofCode: code))
                #expect(try model.code(for: gain, profile: "p") == code)
            }
        }
    }

    @Test func `the general form says the same as the laws it holds`() {
        let codes = CodeRange(0, 978)
        let pairs: [(GainModel.Law, RationalGain)] = [
            (.reciprocal(base: 1_024), RationalGain(m0: 0, c0: 1_024, m1: -1, c1: 1_024)),
            (.reciprocal(base: 1_024), RationalGain(m0: 0, c0: -1_024, m1: 1, c1: -1_024)),
            (.linear(unity: 16), RationalGain(m0: 1, c0: 0, m1: 0, c1: 16)),
        ]
        for (law, constants) in pairs {
            for code in codes.minimum...codes.maximum {
                let (one, two) = (Self.model(law, codes), Self.model(.rational(constants), codes))
                #expect(one.gain(ofCode: code) == two.gain(ofCode: code))
            }
        }
    }

    @Test func `a general form with a pole or the wrong slope does not grow`() {
        #expect(RationalGain(m0: 1, c0: 1, m1: 0, c1: 16).grows(over: CodeRange(0, 255)))
        #expect(!RationalGain(m0: 0, c0: 256, m1: -1, c1: 256).grows(over: CodeRange(0, 256)))
        #expect(!RationalGain(m0: -1, c0: 300, m1: 0, c1: 16).grows(over: CodeRange(0, 255)))
        #expect(!RationalGain(m0: 1, c0: 0, m1: 0, c1: 16).grows(over: CodeRange(0, 255)))
    }

    @Test func `no other code's gain is nearer to the one asked for`() throws {
        var random = SeededGenerator(seed: 31)
        for _ in 0..<400 {
            let step = random.number(10...400)
            let model = Self.model(
                .exponential(stepMillidecibels: step),
                CodeRange(
                    random.number(0...20), random.number(21...200), step: random.number(1...7)))
            let range = model.range
            let asked = random.number(range.lowerBound.millionths...range.upperBound.millionths)
            let code = try model.code(for: Gain(millionths: asked), profile: "p")
            let codes = stride(
                from: model.codes.minimum, through: model.codes.maximum, by: Int(model.codes.step))
            func distance(_ code: Int64) -> UInt64? {
                model.gain(ofCode: code).map { ($0.millionths - asked).magnitude }
            }
            #expect(codes.contains(code))
            #expect(distance(code) == codes.compactMap(distance).min())
        }
    }

    @Test func `a measured table has no codes but its own`() throws {
        let rows = [(10, 1_000_000), (20, 1_500_000), (40, 4_000_000)].map {
            MeasuredGain(code: $0, gain: Gain(millionths: $1))
        }
        let model = Self.model(.table(rows), CodeRange(10, 40))
        #expect(model.range == Gain(millionths: 1_000_000)...Gain(millionths: 4_000_000))
        for (asked, code) in [(1_000_000, 10), (1_240_000, 10), (1_260_000, 20), (2_800_000, 40)]
            as [(Int64, Int64)]
        {
            #expect(try model.code(for: Gain(millionths: asked), profile: "p") == code)
        }
        // What a device has between two rows is what the lower one gives.
        #expect(model.gain(ofCode: 39) == Gain(millionths: 1_500_000))
        #expect(model.gain(ofCode: 9) == nil)
    }

    @Test(arguments: [-1, 481, 2_001, Int64.max, Int64.min])
    func `a code from a device is never a trap`(code: Int64) {
        let gain = Self.imx296.gain(ofCode: code)
        #expect((gain != nil) == (0...2_000).contains(code))
        let steep = RationalGain(m0: 4_294_967_295, c0: 1, m1: 1, c1: 1)
        _ = Self.model(.rational(steep), CodeRange(0, 10)).gain(ofCode: code)
    }
}
