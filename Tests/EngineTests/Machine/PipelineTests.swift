import Devices
import ProvingGround
import Recipes
import Records
import Testing
import Timebase

@testable import Engine

/// Settings that are written ahead: what a bracket costs, and what happens when a forecast fails.
struct PipelineTests {
    /// Three frames, a pause, eight shots with settings of their own, two frames as before.
    private static func bracket(gainLatency: Int? = nil, latency: Int = 2) -> SamplePlan {
        let shots = (1...8).map { Instruction.capture(1, settings: $0) }
        var plan = SamplePlan(
            [.capture(3), .wait(.milliseconds(50), step: 0)] + shots
                + [.restore(settings: 0, step: 0), .capture(2), .restore(settings: 0, step: 0)])
        plan.settingsCount = 9
        plan.latencyFrames = latency
        plan.gainLatency = gainLatency
        return plan
    }

    private static func last(_ story: MachineDriver) -> UInt32? { story.sequences.last ?? nil }

    @Test(arguments: 0...5) func `k shots cost k frames and the latency`(_ latency: Int) throws {
        let story = try MachineDriver(Self.bracket(latency: latency))
        story.frames(0..<60)
        // The third frame has come at 10 (3 + latency) + 2; the pause ends 50 ms later, in the exposure of frame 8 +
        // latency.
        let first = UInt32(8 + 2 * latency)
        #expect(story.sequences.dropFirst(3) == (first..<first + 10).map { $0 }[...])
        #expect(story.reasons.allSatisfy { $0 == nil })
    }

    @Test(arguments: [0, 1, 2, 4]) func `controls with delays of their own land on one frame`(
        _ gainLatency: Int
    ) throws {
        let story = try MachineDriver(Self.bracket(gainLatency: gainLatency))
        story.frames(0..<60)
        let slow = UInt32(max(2, gainLatency))
        let first = 8 + 2 * slow
        #expect(story.sequences.dropFirst(3) == (first..<first + 10).map { $0 }[...])
        // In the steady state each control is written by itself, the slower one first.
        if gainLatency == 1 {
            let shot = story.writes.filter { $0.slot == 6 }
            #expect(shot.map(\.groups) == [ControlGroups(.exposure), ControlGroups(.gain)])
        }
    }

    @Test func `loose timestamps cost frames and nothing else`() throws {
        var plan = Self.bracket()
        plan.timestamps.delay = .milliseconds(4)
        let story = try MachineDriver(plan)
        for place in 0..<80 {
            story.frame(place, late: .microseconds(Int64(place * 7_919 % 4_000)))
        }
        #expect(story.ending == .completed)
        #expect(story.reasons.allSatisfy { $0 == nil })
        let span = try #require(story.sequences[10]) - #require(story.sequences[3])
        #expect(span >= 7 && span <= 30)
    }

    @Test func `without a promised rate nothing is written ahead`() throws {
        var plan = Self.bracket()
        plan.rate = nil
        let story = try MachineDriver(plan)
        story.frames(0..<80)
        let shots = story.sequences[3...10].compactMap { $0 }
        #expect(zip(shots, shots.dropFirst()).allSatisfy { $1 - $0 == 3 })
    }

    @Test
    func `a latency that is only assumed is an upper bound, so nothing is written ahead of it`()
        throws
    {
        var plan = Self.bracket()
        plan.isMeasured = false
        let story = try MachineDriver(plan)
        story.frames(0..<80)
        let shots = story.sequences[3...10].compactMap { $0 }
        #expect(zip(shots, shots.dropFirst()).allSatisfy { $1 - $0 == 3 })
    }

    @Test func `a write that fails ahead of its slot is a hole there and nowhere else`() throws {
        let story = try MachineDriver(
            SamplePlan(
                [.capture(4), .capture(1, settings: 1), .capture(1, settings: 2)], latency: 2))
        story.frames(0..<3)
        story.refusal = 5
        story.frames(3..<5)
        story.refusal = 0
        story.frames(5..<20)
        #expect(story.reasons[4] == .settingsRefused)
        #expect(story.reasons.filter { $0 == nil }.count == 5)
        #expect(story.ending == .completed)
    }

    @Test func `settings come back at once after a bracket that a pause follows`() throws {
        let story = try MachineDriver(
            SamplePlan(
                [
                    .capture(1), .capture(1, settings: 1), .restore(settings: 0, step: 0),
                    .wait(.milliseconds(30), step: 0), .capture(1),
                ], latency: 1))
        story.frames(0..<20)
        #expect(story.writes.map(\.settings) == [1, 0])
        #expect(story.writes.map(\.slot) == [1, -1])
        // Frame 2 has the shot; the pause ends at 62 ms, and frame 6 is exposed from 66 ms on.
        #expect(story.sequences == [1, 2, 6])
    }

    @Test func `at the end the camera is left with what the plan says`() throws {
        let plan = SamplePlan(
            [.capture(1), .capture(1, settings: 2), .restore(settings: 0, step: 0)], latency: 1)
        let story = try MachineDriver(plan)
        story.frames(0..<6)
        #expect(story.ending == .completed)
        #expect(story.writes.last?.settings == 0)
        #expect(story.readBacks.last?.settings == 0)
        let stopped = try MachineDriver(plan)
        stopped.frame(0)
        stopped.feed(.interrupt)
        stopped.feed(.interrupt)
        #expect(stopped.ending == .interrupted)
        #expect(stopped.writes.last?.settings == 0)
        let lost = try MachineDriver(plan)
        lost.frames(0..<2)
        let writes = lost.writes.count
        lost.feed(.streamFailed(errno: 19))
        #expect(lost.ending == .deviceLost)
        #expect(lost.writes.count == writes)
    }

    @Test func `a row has what its own frame had`() throws {
        let story = try MachineDriver(Self.bracket())
        story.applied = { AppliedSettings(exposure: .microseconds(3_900 + Int64($0))) }
        story.frames(0..<60)
        for row in story.rows.dropFirst(3) {
            #expect(row.applied.exposure == .microseconds(3_900 + Int64(row.settings)))
        }
    }
}

extension SamplePlan {
    init(_ program: [Instruction], latency: Int) {
        self.init(program)
        latencyFrames = latency
    }
}
