import Devices
import ProvingGround
import Recipes
import Records
import Testing
import Timebase

@testable import Engine

/// When settings are written, and from which frame on they are believed.
struct SettingsTests {
    private static func bracket(latency: Int = 0) -> SamplePlan {
        var plan = SamplePlan([.capture(1), .capture(1, settings: 1), .capture(1, settings: 2)])
        plan.latencyFrames = latency
        return plan
    }

    @Test(arguments: 0...4)
    func `a slot takes the first frame that surely has its settings`(_ latency: Int) throws {
        let story = try MachineDriver(Self.bracket(latency: latency))
        story.frames(0..<20)
        // Each setting is written so far ahead that it shows right after the one before it.
        let first = UInt32(latency)
        #expect(story.sequences == [first, first + 1, first + 2])
        #expect(story.writes.map(\.settings) == [1, 2])
        #expect(story.writes.map(\.slot) == [1, 2])
        #expect(story.readBacks.map(\.settings) == [1, 2])
        #expect(story.reasons == [nil, nil, nil])
    }

    @Test func `nothing is written before the lens had its place for the slots in between`()
        throws
    {
        // A lens may begin to move at once, and exposures show late.
        var sample = SamplePlan([
            .loop(count: 6, every: .zero, end: 3, step: 0), .capture(2, settings: 0),
            .capture(1, settings: 1), .endLoop(start: 0),
        ])
        (sample.latencyFrames, sample.settle) = (5, .milliseconds(1))
        let story = try MachineDriver(sample)
        story.frames(0..<400)
        let numbers = story.sequences.compactMap { $0 }
        #expect(numbers.count == 18)
        for first in stride(from: 0, to: numbers.count - 1, by: 3) {
            #expect(numbers[first + 1] == numbers[first] + 1, "slots from \(first) on")
        }
    }

    @Test func `the same settings are written once`() throws {
        let story = try MachineDriver(
            SamplePlan([.capture(2), .capture(2), .capture(1, settings: 1), .capture(1)]))
        story.frames(0..<8)
        #expect(story.writes.map(\.settings) == [1, 0])
    }

    @Test func `a write that takes long is counted from its end`() throws {
        let story = try MachineDriver(Self.bracket(latency: 1))
        story.writeDuration = .milliseconds(25)
        story.frames(0..<12)
        // Begun at 12 ms, the first write may show in frame 2; it returned at 37 ms, so it surely shows in frame 4
        // only. The second one is begun when frame 3 has come, at 42 ms, and returns at 67 ms.
        #expect(story.sequences == [1, 4, 7])
    }

    @Test func `a timestamp that may be late is not trusted`() throws {
        var plan = Self.bracket()
        plan.timestamps.delay = .milliseconds(5)
        let story = try MachineDriver(plan)
        story.frames(0..<8)
        // Frame 0 may have been read out at 5 ms, after the write at -1 ms. Its slot ends at 12 ms; frame 1 is
        // timestamped 20 ms and may have been read out at 15 ms: after the write as well.
        #expect(story.sequences == [0, 1, 2])
        plan.timestamps.delay = .milliseconds(9)
        let doubtful = try MachineDriver(plan)
        doubtful.frames(0..<8)
        // Now frame 1 may have been read out at 11 ms, before the write.
        #expect(doubtful.sequences == [0, 2, 4])
    }

    @Test func `what is lost while settings are on their way is no hole`() throws {
        let story = try MachineDriver(Self.bracket(latency: 2))
        story.frames([0, 2, 3, 4, 5])
        // When frame 1 should have come, the second setting would have been written: it is when frame 2 has.
        #expect(story.sequences == [2, 3, 5])
        #expect(story.reasons == [nil, nil, nil])
    }

    @Test func `the frame that was meant is a hole if it is lost`() throws {
        let story = try MachineDriver(Self.bracket(latency: 2))
        story.frames([0, 1, 2, 4, 5])
        #expect(story.sequences == [2, 3, 4])
        #expect(story.reasons == [nil, .droppedByDriver, nil])
    }

    @Test func `a jump of the sequence starts the count anew`() throws {
        let story = try MachineDriver(Self.bracket(latency: 3))
        story.frames(0..<5)
        #expect(story.sequences == [3, 4])
        // The third settings are to show in the next frame, when the device counts from 100,000.
        // Its timestamp is late, so that there may have been one more frame before it.
        story.frame(5, sequence: 100_005, late: .milliseconds(5))
        for place in 6..<12 { story.frame(place, sequence: UInt32(100_000 + place)) }
        #expect(story.sequences.last == 100_008)
    }

    @Test func `a jump of the sequence costs nothing where timestamps show what is missing`() throws
    {
        let story = try MachineDriver(Self.bracket(latency: 3))
        story.frames(0..<5)
        for place in 5..<12 { story.frame(place, sequence: UInt32(100_000 + place)) }
        #expect(story.sequences.last == 100_005)
    }

    @Test func `a refusal ends the slot and the next one writes everything`() throws {
        let story = try MachineDriver(Self.bracket())
        story.refusal = 5
        story.frame(0)
        #expect(story.reasons == [nil])
        story.frame(1)
        #expect(story.reasons == [nil, .settingsRefused])
        story.refusal = 0
        story.frames(2..<5)
        #expect(story.reasons[1] == .settingsRefused)
        // The third slot was ordered while refusals lasted.
        #expect(story.writes.map(\.slot) == [1, 2])
        #expect(story.ending == .completed)
    }

    @Test func `after a refusal the next slot has its frame`() throws {
        let story = try MachineDriver(
            SamplePlan([.capture(1), .capture(1, settings: 1), .capture(2, settings: 1)]))
        story.refusal = 13
        story.frame(0)
        story.refusal = 0
        story.frames(1..<6)
        #expect(story.reasons == [nil, .settingsRefused, nil, nil])
        #expect(story.writes.map(\.slot) == [1, 2])
        #expect(story.writes.allSatisfy { $0.settings == 1 })
    }

    @Test func `a loop of nothing but a refused slot keeps pace with the frames`() throws {
        let story = try MachineDriver(
            SamplePlan([
                .loop(count: -1, every: .zero, end: 2, step: 0), .capture(1, settings: 1),
                .endLoop(start: 0),
            ]), start: false)
        story.refusal = 5
        story.feed(.started(settingsWritten: MachineDriver.origin, applied: AppliedSettings()))
        story.frames(0..<10)
        #expect(story.rows.count >= 9)
        #expect(story.rows.count <= 10)
        #expect(story.reasons.allSatisfy { $0 == .settingsRefused })
        story.feed(.interrupt)
        story.frame(10)
        #expect(story.ending == .interrupted)
    }

    @Test func `what was refused while a round is waited for is not written again before its turn`()
        throws
    {
        let story = try MachineDriver(
            SamplePlan([
                .loop(count: 3, every: .milliseconds(100), end: 3, step: 0), .capture(1),
                .capture(1, settings: 1), .endLoop(start: 0),
            ]))
        story.refusal = 5
        story.frames(0..<40)
        #expect(story.writes.count <= 6)
        #expect(story.reasons.first == .some(nil))
        #expect(story.reasons.dropFirst().allSatisfy { $0 == .settingsRefused })
        #expect(story.reasons.count == 6)
        #expect(story.ending == .completed)
    }

    @Test func `a lens that moves is waited for`() throws {
        var plan = SamplePlan([.capture(1), .capture(1, settings: 1)])
        plan.settle = .milliseconds(45)
        let story = try MachineDriver(plan)
        story.frames(0..<20)
        // Taken over at -1 ms, the lens rests at 44 ms: frame 4 is read out at 50 ms.
        #expect(story.sequences.first == 4)
        // Written at 52 ms, it rests at 97 ms: frame 9 is read out at 100 ms.
        #expect(story.sequences.last == 9)
    }

    @Test func `a lens that was moved for a slot that is over is waited for all the same`() throws {
        var plan = SamplePlan([
            .loop(count: 1, every: .zero, end: 3, step: 0),
            .waitForEdge(line: 0, within: .milliseconds(5), step: 0), .capture(1),
            .endLoop(start: 0), .capture(1, settings: 1),
        ])
        plan.settle = .milliseconds(45)
        plan.lensFollowsSettings = false
        let story = try MachineDriver(plan)
        story.frames(0..<20)
        // The write at 5 ms leaves the lens alone, which rests at 44 ms: frame 4 is read out at 50 ms.
        #expect(story.reasons == [.triggerTimeout, nil])
        #expect(story.sequences.last == 4)
    }

    @Test func `the row says what the device had`() throws {
        let story = try MachineDriver(Self.bracket())
        story.applied = { AppliedSettings(exposure: .microseconds(3_900 + Int64($0))) }
        story.frames(0..<5)
        #expect(story.rows[1].applied.exposure == .microseconds(3_901))
        #expect(story.rows[2].applied.exposure == .microseconds(3_902))
    }
}
