import Devices
import TestSupport
import Testing

struct GainModelTests {
    private static func model(_ law: GainModel.Law, _ codes: CodeRange) -> GainModel {
        GainModel(
            control: CameraControl(rawValue: 0x009e_0903), law: law, codes: codes, isoAtUnity: 100,
            latencyFrames: 1)
    }

    private static let imx477 = model(.reciprocal(base: 1024), CodeRange(0, 978))
    private static let imx219 = model(.reciprocal(base: 256), CodeRange(0, 232))
    private static let ov9281 = model(.linear(unity: 16), CodeRange(16, 255))

    @Test func `published gains have the published codes`() throws {
        func code(_ model: GainModel, _ gain: Int64) throws -> Int64 {
            try model.code(for: Gain(millionths: gain * 1_000_000), profile: "sensor")
        }
        #expect(try code(Self.imx477, 4) == 768)
        #expect(try code(Self.imx219, 8) == 224)
        #expect(try code(Self.imx219, 1) == 0)
        #expect(try code(Self.ov9281, 1) == 16)
        #expect(try code(Self.ov9281, 15) == 240)
        #expect(Self.imx477.gain(ofCode: 978)?.description == "22.26087x")
        #expect(Self.imx219.gain(ofCode: 232)?.description == "10.666667x")
        #expect(Self.ov9281.gain(ofCode: 255)?.description == "15.9375x")
    }

    @Test func `half-way between two codes the higher one is taken`() throws {
        // 16 codes for each time: 1.03125x is half-way from 16 to 17.
        let gains: [Int64] = [1_031_249, 1_031_250, 1_031_251, 15_937_500]
        let codes = try gains.map { try Self.ov9281.code(for: Gain(millionths: $0), profile: "s") }
        #expect(codes == [16, 17, 17, 255])
    }

    @Test func `every code comes back from its own gain`() throws {
        for model in [Self.imx477, Self.imx219, Self.ov9281] {
            for code in model.codes.minimum...model.codes.maximum {
                let gain = try #require(model.gain(ofCode: code))
                #expect(try model.code(for: gain, profile: "p") == code)
            }
        }
    }

    @Test func `no other code's gain is nearer to the one asked for`() throws {
        var random = SeededGenerator(seed: 10)
        for _ in 0..<1_500 {
            let base = random.number(200...2_048)
            let law: GainModel.Law =
                Bool.random(using: &random) ? .reciprocal(base: base) : .linear(unity: base)
            let model = Self.model(
                law,
                CodeRange(
                    random.number(1...60), random.number(61...199), step: random.number(1...9))
            )
            let low = model.range.lowerBound.millionths
            let asked = random.number(low...model.range.upperBound.millionths)
            let code = try model.code(for: Gain(millionths: asked), profile: "p")
            func distance(_ code: Int64) -> UInt64 {
                // The law once more, from the domain's formulas, rounded half up.
                let (over, under) =
                    switch law {
                    case .linear(let unity): (code, unity)
                    case .reciprocal(let base): (base, base - code)
                    case .exponential, .rational, .table: (0, 1)
                    }
                return ((over * 2_000_000 + under) / (under * 2) - asked).magnitude
            }
            let codes = stride(
                from: model.codes.minimum, through: model.codes.maximum, by: Int(model.codes.step))
            #expect(codes.contains(code))
            #expect(distance(code) == codes.map(distance).min(), "\(model) \(asked)")
        }
    }

    @Test func `outside the range there is no gain, only an error that names it`() {
        for millionths: Int64 in [999_999, 22_260_871, 0, .max] {
            let asked = Gain(millionths: millionths)
            #expect(
                throws: SettingProblem(
                    .gain, id: "gain-out-of-range",
                    "gain \(asked) is outside 1x to 22.26087x (analogue_gain of camera profile"
                        + " `imx477`; ISO 100 is 1x)",
                    hint: "use a gain in that range")
            ) { try Self.imx477.code(for: asked, profile: "imx477") }
        }
    }

    @Test func `ISO is a multiple of the profile's own`() {
        #expect(Self.imx477.gain(forISO: 100) == .unity)
        #expect(Self.imx477.gain(forISO: 64).description == "0.64x")
        #expect(Self.imx477.gain(forISO: 1_250).description == "12.5x")
        var dim = Self.imx477
        dim.isoAtUnity = 300
        #expect(dim.gain(forISO: 100).description == "0.333333x")
        #expect(dim.gain(forISO: 200).description == "0.666667x")
    }

    @Test(arguments: [-1, 1_024, 1_025, Int64.max, Int64.min])
    func `a code that the law has no gain for is none, wherever it comes from`(code: Int64) {
        #expect(Self.imx477.gain(ofCode: code) == nil)
    }
}
