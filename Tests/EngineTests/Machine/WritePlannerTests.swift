import Devices
import ProvingGround
import Recipes
import Records
import Testing
import Timebase
import Tracking

@testable import Engine

/// When settings are written, without a machine around it.
struct WritePlannerTests {
    /// A planner with a timeline of 10 ms a frame, in which the first settings were written at time zero.
    private final class Story {
        let values: PlanValues
        var planner: WritePlanner
        var timeline: SettingsTimeline
        var now = Instant<Monotonic>(nanoseconds: 0)

        init(_ sample: SamplePlan) throws {
            let plan = try sample.plan()
            values = PlanValues(plan.settings)
            planner = WritePlanner(plan, values)
            timeline = SettingsTimeline(
                profile: plan.camera.profile, promisedPeriod: SamplePlan.period)
            planner.takeOver(AppliedSettings(), writtenAt: now, &timeline)
        }

        /// The slot of a number, which has the settings of the same number.
        func slot(_ number: Int64) -> PlanSlot {
            PlanSlot(
                number: number, settings: Int32(number), lights: 0, step: 0, indexInStep: 0)
        }

        func write(_ number: Int64) -> SettingsWrite {
            let slot = self.slot(number)
            let needed = timeline.missing(
                for: values[slot.settings], from: 1, period: SamplePlan.period)
            return planner.write(needed, for: slot, now, &timeline)
        }

        func end(_ write: SettingsWrite, succeeded: Bool = true, pending: Int64?) {
            now = now + .milliseconds(1)
            planner.end(
                write, begun: now, succeeded: succeeded, pending: pending, now, &timeline)
        }
    }

    @Test func `writes have rising numbers, and each is for its slot`() throws {
        let story = try Story(SamplePlan([.capture(1)]))
        var found: [SettingsWrite] = []
        for number in Int64(1)...3 {
            story.planner.begin(number, after: -1)
            let write = story.write(number)
            story.end(write, pending: number)
            found.append(write)
        }
        #expect(found.map(\.ticket) == [1, 2, 3])
        #expect(found.map(\.slot) == [1, 2, 3] && found.map(\.settings) == [1, 2, 3])
        let last = story.planner.lastSettings(of: .exposure)
        #expect(last == 3 && story.planner.lastSettings(of: .lens) == -1)
    }

    @Test func `a slot whose frame passed is written again alone, and the next one waits for it`()
        throws
    {
        let story = try Story(SamplePlan([.capture(1)]))
        story.planner.noteFrame()
        story.planner.begin(1, after: -1)
        let first = story.write(1)
        story.end(first, pending: 1)
        let before = story.planner.looksAhead
        let isSpoilt = story.planner.isSpoilt(ControlGroups(.exposure), of: 1)
        let isLaterSpoilt = story.planner.isSpoilt(ControlGroups(.exposure), of: 2)
        #expect(before && isSpoilt && !isLaterSpoilt)
        let second = story.planner.write(
            ControlGroups(.exposure), for: story.slot(1), story.now, &story.timeline)
        story.end(second, pending: 1)
        let after = story.planner.looksAhead
        #expect(!after && second.ticket == 2)
        story.planner.begin(2, after: -1)
        #expect(story.planner.settlesAfter == 2 && story.planner.looksAhead)
    }

    @Test func `a refused write ends the slot that waits, or the later one in its turn`() throws {
        for slot in Int64(1)...2 {
            let story = try Story(SamplePlan([.capture(1)]))
            story.planner.begin(1, after: -1)
            let write = story.write(slot)
            story.end(write, succeeded: false, pending: 1)
            #expect(story.planner.isRefused == (slot == 1))
            #expect(story.planner.lastSettings(of: .exposure) == -1)
            story.planner.begin(2, after: -1)
            #expect(story.planner.isRefused == (slot == 2))
            story.planner.begin(3, after: -1)
            #expect(!story.planner.isRefused)
        }
    }

    @Test(arguments: [[2, 3], [3, 2]])
    func `of several refused writes the one whose slot comes first is kept`(order: [Int64]) throws {
        let story = try Story(SamplePlan([.capture(1)]))
        story.planner.begin(1, after: -1)
        let writes = order.map { story.write($0) }
        for write in writes { story.end(write, succeeded: false, pending: 1) }
        story.planner.begin(2, after: -1)
        #expect(story.planner.isRefused)
    }

    @Test func `no frame since a lens began to move shows where it was`() throws {
        var sample = SamplePlan([.capture(1)])
        (sample.settle, sample.hasApproach) = (.milliseconds(20), true)
        let story = try Story(sample)
        func frame(_ milliseconds: Int64) {
            let time = Instant<Monotonic>(nanoseconds: milliseconds * 1_000_000)
            story.timeline.observe(
                ObservedFrame(
                    step: 1, timestamp: time, readout: .init(earliest: time, latest: time)))
        }
        for time in [30, 40] as [Int64] { frame(time) }
        let before = story.timeline.shown(.lens)
        #expect(before != .uncertain)
        story.planner.begin(1, after: -1)
        story.now = Instant(nanoseconds: 41_000_000)
        story.end(story.write(1), pending: 1)
        for time in [50, 60] as [Int64] { frame(time) }
        let last = story.planner.lastMove(Instant(nanoseconds: 62_000_000))
        story.now = Instant(nanoseconds: 62_000_000)
        story.end(try #require(last), pending: 1)
        let after = story.timeline.shown(.lens)
        #expect(after == .uncertain)
    }

    @Test func `slots that are begun again forget what was refused and written for them`() throws {
        let story = try Story(SamplePlan([.capture(1)]))
        story.planner.begin(1, after: -1)
        let write = story.write(2)
        story.end(write, succeeded: false, pending: 1)
        story.planner.goBack()
        story.planner.begin(2, after: 1)
        #expect(!story.planner.isRefused && story.planner.settlesAfter == 1)
        let isSpoilt = story.planner.isSpoilt(ControlGroups(.exposure), of: 2)
        #expect(!isSpoilt)
    }

    @Test func `a lens beyond its place is sent there once it has rested, with the same number`()
        throws
    {
        var sample = SamplePlan([.capture(1)])
        (sample.settle, sample.hasApproach) = (.milliseconds(20), true)
        let story = try Story(sample)
        story.planner.begin(1, after: -1)
        let write = story.write(1)
        #expect(write.isApproach)
        let before = story.planner.deadline
        #expect(before == .distantFuture)
        story.end(write, pending: 1)
        let due = story.planner.deadline
        #expect(due == story.now + .milliseconds(20))
        let early = story.planner.lastMove(due - .milliseconds(1))
        #expect(early == nil)
        let last = story.planner.lastMove(due)
        let move = try #require(last)
        let again = story.planner.lastMove(due + .seconds(1))
        #expect(move.ticket == write.ticket && move.groups == ControlGroups(.lens))
        #expect(!move.isApproach && again == nil)
        story.end(move, pending: 1)
        #expect(!story.planner.isApproaching)
    }

    @Test func `at the end a lens goes straight to where it is left, unless the camera is gone`()
        throws
    {
        for isGone in [false, true] {
            var sample = SamplePlan([
                .capture(1), .restore(settings: 0, step: 0),
            ])
            (sample.settle, sample.hasApproach) = (.milliseconds(20), true)
            let story = try Story(sample)
            story.planner.begin(1, after: -1)
            let write = story.write(1)
            story.end(write, pending: nil)
            if isGone { story.planner.giveUp() }
            let (lens, settings) = story.planner.leave(story.now, &story.timeline)
            #expect(lens == nil, "the settings move it anyway")
            #expect(settings?.settings == (isGone ? nil : 0))
            #expect(settings?.isApproach != true && settings?.slot ?? -1 == -1)
            let (_, again) = story.planner.leave(story.now, &story.timeline)
            #expect(again == nil && !story.planner.isApproaching)
        }
    }
}
