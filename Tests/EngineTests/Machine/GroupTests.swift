import Devices
import ProvingGround
import Recipes
import Records
import Testing
import Timebase

@testable import Engine

/// Frames that belong together.
struct GroupTests {
    private static func plan(retries: Int32) -> SamplePlan {
        SamplePlan(
            [
                .capture(1), .group(slots: 3, retries: retries, step: 1),
                .capture(1, settings: 1), .capture(1, settings: 2), .capture(1, settings: 3),
                .capture(1),
            ], latency: 1)
    }

    private func sequences(_ story: MachineDriver) -> [UInt32] {
        story.sequences.compactMap { $0 }
    }

    @Test func `a whole group is recorded as it came`() throws {
        let story = try MachineDriver(Self.plan(retries: 2))
        story.frames(0..<12)
        #expect(story.sequences == [1, 2, 3, 4, 5])
        #expect(story.reasons.allSatisfy { $0 == nil })
        #expect(!story.events.contains { if case .groupRepeated = $0 { true } else { false } })
    }

    @Test func `nothing of a group is recorded before it is whole`() throws {
        let story = try MachineDriver(Self.plan(retries: 2))
        story.frames(0..<4)
        #expect(story.rows.count == 1)
        #expect(story.held.count == 2)
        story.frame(4)
        #expect(story.rows.count == 4)
    }

    @Test func `a lost frame repeats the group and slots keep their numbers`() throws {
        let story = try MachineDriver(Self.plan(retries: 2))
        story.frames([0, 1, 2])
        story.frames(4..<20)
        #expect(story.rows.map(\.slot) == [0, 1, 2, 3, 4])
        #expect(story.reasons.allSatisfy { $0 == nil })
        let found = sequences(story)
        #expect(found[1] > 3 && found[2] == found[1] + 1 && found[3] == found[1] + 2)
        #expect(story.events.contains(.groupRepeated(step: 1, slot: 1, attempt: 1)))
        #expect(story.released.contains(2))
        #expect(story.ending == .completed)
    }

    @Test func `a damaged frame and a full pool repeat it too`() throws {
        for fault in 0..<2 {
            let story = try MachineDriver(Self.plan(retries: 1))
            story.frames([0, 1, 2])
            story.frame(3, damaged: fault == 0, hasRoom: fault == 0)
            story.frames(4..<20)
            #expect(story.reasons.allSatisfy { $0 == nil })
            #expect(story.events.contains(.groupRepeated(step: 1, slot: 1, attempt: 1)))
        }
    }

    @Test func `refused settings repeat it`() throws {
        let story = try MachineDriver(Self.plan(retries: 3))
        story.frame(0)
        story.refusal = 5
        story.frame(1)
        story.refusal = 0
        story.frames(2..<30)
        #expect(story.reasons.allSatisfy { $0 == nil })
        #expect(story.ending == .completed)
    }

    @Test func `when no attempt is left, what came is recorded and marked`() throws {
        let story = try MachineDriver(Self.plan(retries: 1))
        story.frames([0, 1, 2])
        // The first frame of the second attempt is lost as well.
        for place in 4..<30 where place != 6 { story.frame(place) }
        #expect(story.ending == .completed)
        #expect(story.rows.map(\.slot) == [0, 1, 2, 3, 4])
        let holes = story.rows.prefix(4).count { $0.reason == .droppedByDriver }
        #expect(holes == 1)
        #expect(
            story.events.contains(.groupPartial(step: 1, slot: 1, frames: 2, slots: 3)))
    }

    @Test func `what was kept is not lost when the run ends`() throws {
        let story = try MachineDriver(Self.plan(retries: 5))
        story.frames(0..<4)
        story.feed(.streamFailed(errno: 19))
        #expect(story.reasons == [nil, nil, nil, .deviceLost, .deviceLost])
        #expect(
            story.events.contains(.groupPartial(step: 1, slot: 1, frames: 2, slots: 3)))
    }

    @Test func `rows stay in order where a frame is lost after a request to stop`() throws {
        let story = try MachineDriver(Self.plan(retries: 5))
        story.frames(0..<3)
        story.feed(.interrupt)
        // Frame 3 is lost.
        story.frame(4)
        #expect(story.rows.map(\.slot) == [0, 1, 2, 3])
        #expect(story.reasons == [nil, nil, .droppedByDriver, .interrupted])
        #expect(story.rows.last?.lastSlot == 4)
    }

    @Test func `a request to stop ends a group and is not in the way of its frames`() throws {
        let story = try MachineDriver(Self.plan(retries: 5))
        story.frames(0..<3)
        story.feed(.interrupt)
        story.frame(3)
        #expect(story.ending == .interrupted)
        #expect(story.reasons == [nil, nil, nil, .interrupted])
        #expect(story.rows.last?.lastSlot == 4)
    }
}
