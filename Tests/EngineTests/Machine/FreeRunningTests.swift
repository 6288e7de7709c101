import Devices
import ProvingGround
import Recipes
import Records
import Testing
import Timebase
import Tracking

@testable import Engine

/// Capture without triggers: which frame becomes which slot, and what a missing one leaves behind.
struct FreeRunningTests {
    @Test func `consecutive frames become consecutive slots`() throws {
        let story = try MachineDriver(SamplePlan([.capture(3)]))
        story.frames(0..<3)
        #expect(story.rows.map(\.slot) == [0, 1, 2])
        #expect(story.sequences == [0, 1, 2])
        #expect(story.reasons == [nil, nil, nil])
        #expect(story.ending == .completed)
    }

    @Test func `a gap of two is two holes with their numbers`() throws {
        let story = try MachineDriver(SamplePlan([.capture(5)]))
        story.frames([0, 3, 4])
        #expect(story.sequences == [0, 1, 2, 3, 4])
        #expect(story.reasons == [nil, .droppedByDriver, .droppedByDriver, nil, nil])
        #expect(
            story.events.contains(.framesMissing(count: 2, before: 3, reason: .droppedByDriver)))
    }

    @Test func `a damaged frame is a hole and goes back to the driver`() throws {
        let story = try MachineDriver(SamplePlan([.capture(3)]))
        story.frame(0)
        story.frame(1, damaged: true)
        story.frame(2)
        #expect(story.reasons == [nil, .damaged, nil])
        #expect(story.sequences == [0, 1, 2])
        #expect(story.recorded == [0, 2])
        #expect(story.released == [1])
        #expect(story.events.contains(.frameDamaged(sequence: 1)))
    }

    @Test
    func `a space between timestamps without a gap in numbers is a frame that the camera lost`()
        throws
    {
        let story = try MachineDriver(SamplePlan([.capture(5)]))
        story.frames([0, 1])
        story.frame(3, sequence: 2)
        story.frame(4, sequence: 3)
        #expect(story.reasons == [nil, nil, .droppedByDevice, nil, nil])
        #expect(story.sequences == [0, 1, nil, 2, 3])
        #expect(story.rows.map(\.gapEvidence) == [[], [], .spacing, [], []])
    }

    @Test func `before a rate was seen to be kept, a space is a frame that may be missing`() throws
    {
        let story = try MachineDriver(SamplePlan([.capture(3)]))
        story.frame(0)
        story.frame(2, sequence: 1)
        #expect(story.reasons == [nil, .uncertain, nil])
        #expect(
            story.events.contains(
                .sequenceTimestampMismatch(
                    before: 1, bySequence: 0, fewest: 1, most: 1, bySlot: nil)))
    }

    @Test func `a frame that sequence and timestamps miss is a hole by both`() throws {
        let story = try MachineDriver(SamplePlan([.capture(4)]))
        story.frames([0, 1, 3])
        #expect(story.reasons == [nil, nil, .droppedByDriver, nil])
        #expect(story.rows[2].gapEvidence == [.sequence, .spacing])
    }

    @Test func `a frame that comes twice is given back`() throws {
        let story = try MachineDriver(SamplePlan([.capture(3)]))
        story.frames([0, 1, 1, 2])
        #expect(story.sequences == [0, 1, 2])
        #expect(story.released == [1])
        #expect(
            story.events.contains(
                .quirkSeen(.framesAreRepeated, sequence: 1, isKnown: false)))
    }

    @Test func `frames that waited long for the host tell why others are missing`() throws {
        let story = try MachineDriver(SamplePlan([.capture(16)]))
        story.frames(0..<3)
        // The host comes back when frame 14 has just begun; four frames waited for it.
        story.pass(to: MachineDriver.at(148))
        story.frames([3, 4, 5, 6, 14, 15])
        #expect(story.reasons.filter { $0 == .hostStalled }.count == 7)
        #expect(story.rows[7].deviceSequence == 7)
        #expect(
            story.events.contains(.framesMissing(count: 7, before: 14, reason: .hostStalled)))
    }

    @Test func `a sequence that stands still makes no hole`() throws {
        let story = try MachineDriver(SamplePlan([.capture(9)]))
        for place in 0..<10 where place != 7 { story.frame(place, sequence: 3) }
        #expect(story.reasons == [nil, nil, nil, nil, nil, nil, nil, .dropped, nil])
        #expect(story.sequences[7] == nil)
        #expect(
            story.events.contains(.quirkSeen(.sequenceIsStuck, sequence: 3, isKnown: false)))
    }

    @Test func `a timestamp that is late by half a period loses no frame`() throws {
        let story = try MachineDriver(SamplePlan([.capture(4)]))
        story.frame(0)
        story.frame(1, late: .milliseconds(5))
        story.frames([2, 3])
        #expect(story.reasons == [nil, nil, nil, nil])
    }

    @Test func `gaps in numbers and in timestamps add up`() throws {
        let story = try MachineDriver(SamplePlan([.capture(6)]))
        story.frames([0, 1])
        // Places 2, 3 and 4 are missing; the sequence knows of one of them.
        story.frame(5, sequence: 3)
        #expect(story.rows.count == 6)
        #expect(story.reasons.filter { $0 == .droppedByDriver }.count == 1)
        #expect(story.reasons.filter { $0 == .droppedByDevice }.count == 2)
    }

    @Test func `without a promised rate only numbers are believed`() throws {
        var plan = SamplePlan([.capture(3)])
        plan.rate = nil
        let story = try MachineDriver(plan)
        story.frame(0)
        story.frame(5, sequence: 1)
        story.frame(6, sequence: 2)
        #expect(story.reasons == [nil, nil, nil])
    }

    @Test func `frames at the start of the stream are not used`() throws {
        var plan = SamplePlan([.capture(2)])
        plan.startupFrames = 3
        let story = try MachineDriver(plan)
        story.frames(0..<5)
        #expect(story.sequences == [3, 4])
        #expect(story.events.contains(.framesSkipped(count: 3, from: 0, why: .startup)))
    }

    @Test func `numbers run over the end of 32 bits`() throws {
        let story = try MachineDriver(SamplePlan([.capture(4)]))
        for place in 0..<2 { story.frame(place, sequence: .max - 1 + UInt32(place)) }
        // Number 0 is missing.
        story.frame(3, sequence: 1)
        let last: UInt32 = .max
        #expect(story.sequences == [last - 1, last, 0, 1])
        #expect(story.reasons == [nil, nil, .droppedByDriver, nil])
    }

    @Test(arguments: [0, 500, 1_000_000] as [UInt32])
    func `a sequence that is reset loses nothing and is told`(_ next: UInt32) throws {
        let story = try MachineDriver(SamplePlan([.capture(4)]))
        story.frame(0, sequence: 9_000)
        story.frame(1, sequence: 9_001)
        story.frame(2, sequence: next)
        story.frame(3, sequence: next + 1)
        #expect(story.reasons == [nil, nil, nil, nil])
        #expect(story.events.contains(.sequenceJumped(from: 9_001, to: next)))
    }

    @Test func `a number that comes twice is told and fills its slot`() throws {
        let story = try MachineDriver(SamplePlan([.capture(3)]))
        story.frame(0, sequence: 7)
        story.frame(1, sequence: 7)
        story.frame(2, sequence: 8)
        #expect(story.events.contains(.sequenceJumped(from: 7, to: 7)))
        #expect(story.rows.count == 3)
    }

    @Test func `a frame without room is a hole and its buffer goes back`() throws {
        let story = try MachineDriver(SamplePlan([.capture(3)]))
        story.frame(0)
        story.frame(1, hasRoom: false)
        story.frame(2)
        #expect(story.reasons == [nil, .buffersFull, nil])
        #expect(story.sequences == [0, 1, 2])
        #expect(story.released == [1])
        #expect(story.ending == .completed)
    }

    @Test func `a full pool ends the run where the recipe says so`() throws {
        var plan = SamplePlan([.capture(4)])
        plan.output.whenFull = .stop
        let story = try MachineDriver(plan)
        story.frame(0)
        story.frame(1, hasRoom: false)
        #expect(story.reasons == [nil, .buffersFull, .storageFailed])
        #expect(story.rows.last?.lastSlot == 3)
        #expect(story.ending == .storageFailed)
    }

    @Test func `skipped frames that are missing are told as missing only`() throws {
        let story = try MachineDriver(
            SamplePlan([.wait(.milliseconds(50), step: 0), .capture(1)]))
        story.frame(0)
        // Numbers 1 and 2 were lost while nobody wanted them.
        story.frames([3, 4, 5, 6])
        #expect(story.sequences == [6] || story.sequences == [5])
        var skipped: Set<UInt32> = []
        for case .framesSkipped(let count, let from, _) in story.events {
            for number in from..<from + UInt32(count) { skipped.insert(number) }
        }
        #expect(!skipped.contains(1) && !skipped.contains(2))
        #expect(skipped.contains(0) && skipped.contains(3))
    }

    @Test func `no skipped frame is told with a number that no frame is believed to have had`()
        throws
    {
        let story = try MachineDriver(
            SamplePlan([.wait(.milliseconds(150), step: 0), .capture(1)]))
        story.frames(0..<5)
        // There was no time for number 5, and for number 7 as good as none.
        story.frame(5, sequence: 6)
        story.frame(6, sequence: 8, late: .milliseconds(4))
        for place in 7..<20 { story.frame(place, sequence: UInt32(place) + 2) }
        var skipped: Set<UInt32> = []
        for case .framesSkipped(let count, let from, _) in story.events {
            for number in from..<from + UInt32(count) { skipped.insert(number) }
        }
        #expect(skipped.isSuperset(of: [4, 6, 8, 9, 10]))
        #expect(skipped.isDisjoint(with: [5, 7]))
    }

    @Test func `the times of an exposure are those of the frame`() throws {
        let story = try MachineDriver(SamplePlan([.capture(1)]))
        story.frame(0)
        let time = try #require(story.rows.first?.exposureTime)
        // Readout at 10 ms, cut off to microseconds; 4 ms of exposure before it.
        #expect(abs(time.end.nanoseconds - 10_000_000) <= time.halfWidth.nanoseconds)
        #expect(abs(time.start.nanoseconds - 6_000_000) <= time.halfWidth.nanoseconds)
        #expect(time.halfWidth <= .microseconds(1))
    }

    @Test func `nothing is claimed of an exposure that nothing bounds`() throws {
        var plan = SamplePlan([.capture(3)])
        plan.rate = nil
        plan.timestamps.readout = nil
        let story = try MachineDriver(plan)
        story.frames(0..<3)
        // One frame alone tells neither the period nor, with it, how long readout may take.
        #expect(story.rows[0].exposureTime == nil)
        let second = try #require(story.rows[1].exposureTime)
        #expect(second.halfWidth >= .microseconds(2_500))
    }
}
