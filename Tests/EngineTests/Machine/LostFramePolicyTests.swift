import Devices
import ProvingGround
import Recipes
import Records
import Testing
import Timebase

@testable import Engine

/// What a slot is that loses its frame: one rule, wherever the frame was lost.
struct LostFramePolicyTests {
    /// Where the frame of place 5 is lost.
    enum Loss: CaseIterable {
        case driver, camera, damage, fullPool, host

        var places: Range<Int> { 5..<(self == .host ? 11 : 6) }

        var reason: HoleReason {
            switch self {
            case .driver: .droppedByDriver
            case .camera: .droppedByDevice
            case .damage: .damaged
            case .fullPool: .buffersFull
            case .host: .hostStalled
            }
        }
    }

    /// Tells of frames 0 to 29, of which that of place 5 is lost, and more where the host is late.
    private static func story(
        _ program: [Instruction], _ policy: LostFramePolicy, _ loss: Loss, latency: Int = 0
    ) throws -> MachineDriver {
        var plan = SamplePlan(program)
        plan.onLost = policy
        plan.latencyFrames = latency
        let story = try MachineDriver(plan)
        story.frames(0..<(loss == .host ? 2 : 5))
        switch loss {
        case .driver: break
        case .damage: story.frame(5, damaged: true)
        case .fullPool: story.frame(5, hasRoom: false)
        // Frames wait for the host, until there is no buffer for one more.
        case .host:
            story.pass(to: MachineDriver.at(118))
            story.frames(2..<5)
        case .camera: break
        }
        for place in loss.places.upperBound..<30 {
            story.frame(place, sequence: UInt32(loss == .camera ? place - 1 : place))
        }
        return story
    }

    private static func retakes(_ story: MachineDriver) -> [RunEvent] {
        story.events.filter { if case .slotRetaken = $0 { true } else { false } }
    }

    @Test(arguments: Loss.allCases)
    func `a lost frame is a hole, as long as the recipe asks for nothing else`(_ loss: Loss) throws
    {
        let story = try Self.story([.capture(10)], .hole, loss)
        #expect(story.reasons == (0..<10).map { loss.places.contains($0) ? loss.reason : nil })
        #expect(Self.retakes(story).isEmpty)
    }

    @Test(arguments: Loss.allCases)
    func `a slot that is taken again waits for the next frame`(_ loss: Loss) throws {
        let story = try Self.story([.capture(10)], .retake, loss)
        #expect(story.reasons.count == 10 && story.reasons.allSatisfy { $0 == nil })
        let came: [Loss] = [.damage, .fullPool]
        let found = came.contains(loss) || loss == .camera ? 5 : UInt32(loss.places.upperBound)
        #expect(
            Self.retakes(story) == [.slotRetaken(slot: 5, sequence: found, reason: loss.reason)])
        let step = loss == .camera ? 0 : UInt32(loss.places.count)
        #expect(story.sequences == (0..<10).map { $0 < 5 ? $0 : $0 + step })
        // What came and is not recorded went back.
        #expect(story.recorded.count == 10)
        #expect(story.released.contains(5) == came.contains(loss))
    }

    @Test(arguments: [Loss.driver, .camera, .damage])
    func `shots with settings of their own are lost as those without`(_ loss: Loss) throws {
        let shots = (1...8).map { Instruction.capture(1, settings: Int32($0 % 4)) }
        for latency in 0...2 {
            let lost = try Self.story([.capture(2)] + shots, .hole, loss, latency: latency)
            #expect(lost.ending == .completed)
            #expect(
                lost.reasons.compactMap { $0 } == [loss.reason], "latency \(latency)")
            let again = try Self.story([.capture(2)] + shots, .retake, loss, latency: latency)
            #expect(again.ending == .completed)
            #expect(again.reasons.count == 10 && again.reasons.allSatisfy { $0 == nil })
            #expect(Self.retakes(again).count == 1, "latency \(latency)")
        }
    }

    @Test func `a frame that has not its settings yet is lost for nobody`() throws {
        for policy in LostFramePolicy.allCases {
            var plan = SamplePlan([.capture(1), .capture(1, settings: 1)])
            (plan.onLost, plan.latencyFrames) = (policy, 3)
            let story = try MachineDriver(plan)
            story.frames([0, 2, 3, 4, 5, 6])
            #expect(story.reasons == [nil, nil])
            #expect(Self.retakes(story).isEmpty)
            #expect(
                story.events.contains(
                    .framesMissing(count: 1, before: 2, reason: .droppedByDriver)))
        }
    }

    @Test func `frames that are lost in a row are one loss`() throws {
        var plan = SamplePlan([.capture(4)])
        plan.onLost = .retake
        let story = try MachineDriver(plan)
        story.frames([0, 1, 9, 10])
        #expect(story.sequences == [0, 1, 9, 10])
        #expect(
            Self.retakes(story) == [
                .slotRetaken(slot: 2, sequence: 9, reason: .droppedByDriver)
            ])
    }

    @Test func `a camera whose frames all come damaged does not keep a run from ending`() throws {
        var plan = SamplePlan([.capture(3)])
        plan.onLost = .retake
        let story = try MachineDriver(plan)
        story.frame(0)
        for place in 1..<60 where story.ending == nil { story.frame(place, damaged: true) }
        #expect(story.reasons == [nil, .damaged, .damaged])
        #expect(story.sequences == [0, 17, 34])
        #expect(story.ending == .completed)
    }

    @Test func `a frame of a group is taken again with its group alone`() throws {
        var plan = SamplePlan([
            .capture(1), .group(slots: 2, retries: 1, step: 1), .capture(2), .capture(1),
        ])
        plan.onLost = .retake
        let story = try MachineDriver(plan)
        story.frames([0, 1])
        story.frame(2, damaged: true)
        story.frame(3)
        story.frame(4, damaged: true)
        story.frame(5)
        #expect(story.reasons == [nil, nil, .damaged, nil])
        #expect(Self.retakes(story).isEmpty)
    }

    @Test func `a light is switched once more for a frame that is taken again`() throws {
        var plan = SamplePlan([.capture(2), .capture(2, lights: 1 << 1), .capture(2)])
        plan.onLost = .retake
        for place in 2..<9 {
            let story = try MachineDriver(plan)
            story.frames(0..<place)
            story.frame(place, damaged: true)
            story.frames(place + 1..<40)
            #expect(story.ending == .completed)
            #expect(story.reasons.allSatisfy { $0 == nil })
            let taken = Self.retakes(story).count
            let lit = story.outputs.count { $0.active }
            #expect(lit >= 2 && lit <= 2 + taken)
        }
    }

    @Test func `a stop makes a hole of what is lost`() throws {
        var plan = SamplePlan([.capture(5)])
        plan.onLost = .retake
        let story = try MachineDriver(plan)
        story.frames([0, 1])
        story.feed(.interrupt)
        story.frame(2, damaged: true)
        #expect(story.reasons.dropFirst(2).first == .damaged)
        #expect(story.ending == .interrupted)
    }
}
