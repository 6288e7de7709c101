import Cameras
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

    @Test func `codes beyond the ends have no position`() {
        let model = Self.model(near: 250, far: 0)
        for code: Int64 in [251, -1, .max, .min] { #expect(model.position(ofCode: code) == nil) }
        #expect(LensPosition(millionths: -1) == nil)
        #expect(LensPosition(millionths: 1_000_001) == nil)
    }
}
