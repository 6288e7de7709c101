import Devices
import TestSupport
import Testing
import Timebase

struct ExposureModelTests {
    private static let exposure = CameraControl(rawValue: 0x0098_0911)

    private static func model(
        unitPicoseconds: Int64, offset: Interval = .zero, codes: CodeRange
    ) -> ExposureModel {
        ExposureModel(
            control: exposure, unitPicoseconds: unitPicoseconds, offset: offset, codes: codes,
            latencyFrames: 2)
    }

    @Test func `ten milliseconds are 659 lines of an imx477 at 2028x1520`() throws {
        // 12,740 pixels a line at 840 MHz; the recipe's 10 ms become 9.99483 ms.
        let model = Self.model(
            unitPicoseconds: 12_740 * 1_000_000 / 840, codes: CodeRange(4, 65_000))
        let code = try model.code(for: .milliseconds(10), profile: "imx477")
        #expect(code == 659)
        #expect(model.duration(ofCode: code) == .nanoseconds(9_994_833))
    }

    @Test func `an imx296 exposes 14,26 microseconds longer than its lines`() throws {
        // 1,100 clocks of 74.25 MHz a line.
        let model = Self.model(
            unitPicoseconds: 14_814_815, offset: .nanoseconds(14_260), codes: CodeRange(1, 1_000))
        #expect(model.duration(ofCode: 1) == .nanoseconds(29_075))
        let code = try model.code(for: .milliseconds(10), profile: "imx296")
        #expect(code == 674)
        #expect(model.duration(ofCode: code) == .nanoseconds(14_260 + 9_985_185))
    }

    @Test func `half-way between two measured exposures the later one is taken`() throws {
        var model = Self.model(unitPicoseconds: 1_000, codes: CodeRange(1, 3))
        model.table = [1, 2, 4].enumerated().map {
            .init(code: Int64($0.offset) + 1, duration: .milliseconds($0.element))
        }
        let asked: [Int64] = [1_499_999, 1_500_000, 3_000_000]
        let codes = try asked.map { try model.code(for: .nanoseconds($0), profile: "p") }
        #expect(codes == [1, 2, 3])
    }

    @Test func `a USB camera turns 8,333 ms into 8,3 ms`() throws {
        let model = Self.model(unitPicoseconds: 100_000_000, codes: CodeRange(1, 5_000))
        let code = try model.code(for: .microseconds(8_333), profile: "uvc")
        #expect(code == 83)
        #expect(model.duration(ofCode: code) == .microseconds(8_300))
    }

    @Test func `every code comes back from its own duration`() throws {
        var random = SeededGenerator(seed: 8)
        for _ in 0..<2_000 {
            // A nanosecond a code and more: below that two codes share a duration.
            let model = Self.model(
                unitPicoseconds: random.number(1_000...1_000_000_000),
                offset: .nanoseconds(random.number(0...50_000)),
                codes: CodeRange(
                    random.number(0...50), random.number(51...100_000), step: random.number(1...40))
            )
            let steps = (model.codes.maximum - model.codes.minimum) / model.codes.step
            for step in [0, steps, random.number(0...steps)] {
                let code = model.codes.minimum + step * model.codes.step
                let found = try model.code(for: model.duration(ofCode: code), profile: "p")
                #expect(found == code, "\(model)")
            }
        }
    }

    @Test func `no other code is nearer to what was asked`() throws {
        var random = SeededGenerator(seed: 9)
        for _ in 0..<2_000 {
            let model = Self.model(
                unitPicoseconds: random.number(1...40_000_000),
                offset: .nanoseconds(random.number(0...20_000)),
                codes: CodeRange(
                    random.number(0...9), random.number(10...400), step: random.number(1...7)))
            let low = model.range.lowerBound.nanoseconds
            let asked = random.number(low...model.range.upperBound.nanoseconds)
            let code = try model.code(for: .nanoseconds(asked), profile: "p")
            let best = stride(
                from: model.codes.minimum, through: model.codes.maximum, by: Int(model.codes.step)
            ).map { Self.distance(model, $0, asked) }.min()
            #expect(Self.distance(model, code, asked) == best, "\(model) \(asked) ns")
        }
    }

    /// How far a code's exact duration is from the request, in picoseconds.
    private static func distance(_ model: ExposureModel, _ code: Int64, _ asked: Int64) -> UInt64 {
        (code * model.unitPicoseconds - (asked - model.offset.nanoseconds) * 1_000).magnitude
    }

    @Test(arguments: [99_999, 500_000_001, 0, Int64.max])
    func `outside the range there is no exposure, only an error that names it`(nanoseconds: Int64) {
        let model = Self.model(unitPicoseconds: 100_000_000, codes: CodeRange(1, 5_000))
        let asked = Interval(nanoseconds: nanoseconds)
        #expect(
            throws: SettingProblem(
                .exposure, id: "exposure-out-of-range",
                "exposure \(asked) is outside 100 us to 500 ms (exposure of camera profile `web`)",
                hint: "use an exposure in that range")
        ) { try model.code(for: asked, profile: "web") }
    }

    @Test func `a code from a device is never a trap`() {
        let model = Self.model(
            unitPicoseconds: 1_000_000_000_000, offset: .seconds(1), codes: CodeRange(1, 2))
        #expect(model.duration(ofCode: .max) == .nanoseconds(.max))
        #expect(model.duration(ofCode: .min) < .zero)
        #expect(model.duration(ofCode: -1) == .zero)
    }
}
