import Devices
import ProvingGround
import Recipes
import Records
import Testing
import Timebase
import Tracking

@testable import Engine

/// Outputs that are active during each exposure.
struct LightTests {
    private static let strobe: UInt32 = 1 << 1

    private static func lit(_ count: Int64, settings: Int32 = 0) -> Instruction {
        .capture(count, settings: settings, lights: strobe)
    }

    /// Every recorded frame was lit from before its first row to after its last.
    private func expectLit(
        _ story: MachineDriver, sourceLocation: SourceLocation = #_sourceLocation
    )
        throws
    {
        for row in story.frames {
            let timestamp = try #require(row.rawTimestamp)
            let start = timestamp - SamplePlan.exposure(row.settings)
            var isOn = false
            var covers = false
            for output in story.outputs {
                if output.active, output.planned <= start { isOn = true }
                if !output.active, isOn {
                    covers = covers || output.planned >= timestamp
                    isOn = false
                }
            }
            #expect(covers, "slot \(row.slot)", sourceLocation: sourceLocation)
        }
    }

    @Test func `lights are on before the exposure and off after it`() throws {
        let story = try MachineDriver(SamplePlan([Self.lit(3)]))
        story.frames(0..<12)
        #expect(story.frames.count == 3)
        #expect(story.outputs.map(\.active) == [true, false, true, false, true, false])
        try expectLit(story)
        #expect(story.ending == .completed)
    }

    @Test func `a light stays on until the last row has been read`() throws {
        var plan = SamplePlan([Self.lit(2)])
        plan.timestamps.readout = .milliseconds(5)
        let story = try MachineDriver(plan)
        story.frames(0..<12)
        #expect(story.frames.count == 2)
        let timestamp = try #require(story.frames.first?.rawTimestamp)
        let off = try #require(story.outputs.first { !$0.active })
        #expect(off.planned >= timestamp + .milliseconds(5))
    }

    @Test func `a light stays on for a period where the readout is not known`() throws {
        var plan = SamplePlan([Self.lit(2)])
        plan.timestamps.readout = nil
        let story = try MachineDriver(plan)
        story.frames(0..<8)
        let timestamp = try #require(story.frames.first?.rawTimestamp)
        let off = try #require(story.outputs.first { !$0.active })
        #expect(off.planned >= timestamp + SamplePlan.period)
    }

    @Test func `lights wait for their settings`() throws {
        var plan = SamplePlan([Self.lit(1), Self.lit(1, settings: 3)])
        plan.latencyFrames = 3
        let story = try MachineDriver(plan)
        story.frames(0..<20)
        #expect(story.frames.count == 2)
        try expectLit(story)
        // One pulse each: none for a frame that still had other settings.
        #expect(story.outputs.count == 4)
    }

    @Test func `the lit frame that is lost is a hole and no dark one takes its place`() throws {
        let story = try MachineDriver(SamplePlan([Self.lit(2)]))
        story.frame(0)
        story.pass(to: MachineDriver.at(19))
        // Frame 1 is lit, and never comes.
        #expect(story.outputs.map(\.active) == [true])
        story.frames(2..<12)
        #expect(story.reasons == [.droppedByDriver, nil])
        #expect(story.sequences.first == 1)
        try expectLit(story)
    }

    @Test func `a lit frame that the camera loses in silence is a hole too`() throws {
        let story = try MachineDriver(SamplePlan([Self.lit(2)]))
        story.frame(0)
        story.pass(to: MachineDriver.at(19))
        // Frame 1 is lit; the camera loses it, and frame 2 gets its number.
        #expect(story.outputs.map(\.active) == [true])
        for place in 2..<14 { story.frame(place, sequence: UInt32(place - 1)) }
        // No frame has shown the rate yet, so that only the light and the space speak for it.
        #expect(story.reasons.first == .uncertain)
        #expect(story.rows.first?.gapEvidence == [.spacing, .slot])
        try expectLit(story)
        #expect(story.frames.count == 1)
    }

    @Test func `a frame that comes without its light is not taken`() throws {
        var plan = SamplePlan([.capture(1), Self.lit(1, settings: 1)])
        plan.timestamps.delay = .milliseconds(4)
        let story = try MachineDriver(plan)
        // Late timestamps make predictions late: what was lit may turn out to be unsure.
        for place in 0..<20 {
            story.frame(place, late: place % 2 == 0 ? .milliseconds(3) : .zero)
        }
        #expect(story.ending == .completed)
        let row = try #require(story.frames.last)
        let timestamp = try #require(row.rawTimestamp)
        let readout =
            timestamp - (row.deviceSequence.map { $0 % 2 == 0 } == true ? .milliseconds(3) : .zero)
        let start = readout - SamplePlan.exposure(1)
        let on = try #require(story.outputs.last { $0.active })
        #expect(on.planned <= start && on.planned >= start - SamplePlan.period)
    }

    @Test func `lights find their frame again after the sequence was reset`() throws {
        let story = try MachineDriver(SamplePlan([Self.lit(2)]))
        story.frame(0, sequence: 50_000)
        story.frame(1, sequence: 50_001)
        for place in 2..<12 { story.frame(place, sequence: UInt32(place)) }
        #expect(story.frames.count == 2)
        try expectLit(story)
    }

    @Test func `a refused slot is not lit`() throws {
        let story = try MachineDriver(SamplePlan([.capture(2), Self.lit(1, settings: 1)]))
        story.frame(0)
        story.refusal = 5
        story.frames(1..<6)
        #expect(story.reasons.last == .settingsRefused)
        #expect(story.outputs.isEmpty)
    }

    @Test func `a late switch is told with its delay`() throws {
        let story = try MachineDriver(SamplePlan([Self.lit(1)]))
        story.frame(0)
        let planned = story.nextDeadline
        story.tick(at: planned + .microseconds(300))
        #expect(
            story.events.contains(
                .outputSet(line: 1, active: true, late: .microseconds(300))))
    }

    @Test func `a frame whose light came late is not taken`() throws {
        let story = try MachineDriver(SamplePlan([Self.lit(1)]))
        story.frame(0)
        // On 1 ms before the exposure if it is in time.
        story.tick(at: story.nextDeadline + .microseconds(1_001))
        story.frames(1..<8)
        #expect(story.frames.count == 1)
        #expect(story.events.contains(.framesSkipped(count: 1, from: 1, why: .dark)))
        let lates = story.events.compactMap {
            if case .outputSet(_, true, let late) = $0 { late } else { nil }
        }
        #expect(lates == [.microseconds(1_001), .zero])
        #expect(story.ending == .completed)
    }

    @Test func `a light that is late by less than its head start does no harm`() throws {
        let story = try MachineDriver(SamplePlan([Self.lit(1)]))
        story.frame(0)
        story.tick(at: story.nextDeadline + .microseconds(999))
        story.frame(1)
        #expect(story.sequences == [1])
    }

    @Test func `a host that is never in time ends the slot as a hole`() throws {
        let story = try MachineDriver(SamplePlan([Self.lit(1), .capture(1)]))
        story.frame(0)
        var place = 1
        while story.rows.isEmpty, place < 100 {
            story.frame(place, overslept: true)
            place += 1
        }
        #expect(story.reasons == [.lightLate])
        #expect(place <= 2 * Lights.mostUnlitFrames + 2)
        story.frames(place..<place + 5)
        #expect(story.reasons == [.lightLate, nil])
    }

    @Test func `the light of one slot does not reach into the next`() throws {
        let story = try MachineDriver(SamplePlan([Self.lit(1), .capture(1, settings: 3)]))
        story.frames(0..<12)
        #expect(story.frames.count == 2)
        let timestamp = try #require(story.frames.last?.rawTimestamp)
        let off = try #require(story.outputs.last { !$0.active })
        #expect(timestamp - SamplePlan.exposure(3) >= off.planned)
    }

    @Test func `lights do not burn on after the end`() throws {
        let story = try MachineDriver(SamplePlan([Self.lit(5)]))
        story.frame(0)
        story.tick(at: story.nextDeadline)
        #expect(story.outputs.map(\.active) == [true])
        story.feed(.streamFailed(errno: 19))
        #expect(story.outputs.map(\.active) == [true, false])
        #expect(story.ending == .deviceLost)
    }
}
