import Devices
import ProvingGround
import Recipes
import Records
import Testing
import Timebase
import Tracking

@testable import Engine

/// Edges, time-outs, waits, pulses and the schedule of rounds.
struct TriggerTests {
    private static let endless = Interval.zero

    private static func rounds(
        _ count: Int64, within: Interval = .zero, every: Interval = .zero, _ body: [Instruction]
    ) -> SamplePlan {
        let end = Int32(body.count + 1)
        return SamplePlan(
            [.loop(count: count, every: every, end: end, step: 0)] + body + [.endLoop(start: 0)])
    }

    private static func triggered(_ count: Int64, within: Interval = .zero) -> SamplePlan {
        rounds(count, [.waitForEdge(line: 0, within: within, step: 1), .capture(1)])
    }

    @Test func `an edge gets the first frame that begins after it`() throws {
        let story = try MachineDriver(Self.triggered(1))
        story.frames(0..<3)
        // Frame k is exposed from 10 k + 6 to 10 k + 10 ms: frame 3 has begun at 36 ms.
        story.edge(1, at: MachineDriver.at(36, microseconds: 1))
        story.frames(3..<6)
        #expect(story.sequences == [4])
        let trigger = try #require(story.rows[0].trigger)
        #expect(trigger.outcome == .matched)
        #expect(trigger.lineSequence == 1)
        let delay = try #require(trigger.delay)
        #expect(delay >= .milliseconds(9) && delay <= .milliseconds(11))
    }

    @Test func `an edge just before an exposure gets that frame`() throws {
        let story = try MachineDriver(Self.triggered(1))
        story.frames(0..<3)
        story.edge(1, at: MachineDriver.at(35, microseconds: 990))
        story.frames(3..<6)
        #expect(story.sequences == [3])
    }

    @Test func `timestamps that may be late cost a frame and never give a wrong one`() throws {
        var plan = Self.triggered(1)
        plan.timestamps.delay = .milliseconds(2)
        let story = try MachineDriver(plan)
        story.frames(0..<3)
        story.edge(1, at: MachineDriver.at(35))
        story.frames(3..<6)
        // Frame 3, timestamped 40 ms, may have begun at 34 ms.
        #expect(story.sequences == [4])
    }

    @Test func `without a known period no frame is said to begin after an edge`() throws {
        var plan = Self.triggered(1)
        plan.rate = nil
        plan.timestamps = TimestampModel(point: .endOfReadout, delay: .zero, readout: nil)
        let story = try MachineDriver(plan)
        story.edge(1, at: MachineDriver.at(1))
        story.frame(0)
        #expect(story.rows.isEmpty)
        story.frames(1..<5)
        // Readout may have begun a whole period before the timestamp: frame 2, timestamped 30 ms, at 20 ms at the
        // earliest.
        #expect(story.sequences == [1] || story.sequences == [2])
    }

    @Test func `edges wait in line for their steps`() throws {
        let story = try MachineDriver(Self.triggered(3))
        for number in 1...3 {
            story.edge(UInt32(number), at: MachineDriver.at(Int64(number)))
        }
        story.frames(0..<4)
        #expect(story.sequences == [0, 1, 2])
        #expect(story.rows.map { $0.trigger?.lineSequence } == [1, 2, 3])
    }

    @Test func `an old edge after a wait gets a frame after the wait`() throws {
        let story = try MachineDriver(
            SamplePlan([
                .wait(.milliseconds(47), step: 0), .waitForEdge(line: 0, within: .zero, step: 1),
                .capture(1),
            ]))
        story.edge(1, at: MachineDriver.at(5))
        story.frames(0..<8)
        // The wait ends at 47 ms; frame 4 began at 46 ms.
        #expect(story.sequences == [5])
    }

    @Test func `an edge that does not come leaves out its round only`() throws {
        let story = try MachineDriver(Self.triggered(3, within: .milliseconds(20)))
        story.edge(1, at: MachineDriver.at(1))
        story.frames(0..<5)
        story.edge(2, at: MachineDriver.at(56))
        story.frames(5..<9)
        #expect(story.reasons == [nil, .triggerTimeout, .triggerTimeout] || story.rows.count == 3)
        #expect(story.reasons.contains(.triggerTimeout))
        for row in story.rows where row.reason == .triggerTimeout {
            #expect(row.trigger?.outcome == nil)
            #expect(row.trigger?.line == 0)
        }
        #expect(story.events.contains(.triggerTimeout(line: 0, step: 1)))
    }

    @Test func `the hole of a missing edge names the line that was waited for`() throws {
        let story = try MachineDriver(
            SamplePlan([
                .waitForEdge(line: 2, within: .milliseconds(5), step: 1), .capture(1),
            ]))
        story.frames(0..<2)
        #expect(story.rows.first?.trigger?.line == 2)
    }

    @Test func `a time-out leaves out loops inside the round and nothing after it`() throws {
        let story = try MachineDriver(
            SamplePlan([
                .loop(count: 2, every: .zero, end: 6, step: 0),
                .waitForEdge(line: 0, within: .milliseconds(5), step: 1),
                .loop(count: 2, every: .zero, end: 4, step: 0), .capture(1),
                .endLoop(start: 2), .pulse(line: 1, duration: .seconds(1), step: 0),
                .endLoop(start: 0), .capture(2),
            ]))
        story.frames(0..<6)
        #expect(
            story.reasons == [
                .triggerTimeout, .triggerTimeout, .triggerTimeout, .triggerTimeout, nil, nil,
            ])
        #expect(story.outputs.isEmpty)
    }

    @Test func `an edge counts for the loops inside its round`() throws {
        let story = try MachineDriver(
            SamplePlan([
                .loop(count: 2, every: .zero, end: 5, step: 0),
                .waitForEdge(line: 0, within: .zero, step: 1),
                .loop(count: 3, every: .zero, end: 4, step: 0), .capture(1),
                .endLoop(start: 2), .endLoop(start: 0), .capture(1),
            ]))
        story.edge(1, at: MachineDriver.at(1))
        story.edge(2, at: MachineDriver.at(2))
        story.frames(0..<8)
        #expect(story.rows.map { $0.trigger?.lineSequence } == [1, 1, 1, 2, 2, 2, nil])
    }

    @Test func `lost edges are told by their numbers, from the first one on`() throws {
        let story = try MachineDriver(Self.triggered(3))
        story.edge(3, at: MachineDriver.at(1))
        story.edge(7, at: MachineDriver.at(2))
        story.edge(8, at: MachineDriver.at(3))
        #expect(story.events.contains(.edgesLost(line: 0, count: 2, before: 3)))
        #expect(story.events.contains(.edgesLost(line: 0, count: 3, before: 7)))
        let told = story.events.filter { if case .edgesLost = $0 { true } else { false } }
        #expect(told.count == 2)
    }

    @Test func `edges that no step waits for are noted and not kept`() throws {
        let story = try MachineDriver(Self.triggered(1))
        story.edge(1, at: MachineDriver.at(1), line: 2)
        story.frames(0..<3)
        #expect(story.rows.isEmpty)
        story.edge(1, at: MachineDriver.at(33))
        story.frames(3..<6)
        #expect(story.sequences == [3])
    }

    @Test func `more edges than can wait are in the log and lose nobody else's frame`() throws {
        let story = try MachineDriver(
            SamplePlan([
                .wait(.milliseconds(5), step: 0), .waitForEdge(line: 0, within: .zero, step: 1),
                .capture(1),
            ]))
        for number in 1...UInt32(Plan.waitingEdges + 50) {
            story.edge(number, at: MachineDriver.at(0, microseconds: Int64(number)))
        }
        let logged = story.events.filter { if case .edge = $0 { true } else { false } }
        #expect(logged.count == Plan.waitingEdges + 50)
        story.frames(0..<3)
        #expect(story.rows.first?.trigger?.lineSequence == 1)
    }

    @Test func `rounds start on schedule, whatever the frames do`() throws {
        let story = try MachineDriver(Self.rounds(3, every: .milliseconds(40), [.capture(1)]))
        story.frames(0..<12)
        // Round 1 is due at 40 ms: frame 4 begins at 46 ms; round 2 at 80 ms: frame 8.
        #expect(story.sequences == [0, 4, 8])
        #expect(!story.events.contains { if case .roundLate = $0 { true } else { false } })
    }

    /// The exposure shows three frames after it is written: round 0 has frame 4, whose settings are written at 12 ms.
    @Test func `rounds keep their distance from the first frame on, also where that comes late`()
        throws
    {
        var plan = SamplePlan([
            .capture(1), .loop(count: 4, every: .milliseconds(60), end: 3, step: 0),
            .capture(1, settings: 1), .endLoop(start: 1),
        ])
        plan.latencyFrames = 3
        let story = try MachineDriver(plan)
        story.frames(0..<30)
        let places = story.sequences.compactMap { $0 }.dropFirst()
        #expect(zip(places.dropFirst(), places).map { $0 - $1 } == [6, 6, 6])
        #expect(!story.events.contains { if case .roundLate = $0 { true } else { false } })
    }

    @Test func `what a round needs is written while it is waited for`() throws {
        var plan = SamplePlan([
            .loop(count: 3, every: .milliseconds(100), end: 3, step: 0), .capture(1),
            .capture(1, settings: 1), .endLoop(start: 0),
        ])
        plan.latencyFrames = 2
        let story = try MachineDriver(plan)
        story.frames(0..<40)
        let firsts = story.rows.filter { $0.settings == 0 }.compactMap(\.deviceSequence)
        #expect(zip(firsts.dropFirst(), firsts).map { $0 - $1 } == [10, 10])
    }

    @Test func `a round whose frame comes late says so`() throws {
        var plan = SamplePlan([
            .loop(count: 2, every: .milliseconds(40), end: 3, step: 0), .capture(1),
            .capture(1, settings: 1), .endLoop(start: 0),
        ])
        plan.latencyFrames = 4
        let story = try MachineDriver(plan)
        story.frames(0..<30)
        // Frame 4 begins at 46 ms, so round 1 is due at 81; what is written at 62 shows in frame 10, from 106 on.
        #expect(story.sequences.prefix(3) == [4, 5, 10])
        #expect(
            story.events.contains(
                .roundLate(step: 0, round: 1, late: .milliseconds(25))))
    }

    @Test func `a round that is late says so and the schedule stands`() throws {
        let story = try MachineDriver(Self.rounds(4, every: .milliseconds(15), [.capture(2)]))
        story.frames(0..<12)
        #expect(story.sequences.compactMap(\.self) == [0, 1, 2, 3, 4, 5, 6, 7])
        let late = story.events.compactMap {
            if case .roundLate(_, let round, let late) = $0 { (round, late) } else { nil }
        }
        #expect(late.map(\.0) == [1, 2, 3])
        #expect(late.map(\.1) == [.milliseconds(7), .milliseconds(12), .milliseconds(17)])
    }

    @Test func `waits inside scheduled rounds do not move the schedule`() throws {
        let story = try MachineDriver(
            Self.rounds(
                3, every: .milliseconds(50), [.wait(.milliseconds(20), step: 0), .capture(1)]))
        story.frames(0..<15)
        #expect(story.sequences == [2, 7, 12])
    }

    @Test func `a pulse is over before the next exposure begins`() throws {
        let story = try MachineDriver(
            SamplePlan([.pulse(line: 1, duration: .milliseconds(27), step: 0), .capture(1)]))
        story.frames(0..<5)
        #expect(story.outputs.map(\.active) == [true, false])
        #expect(story.outputs.map(\.planned) == [MachineDriver.at(0), MachineDriver.at(27)])
        // Frame 2 began at 26 ms.
        #expect(story.sequences == [3])
    }

    @Test func `an output that can't be switched is told`() throws {
        let story = try MachineDriver(
            SamplePlan([.pulse(line: 1, duration: .milliseconds(5), step: 0), .capture(1)]))
        #expect(!story.events.contains(.outputFailed(line: 1)))
        story.outputsWork = false
        story.frames(0..<3)
        #expect(story.events.contains(.outputFailed(line: 1)))
        #expect(story.ending == .completed)
    }

    @Test func `the frame of an edge that is lost leaves the edge without its frame`() throws {
        let story = try MachineDriver(Self.triggered(2))
        story.frames(0..<3)
        story.edge(1, at: MachineDriver.at(33))
        story.frames([4, 5])
        story.edge(2, at: MachineDriver.at(63))
        story.frames([6, 7])
        #expect(story.sequences == [3, 6])
        #expect(story.reasons == [.droppedByDriver, nil])
        #expect(story.rows[0].trigger?.outcome == .matched)
        #expect(story.rows[1].trigger?.lineSequence == 2)
    }
}
