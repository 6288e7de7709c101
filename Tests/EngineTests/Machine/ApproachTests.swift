import Devices
import ProvingGround
import Recipes
import Records
import Testing
import Timebase

@testable import Engine

/// A lens that goes beyond its place first: two moves, each with its rest.
struct ApproachTests {
    private static func plan(_ program: [Instruction]) -> SamplePlan {
        var plan = SamplePlan(program)
        plan.settle = .milliseconds(45)
        plan.hasApproach = true
        return plan
    }

    private static let twoPositions: [Instruction] = [.capture(1), .capture(1, settings: 1)]

    @Test func `the last move follows the first after a rest, and the frame after another`() throws
    {
        let story = try MachineDriver(Self.plan(Self.twoPositions))
        story.frames(0..<20)
        // Taken over at -1 ms, the lens rests at 44 ms. Beyond its place at 52 ms, it rests there until 97 ms; sent
        // back then, it rests at 142 ms: frame 14 is read out at 150 ms.
        #expect(story.sequences == [4, 14])
        #expect(story.writeTimes == [MachineDriver.at(52), MachineDriver.at(97)])
        #expect(story.writes.map(\.isApproach) == [true, false])
        #expect(story.writes.map(\.groups) == [[.init(.exposure), .init(.lens)], .init(.lens)])
        #expect(story.writes[0].ticket == story.writes[1].ticket)
        #expect(story.readBacks == story.writes)
        #expect(story.ending == .completed)
    }

    @Test func `writes that take long are counted from their ends`() throws {
        let story = try MachineDriver(Self.plan(Self.twoPositions))
        story.writeDuration = .milliseconds(20)
        story.frames(0..<30)
        // Back at 72 ms, it rests at 117 ms; the second write returns at 137 ms, and it rests at 182 ms.
        #expect(story.writeTimes == [MachineDriver.at(52), MachineDriver.at(117)])
        #expect(story.sequences == [4, 18])
    }

    @Test func `a jump of the sequence in between makes no frame sure`() throws {
        let story = try MachineDriver(Self.plan(Self.twoPositions))
        story.writeDuration = .milliseconds(20)
        story.frames(0..<9)
        // The next frame is read out at 100 ms: 45 ms and more after the first write, and before the second one.
        for place in 9..<30 { story.frame(place, sequence: UInt32(100_000 + place)) }
        #expect(story.sequences == [4, 100_018])
    }

    @Test func `nothing is written ahead for a slot whose lens goes beyond its place`() throws {
        func firstWrite(_ hasApproach: Bool) throws -> Instant<Monotonic>? {
            var plan = Self.plan([.capture(4), .capture(1, settings: 1)])
            plan.latencyFrames = 2
            plan.settle = .milliseconds(1)
            plan.hasApproach = hasApproach
            let story = try MachineDriver(plan)
            story.frames(0..<20)
            #expect(story.sequences.prefix(4) == [2, 3, 4, 5])
            #expect(story.ending == .completed)
            return story.writeTimes.first
        }
        // The last frame of the old position is noticed at 62 ms.
        #expect(try firstWrite(true) == MachineDriver.at(62))
        #expect(try #require(try firstWrite(false)) < MachineDriver.at(62))
    }

    @Test func `a request to stop in between lets the slot have its frame`() throws {
        let story = try MachineDriver(Self.plan(Self.twoPositions))
        story.frames(0..<7)
        story.feed(.interrupt)
        story.frames(7..<20)
        #expect(story.sequences == [4, 14])
        #expect(story.ending == .interrupted)
    }

    @Test func `a second request ends the run with the lens sent to its place`() throws {
        let story = try MachineDriver(Self.plan(Self.twoPositions))
        story.frames(0..<7)
        story.feed(.interrupt)
        story.feed(.interrupt)
        #expect(story.reasons == [nil, .interrupted])
        #expect(story.writes.map(\.isApproach) == [true, false])
        #expect(story.writes.last?.groups == ControlGroups(.lens))
        #expect(story.readBacks == story.writes)
        #expect(story.ending == .interrupted)
    }

    @Test func `at the end the lens is put back without a detour`() throws {
        let program = Self.twoPositions + [.restore(settings: 0, step: 0)]
        let story = try MachineDriver(Self.plan(program))
        story.frames(0..<7)
        story.feed(.interrupt)
        story.feed(.interrupt)
        #expect(story.writes.map(\.settings) == [1, 0])
        #expect(story.writes.map(\.isApproach) == [true, false])
        #expect(story.ending == .interrupted)
    }

    @Test(arguments: [0, 7]) func `either move may be refused`(_ place: Int) throws {
        let story = try MachineDriver(Self.plan(Self.twoPositions))
        story.frames(0..<place)
        story.refusal = 5
        story.frames(place..<20)
        #expect(story.reasons == [nil, .settingsRefused])
        #expect(story.writes.count == (place == 0 ? 1 : 2))
        #expect(story.ending == .completed)
    }
}
