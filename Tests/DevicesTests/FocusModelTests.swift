import Devices
import TestSupport
import Testing
import Timebase

struct FocusModelTests {
    private static func model(near: Int64, far: Int64) -> FocusModel {
        FocusModel(
            control: CameraControl(rawValue: 0x009a_090a), nearCode: near, farCode: far,
            latencyFrames: 1, settle: .milliseconds(100))
    }

    private static func position(_ millionths: Int64) throws -> LensPosition {
        try #require(LensPosition(millionths: millionths))
    }

    @Test func `zero is near and one is far, whichever way the codes run`() throws {
        for (near, far) in [(250, 0), (0, 250), (925, 445), (-100, 100)] as [(Int64, Int64)] {
            let model = Self.model(near: near, far: far)
            #expect(model.code(for: try Self.position(0)) == near)
            #expect(model.code(for: try Self.position(1_000_000)) == far)
            #expect(model.position(ofCode: near) == LensPosition(millionths: 0))
            #expect(model.position(ofCode: far) == LensPosition(millionths: 1_000_000))
        }
        #expect(Self.model(near: 925, far: 445).code(for: try Self.position(420_000)) == 723)
    }

    @Test func `every code comes back from its own position`() throws {
        for (near, far) in [(250, 0), (0, 1_023), (925, 445), (-7, 7)] as [(Int64, Int64)] {
            let model = Self.model(near: near, far: far)
            for code in min(near, far)...max(near, far) {
                let position = try #require(model.position(ofCode: code))
                #expect(model.code(for: position) == code)
            }
        }
    }

    @Test func `the code is nearest on the line between the ends`() throws {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<2_000 {
            let near = random.number(-2_000...2_000)
            let model = Self.model(
                near: near, far: near + random.number(1...4_095) * (near < 0 ? 1 : -1))
            let asked = random.number(0...1_000_000)
            let code = model.code(for: try Self.position(asked))
            // In millionths of a code; at most half of one off.
            let exact = near * 1_000_000 + asked * (model.farCode - near)
            #expect((code * 1_000_000 - exact).magnitude <= 500_000)
        }
    }

    @Test func `half a millionth goes to the far side, whichever way the codes run`() {
        // 1/128 is 7,812.5 millionths.
        let positions = [(0, 128), (128, 0), (-64, 64)].map { near, far in
            Self.model(near: near, far: far).position(ofCode: near + (far > near ? 1 : -1))
        }
        #expect(positions == Array(repeating: LensPosition(millionths: 7_813), count: 3))
    }

    @Test func `codes beyond the ends have no position`() {
        let model = Self.model(near: 250, far: 0)
        for code: Int64 in [251, -1, .max, .min] { #expect(model.position(ofCode: code) == nil) }
        #expect(LensPosition(millionths: -1) == nil)
        #expect(LensPosition(millionths: 1_000_001) == nil)
    }
}

/// How a lens comes to the same place each time, and what the place means.
struct FocusApproachTests {
    private static func model(
        near: Int64, far: Int64, from side: FocusModel.Side, by codes: Int64
    ) -> FocusModel {
        FocusModel(
            control: CameraControl(rawValue: 0x009a_090a), nearCode: near, farCode: far,
            latencyFrames: 1, settle: .milliseconds(100),
            approach: .init(side: side, overTravelCodes: codes),
            dioptres: [
                .init(code: 445, millidioptres: 0), .init(code: 685, millidioptres: 5_000),
                .init(code: 925, millidioptres: 15_000),
            ])
    }

    @Test func `the lens always comes from the declared side, whichever way its codes run`() {
        let fromFar = Self.model(near: 925, far: 445, from: .far, by: 24)
        #expect(fromFar.startOfApproach(to: 700) == 676)
        let fromNear = Self.model(near: 925, far: 445, from: .near, by: 24)
        #expect(fromNear.startOfApproach(to: 700) == 724)
        let up = Self.model(near: 0, far: 1_023, from: .far, by: 24)
        #expect(up.startOfApproach(to: 700) == 724)
    }

    @Test func `there is nothing beyond an end`() {
        let model = Self.model(near: 925, far: 445, from: .far, by: 24)
        #expect(model.startOfApproach(to: 450) == 445)
        #expect(model.startOfApproach(to: 445) == nil)
        #expect(model.startOfApproach(to: 925) == 901)
    }

    @Test func `the approach is part of quantised settings`() throws {
        var profile = CameraProfile(
            name: "lens",
            timestamps: TimestampModel(point: .startOfReadout, delay: .zero, readout: nil))
        let model = Self.model(near: 925, far: 445, from: .far, by: 24)
        profile.focus = model
        let position = try #require(LensPosition(millionths: 500_000))
        let settings = profile.quantise(FrameSettings(lens: .value(position))).settings
        #expect(settings.codes == [ControlValue(model.control, 685)])
        #expect(settings.lensApproach == ControlValue(model.control, 661))
        #expect(settings.settle == .milliseconds(100))
        profile.focus?.approach = nil
        #expect(
            profile.quantise(FrameSettings(lens: .value(position))).settings.lensApproach == nil)
    }

    @Test func `distances lie on straight lines between the calibrated points`() {
        let model = Self.model(near: 925, far: 445, from: .far, by: 24)
        for (code, dioptres) in [(445, 0), (565, 2_500), (685, 5_000), (709, 6_000), (925, 15_000)]
            as [(Int64, Int64)]
        {
            #expect(model.millidioptres(ofCode: code) == dioptres)
        }
        // A lens whose codes run the other way.
        var turned = model
        turned.dioptres = model.dioptres.map {
            .init(code: 1_370 - $0.code, millidioptres: $0.millidioptres)
        }
        for code in 445...925 as ClosedRange<Int64> {
            #expect(
                turned.millidioptres(ofCode: 1_370 - code) == model.millidioptres(ofCode: code))
        }
        #expect(model.millidioptres(ofCode: 444) == nil)
        #expect(model.millidioptres(ofCode: 926) == nil)
    }
}
