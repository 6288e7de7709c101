import Devices
import ProvingGround
import Recipes
import Records
import Testing
import Timebase

@testable import Engine

/// What becomes of a run when somebody else changes a control that it has locked.
///
/// Frame k is read out at (k + 1) · 10 ms and noticed 2 ms later; its exposure is 4 ms, code 4000.
@Suite("External changes") struct ExternalChangeTests {
    static let automatic = CameraControl(rawValue: 0x009a_0901)

    static func plan(
        latency: Int = 0, delay: Interval = .zero, _ program: [Instruction] = [.capture(12)]
    ) -> SamplePlan {
        var plan = SamplePlan(program)
        plan.latencyFrames = latency
        plan.timestamps.delay = delay
        return plan
    }

    /// Somebody sets the exposure to `code` microseconds; noticed 0.1 ms later.
    static func meddle(
        _ story: MachineDriver, _ code: Int64 = 7_000, at time: Instant<Monotonic>,
        control: CameraControl = SamplePlan.control
    ) {
        story.pass(to: time + .microseconds(100))
        story.feed(.controlChanged(ControlChange(control, code, at: time)))
    }

    static func changes(_ story: MachineDriver) -> [UInt32?] {
        story.events.compactMap { event in
            if case .controlChanged(_, let sequence) = event { sequence } else { nil }
        }
    }

    /// Exposures of all rows in milliseconds; nil where nobody knows.
    static func exposures(_ story: MachineDriver) -> [Int64?] {
        story.rows.map { $0.applied.exposure.map { $0.nanoseconds / 1_000_000 } }
    }

    /// At 40 ms sharp frame 3 may still be the one: timestamps are cut off to microseconds.
    @Test(
        "a change is recorded on the frame that was being exposed",
        arguments: [(31, 3), (39, 3), (40, 3), (41, 4), (49, 4)])
    func onItsFrame(milliseconds: Int64, sequence: UInt32) throws {
        let story = try MachineDriver(Self.plan())
        story.frames(0..<3)
        Self.meddle(story, at: MachineDriver.at(milliseconds))
        #expect(Self.changes(story) == [sequence])
    }

    @Test("frames that were read out before, but come later, are not touched by it") func inFlight()
        throws
    {
        let story = try MachineDriver(Self.plan())
        story.frames(0..<3)
        // At 61 ms frames 3 to 5 are on their way, and frame 6 is being exposed.
        story.feed(
            .controlChanged(ControlChange(SamplePlan.control, 7_000, at: MachineDriver.at(61))))
        story.frames(3..<12)
        #expect(Self.changes(story) == [6])
        #expect(Self.exposures(story) == [4, 4, 4, 4, 4, 4, 7, 7, 7, 7, 7, 7])
    }

    @Test(
        "until the change surely shows, nobody says what a frame was exposed with", arguments: 0...3
    )
    func latency(_ latency: Int) throws {
        let story = try MachineDriver(Self.plan(latency: latency, [.capture(10)]))
        story.frames(0..<4 + latency)
        let next = 4 + latency
        Self.meddle(story, at: MachineDriver.at(Int64(next) * 10 + 5))
        story.frames(next..<20)
        #expect(Self.changes(story) == [UInt32(next)])
        let exposures = Self.exposures(story)
        #expect(exposures.prefix(4) == [4, 4, 4, 4])
        #expect(exposures.dropFirst(4).prefix(latency).allSatisfy { $0 == nil })
        #expect(exposures.dropFirst(4 + latency) == .init(repeating: 7, count: 6 - latency))
    }

    @Test("a timestamp that may be late leaves a frame more in doubt") func lateTimestamps() throws
    {
        let story = try MachineDriver(Self.plan(delay: .milliseconds(5)))
        story.frames(0..<4)
        // Frame 3 is timestamped 40 ms, so its readout began at 35 ms at the earliest.
        story.feed(
            .controlChanged(ControlChange(SamplePlan.control, 7_000, at: MachineDriver.at(37))))
        story.frames(4..<14)
        #expect(Self.changes(story) == [3])
        #expect(Self.exposures(story).prefix(7) == [4, 4, 4, 4, 7, 7, 7])
        let early = try MachineDriver(Self.plan(delay: .milliseconds(5)))
        early.frames(0..<4)
        early.feed(
            .controlChanged(ControlChange(SamplePlan.control, 7_000, at: MachineDriver.at(47))))
        early.frames(4..<14)
        #expect(Self.changes(early) == [4])
        #expect(Self.exposures(early).prefix(7) == [4, 4, 4, 4, nil, 7, 7])
    }

    @Test("an exposure that is not known widens the frame's times") func times() throws {
        let story = try MachineDriver(Self.plan(latency: 2, [.capture(10)]))
        story.frames(0..<5)
        Self.meddle(story, at: MachineDriver.at(55))
        story.frames(5..<16)
        let widths = story.rows.compactMap { $0.exposureTime?.halfWidth }
        let lengths = story.rows.compactMap { row in row.exposureTime.map { $0.end - $0.start } }
        try #require(widths.count == 10)
        #expect(widths[3] > widths[0] + .milliseconds(4))
        #expect(widths[4] == widths[3])
        #expect(widths[5] == widths[0])
        #expect(lengths.suffix(5) == .init(repeating: .milliseconds(7), count: 5)[...])
    }

    @Test("settings that are written and read back end the matter") func writtenAnew() throws {
        let story = try MachineDriver(Self.plan([.capture(4), .capture(4, settings: 1)]))
        story.frames(0..<2)
        Self.meddle(story, at: MachineDriver.at(25))
        story.frames(2..<12)
        #expect(Self.exposures(story) == [4, 4, 7, 7, 5, 5, 5, 5])
    }

    @Test("what is told only after the settings were written anew is recorded, no more")
    func toldLate() throws {
        let story = try MachineDriver(Self.plan([.capture(2), .capture(4, settings: 1)]))
        story.frames(0..<2)
        // Written at 22 ms; somebody's write of 21 ms comes to light.
        story.feed(
            .controlChanged(ControlChange(SamplePlan.control, 9_000, at: MachineDriver.at(21))))
        story.frames(2..<8)
        #expect(Self.changes(story) == [2])
        #expect(Self.exposures(story) == [4, 4, 5, 5, 5, 5])
    }

    /// Written from 22 to 25 ms; what is read back then is the run's own.
    @Test(
        "what is changed during a write is over with it; at the moment of its return nobody knows",
        arguments: [(24, 5), (25, nil), (26, 7)] as [(Int64, Int64?)])
    func whileWriting(milliseconds: Int64, exposure: Int64?) throws {
        let story = try MachineDriver(Self.plan([.capture(2), .capture(4, settings: 1)]))
        story.writeDuration = .milliseconds(3)
        story.frames(0..<2)
        Self.meddle(story, at: MachineDriver.at(milliseconds))
        story.frames(2..<8)
        #expect(Self.exposures(story) == [4, 4] + .init(repeating: exposure, count: 4))
    }

    @Test("under an automatic nobody knows the exposure, until the camera tells it")
    func automatic() throws {
        let story = try MachineDriver(Self.plan())
        story.frames(0..<2)
        Self.meddle(story, 3, at: MachineDriver.at(25), control: Self.automatic)
        story.frames(2..<5)
        Self.meddle(story, 6_000, at: MachineDriver.at(55))
        story.frames(5..<12)
        #expect(Self.exposures(story) == [4, 4, nil, nil, nil, 6, 6, 6, 6, 6, 6, 6])
    }

    @Test("a change before the first frame leaves every frame in doubt") func beforeTheFirst()
        throws
    {
        let story = try MachineDriver(Self.plan())
        Self.meddle(story, at: MachineDriver.at(1))
        story.frames(0..<12)
        #expect(Self.changes(story) == [nil])
        #expect(Self.exposures(story).allSatisfy { $0 == nil })
    }

    @Test("a control without a value of its own in the ledger is recorded all the same")
    func pinned() throws {
        let story = try MachineDriver(Self.plan())
        story.frames(0..<2)
        Self.meddle(
            story, 9, at: MachineDriver.at(25), control: CameraControl(rawValue: 0x0098_091b))
        story.frames(2..<12)
        #expect(Self.changes(story) == [2])
        #expect(Self.exposures(story).allSatisfy { $0 == 4 })
    }

    @Test("numbers of frames that start anew make no difference") func wrapped() throws {
        let story = try MachineDriver(Self.plan())
        for place in 0..<3 { story.frame(place, sequence: .max - 2 + UInt32(place)) }
        Self.meddle(story, at: MachineDriver.at(45))
        story.frame(3, sequence: 0)
        story.frame(4, sequence: 1)
        #expect(Self.changes(story) == [1])
        #expect(Self.exposures(story) == [4, 4, 4, 4, 7])
    }
}
