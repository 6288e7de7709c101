import ProvingGround
import Recipes
import Records
import Testing
import Timebase

@testable import Engine

/// How runs end, and what becomes of the slots that had no turn.
struct EndingTests {
    private static let endless = SamplePlan([
        .capture(1), .loop(count: -1, every: .zero, end: 4, step: 0), .capture(2),
        .capture(1, settings: 1), .endLoop(start: 1),
    ])

    @Test func `a stream that stands still ends the run`() throws {
        let story = try MachineDriver(SamplePlan([.capture(4)]))
        story.frame(0)
        story.pass(to: MachineDriver.at(3_000))
        #expect(story.ending == nil)
        story.pass(to: MachineDriver.at(3_100))
        #expect(story.ending == .streamStalled)
        #expect(story.reasons == [nil, .streamStalled, .streamStalled])
        #expect(story.rows.map(\.lastSlot) == [nil, nil, 3])
        #expect(story.events.contains(.streamFailed(errno: 0)))
    }

    @Test func `a stream that stands still ends a wait for an edge without time-out`() throws {
        let story = try MachineDriver(
            SamplePlan([.waitForEdge(line: 0, within: .zero, step: 0), .capture(1)]))
        story.pass(to: MachineDriver.at(60_000))
        #expect(story.ending == .streamStalled)
    }

    @Test func `a wait for an edge lasts as long as frames come`() throws {
        let story = try MachineDriver(
            SamplePlan([.waitForEdge(line: 0, within: .zero, step: 0), .capture(1)]))
        story.frames(0..<1_000)
        #expect(story.ending == nil)
        story.edge(1, at: MachineDriver.at(10_003))
        story.frames(1_000..<1_003)
        #expect(story.sequences == [1_000])
    }

    @Test func `an unplugged camera leaves one row for all that was not reached, and is told once`()
        throws
    {
        let story = try MachineDriver(SamplePlan([.capture(40_000)]))
        story.frame(0)
        story.feedOnce(.streamFailed(errno: 19))
        story.feedOnce(.streamFailed(errno: 19))
        story.feed(.streamFailed(errno: 19))
        #expect(story.ending == .deviceLost)
        #expect(story.rows.map(\.slot) == [0, 1, 2])
        #expect(story.rows.map(\.lastSlot) == [nil, nil, 39_999])
        #expect(story.reasons == [nil, .deviceLost, .deviceLost])
        #expect(story.events.filter { $0 == .streamFailed(errno: 19) }.count == 1)
    }

    @Test func `the first request to stop lets the slot in progress have its frame`() throws {
        let story = try MachineDriver(SamplePlan([.capture(4)]))
        story.frame(0)
        story.feed(.interrupt)
        #expect(story.ending == nil)
        story.frame(1)
        #expect(story.ending == .interrupted)
        #expect(story.reasons == [nil, nil, .interrupted])
        #expect(story.rows.map(\.lastSlot) == [nil, nil, 3])
    }

    @Test func `the second request to stop waits for nothing`() throws {
        let story = try MachineDriver(SamplePlan([.capture(3)]))
        story.frame(0)
        story.feed(.interrupt)
        story.feed(.interrupt)
        #expect(story.ending == .interrupted)
        #expect(story.reasons == [nil, .interrupted, .interrupted])
    }

    @Test func `a request to stop ends waits at once`() throws {
        for program: [Instruction] in [
            [.wait(.seconds(100), step: 0), .capture(2)],
            [.waitForEdge(line: 0, within: .zero, step: 0), .capture(2)],
            [.pulse(line: 1, duration: .seconds(100), step: 0), .capture(2)],
        ] {
            let story = try MachineDriver(SamplePlan(program))
            story.frame(0)
            story.feed(.interrupt)
            #expect(story.ending == .interrupted)
            #expect(story.reasons == [.interrupted])
            #expect(story.rows.map(\.lastSlot) == [1])
            #expect(story.outputs.last?.active != true)
        }
    }

    @Test func `rounds of an endless plan that have not begun leave no holes`() throws {
        let story = try MachineDriver(Self.endless)
        story.frames(0..<6)
        let done = story.rows.count
        story.feed(.interrupt)
        story.frames(6..<9)
        #expect(story.ending == .interrupted)
        #expect(story.rows.count == done + 1)
        #expect(story.reasons.allSatisfy { $0 == nil })
    }

    @Test func `slots after an endless loop are none of the plan's`() throws {
        var plan = Self.endless
        plan.program.append(.capture(7))
        let story = try MachineDriver(plan)
        story.frame(0)
        story.feed(.streamFailed(errno: 19))
        #expect(story.ending == .deviceLost)
        #expect(story.rows.count == 2)
    }

    @Test func `a refusal of the disk ends the run`() throws {
        let story = try MachineDriver(SamplePlan([.capture(3)]))
        story.frame(0)
        story.feed(.storageFailed)
        #expect(story.ending == .storageFailed)
        #expect(story.reasons == [nil, .storageFailed, .storageFailed])
    }

    @Test func `the first reason to end stays the reason`() throws {
        let story = try MachineDriver(SamplePlan([.capture(20_000)]))
        story.feedOnce(.storageFailed)
        story.feedOnce(.streamFailed(errno: 19))
        story.feed(.interrupt)
        #expect(story.ending == .storageFailed)
        #expect(story.reasons.allSatisfy { $0 == .storageFailed })
    }

    @Test(
        arguments: [
            ([.capture(1_000_000)], 999_999), ([.capture(1), .capture(1)], nil),
            (
                [
                    .loop(count: 1_000_000, every: .zero, end: 4, step: 0),
                    .loop(count: 1_000, every: .zero, end: 3, step: 0), .capture(3),
                    .endLoop(start: 1), .endLoop(start: 0),
                ], 2_999_999_999
            ),
            (
                [
                    .capture(5), .loop(count: -1, every: .zero, end: 3, step: 0), .capture(1),
                    .endLoop(start: 1),
                ], 4
            ),
        ] as [([Instruction], Int64?)])
    func `what was not reached is one row, however many slots it is`(
        program: [Instruction], last: Int64?
    ) throws {
        let story = try MachineDriver(SamplePlan(program))
        story.frame(0)
        story.feedOnce(.interrupt)
        story.feedOnce(.interrupt)
        story.tick()
        #expect(story.ending == .interrupted)
        // One has its frame, one waited for it.
        #expect(story.rows.map(\.slot) == (last == nil ? [0, 1] : [0, 1, 2]))
        #expect(story.rows.last?.lastSlot == last)
        #expect(story.actionsPerTurn <= ActionQueue.capacity)
    }

    @Test func `a plan without slots ends`() throws {
        for program: [Instruction] in [
            [], [.wait(.zero, step: 0)],
            [.loop(count: 1_000, every: .zero, end: 1, step: 0), .endLoop(start: 0)],
        ] {
            let story = try MachineDriver(SamplePlan(program))
            story.pass(to: MachineDriver.at(1))
            #expect(story.ending == .completed)
            #expect(story.rows.isEmpty)
        }
    }

    @Test func `many waits for no time pass in no time`() throws {
        let story = try MachineDriver(
            SamplePlan([
                .loop(count: 1_000, every: .zero, end: 2, step: 0), .wait(.zero, step: 0),
                .endLoop(start: 0), .capture(1),
            ]))
        story.pass(to: MachineDriver.at(1))
        story.frame(0)
        #expect(story.sequences == [0])
    }

    @Test func `an endless loop that does nothing can be stopped`() throws {
        let story = try MachineDriver(
            SamplePlan([
                .loop(count: -1, every: .zero, end: 1, step: 0), .endLoop(start: 0),
            ]), start: false)
        story.feedOnce(
            .started(settingsWritten: MachineDriver.origin, applied: AppliedSettings()))
        #expect(story.hasMore)
        story.feedOnce(.interrupt)
        story.tick()
        #expect(story.ending == .interrupted)
    }

    @Test func `an endless loop that an edge never let in did not complete`() throws {
        let story = try MachineDriver(
            SamplePlan([
                .loop(count: 1, every: .zero, end: 5, step: 0),
                .waitForEdge(line: 0, within: .milliseconds(5), step: 0),
                .loop(count: -1, every: .zero, end: 4, step: 0), .capture(1),
                .endLoop(start: 2), .endLoop(start: 0),
            ]))
        story.frames(0..<4)
        #expect(story.ending == .triggerTimeout)
        #expect(story.rows.isEmpty)
    }

    @Test func `a request to stop before the stream starts is kept`() throws {
        let story = try MachineDriver(SamplePlan([.capture(2)]), start: false)
        story.feedOnce(.interrupt)
        story.feed(.started(settingsWritten: MachineDriver.origin, applied: AppliedSettings()))
        #expect(story.ending == .interrupted)
        #expect(story.rows.map(\.lastSlot) == [1])
    }
}
