import Devices
import ProvingGround
import Recipes
import Records
import Testing
import Timebase

@testable import Engine

/// Frames that are lost around writes: libcamera's delayed controls then forget a write, and tell frames of settings
/// that they don't have.
struct LostFrameTests {
    /// Two frames, eight shots with settings of their own, two frames as before.
    private static func plan(latency: Int, gainLatency: Int) -> SamplePlan {
        var plan = SamplePlan(
            [.capture(2)] + (1...8).map { .capture(1, settings: $0) }
                + [.restore(settings: 0, step: 0), .capture(2), .restore(settings: 0, step: 0)])
        plan.settingsCount = 9
        plan.latencyFrames = latency
        plan.gainLatency = gainLatency
        return plan
    }

    /// What a sensor with these latencies exposes each frame with, from nothing but the writes and their times.
    private static func exposed(
        _ story: MachineDriver, _ group: ControlGroup, latency: Int, frames: Int
    ) -> [Int32] {
        var shown = [Int32](repeating: 0, count: frames)
        for (write, time) in zip(story.writes, story.writeTimes) where write.groups.has(group) {
            // Frame k is read out at (k + 1) periods: until then a write meets its exposure.
            let exposing = (time - MachineDriver.origin).nanoseconds / 10_000_000
            for frame in shown.indices where frame >= Int(exposing) + latency {
                shown[frame] = write.settings
            }
        }
        return shown
    }

    @Test(arguments: [(0, 0), (1, 1), (2, 1), (2, 2), (1, 3), (3, 0)])
    func
        `whatever frames are lost, no write is, and no row tells of settings that its frame had not`(
            latency: Int, gainLatency: Int
        ) throws
    {
        for first in 1..<24 {
            for count in 1...4 {
                let story = try MachineDriver(Self.plan(latency: latency, gainLatency: gainLatency))
                story.frames((0..<90).filter { !(first..<first + count).contains($0) })
                #expect(story.ending == .completed)
                let exposures = Self.exposed(story, .exposure, latency: latency, frames: 90)
                let gains = Self.exposed(story, .gain, latency: gainLatency, frames: 90)
                for row in story.frames {
                    let place = Int(try #require(row.deviceSequence))
                    #expect(
                        exposures[place] == row.settings && gains[place] == row.settings,
                        "frame \(place) with \(first)..<\(first + count) lost")
                }
                // Each shot was written, also those whose frame is lost.
                for settings in Int32(1)...8 {
                    for group in [ControlGroup.exposure, .gain] {
                        #expect(
                            story.writes.contains {
                                $0.settings == settings && $0.groups.has(group)
                            }, "settings \(settings) with \(first)..<\(first + count) lost")
                    }
                }
                // Nothing but what was lost is a hole.
                #expect(story.reasons.count { $0 != nil } <= count)
            }
        }
    }
}
