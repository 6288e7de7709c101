import Foundation
import Testing

extension InTheBench {
    /// `framelock calibrate timing` by strobe and `framelock calibrate lens`, on the bench's USB camera.
    @Suite(.serialized) struct Calibrate {
        private static let scenario = Scenario.play("calibrate", .init(timeoutSeconds: 500))

        private struct Timing: Decodable {
            var source: String
            var shutter: String?
            var delay_ns: [Int]
            var exposure_ns: [Int]
            var exposure_set_ns: Int
            var frames: Int
        }

        private struct Lens: Decodable {
            struct Approach: Decodable {
                var from: String
            }
            var sharpest_up_thousandths: Int
            var sharpest_down_thousandths: Int
            var hysteresis_thousandths: [Int]
            var settle_ns: [Int]
            var approach: Approach?
        }

        @Test func `the strobe tells how late the kernel timestamps frames`() throws {
            let scenario = try Self.scenario.get()
            let stderr = try scenario.text("timing.stderr")
            #expect(try scenario.exitCode("timing") == 0, "\(stderr)")
            let timing = try scenario.decode(Timing.self, "timing.json")
            #expect(timing.source == "strobe" && timing.shutter == nil)
            #expect(timing.frames == 64)
            // Timestamps lie 1.4 to 4.1 ms after the end of the exposure, edges up to 1.2 ms late.
            #expect(timing.delay_ns[0] <= 1_400_000 + 1_200_000)
            #expect((4_000_000...5_400_000).contains(timing.delay_ns[1]))
            #expect(timing.exposure_ns[0] <= timing.exposure_set_ns)
            #expect(timing.exposure_set_ns <= timing.exposure_ns[1])
            let profile = try scenario.text("timing.yaml")
            #expect(profile.contains("# measured timestamps.max_delay:"))
            #expect(profile.contains("by framelock calibrate timing"))
        }

        @Test func `a lens without inertia settles at once, from either side alike`() throws {
            let scenario = try Self.scenario.get()
            let stderr = try scenario.text("lens.stderr")
            #expect(try scenario.exitCode("lens") == 0, "\(stderr)")
            let lens = try scenario.decode(Lens.self, "lens.json")
            #expect(lens.hysteresis_thousandths[0] == 0 && lens.approach == nil)
            let apart = lens.sharpest_up_thousandths - lens.sharpest_down_thousandths
            #expect(abs(apart) < 3_000)
            // Not more than a frame: what a frame's exposure leaves open.
            #expect(lens.settle_ns[0] == 0 && lens.settle_ns[1] <= 34_000_000)
        }
    }
}
