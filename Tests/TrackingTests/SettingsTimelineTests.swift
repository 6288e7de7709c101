import Devices
import TestSupport
import Testing
import Timebase
import Tracking

/// Frame k is read out at 10 (k + 1) ms; exposure shows after 2 frames, gain after 1, the lens after 1 and its
/// settling.
struct SettingsTimelineTests {
    private static let period = Interval.milliseconds(10)

    private static func profile(
        delay: Interval = .zero, settle: Interval = .zero
    ) -> CameraProfile {
        var profile = CameraProfile(
            name: "test",
            timestamps: TimestampModel(point: .startOfReadout, delay: delay, readout: .zero))
        let codes = CodeRange(1, 1_000)
        profile.exposure = ExposureModel(
            control: CameraControl(rawValue: 1), unitPicoseconds: 1_000, codes: codes,
            latencyFrames: 2)
        profile.gain = GainModel(
            control: CameraControl(rawValue: 2), law: .linear(unity: 1), codes: codes,
            isoAtUnity: 100, latencyFrames: 1)
        profile.focus = FocusModel(
            control: CameraControl(rawValue: 3), nearCode: 0, farCode: 1, latencyFrames: 1,
            settle: settle)
        profile.exposure?.latencyOrigin = .exact
        profile.gain?.latencyOrigin = .exact
        profile.focus?.latencyOrigin = .exact
        return profile
    }

    @Test func `a forecast allows for timestamps that are late once and in time then`() {
        let story = Story(delay: .milliseconds(3))
        _ = story.frame(0)
        // Read out from 7 ms on, and so the next one from 17 ms on; its timestamp may say 14 ms.
        let frames = [6, 13, 14, 23, 24].map {
            story.timeline.framesUntil(Story.at($0), period: Self.period)
        }
        #expect(frames == [1, 1, 2, 2, 3])
    }

    @Test func `a frame has surely begun once its timestamp can't be that of the one before`() {
        let story = Story(delay: .milliseconds(3))
        _ = story.frame(0)
        // The next frame begins at 20 ms at the latest, with a timestamp up to 3 ms later.
        let frames = [19, 22, 23, 24].map {
            story.timeline.earliestFrame(writing: .exposure, at: Story.at($0))
        }
        #expect(frames == [3, 3, 3, 4])
    }

    @Test func `a lens that was written slowly rests later by as much`() {
        let story = Story(settle: .milliseconds(30))
        story.write(1, to: .lens, from: 1, to: 14)
        // It rests at 44 ms: the first frame after that is read out at 50 ms, and shows it one frame later.
        let shown = (0..<7 as Range<Int64>).map { frame in
            _ = story.frame(frame)
            return story.value(.lens)
        }
        #expect(shown == [nil, nil, nil, nil, nil, 1, 1])
    }

    @Test
    func `what is not known of when a write shows are the frames that may begin before it rests`() {
        // Two frames of latency either way: they are no doubt.
        let prompt = Story()
        _ = prompt.frame(0)
        let certain = prompt.timeline.doubt(
            writing: .exposure, at: Story.at(11), period: Self.period)
        #expect(certain == 0)
        let late = Story(delay: .milliseconds(3))
        _ = late.frame(0)
        let doubt = late.timeline.doubt(writing: .exposure, at: Story.at(14), period: Self.period)
        #expect(doubt == 1)
    }

    /// A timeline that is fed by hand.
    private final class Story {
        var timeline: SettingsTimeline
        let delay: Interval
        var ticket: Int64 = 0

        init(delay: Interval = .zero, settle: Interval = .zero, hasRate: Bool = true) {
            self.delay = delay
            timeline = SettingsTimeline(
                profile: profile(delay: delay, settle: settle),
                promisedPeriod: hasRate ? period : nil)
        }

        static func at(_ milliseconds: Int64) -> Instant<Monotonic> {
            Instant(nanoseconds: milliseconds * 1_000_000)
        }

        func write(
            _ value: Int32, to group: ControlGroup, from begun: Int64, to ended: Int64? = nil,
            succeeds: Bool = true
        ) {
            ticket += 1
            timeline.beginWrite(value, to: group, ticket: ticket, at: Self.at(begun))
            timeline.endWrite(
                ticket, of: ControlGroups(group), begun: Self.at(begun),
                ended: Self.at(ended ?? begun), succeeded: succeeds)
        }

        func observed(_ frame: Int64, step: Int64, late: Interval = .zero) -> ObservedFrame {
            let timestamp = Self.at(10 * (frame + 1)) + late
            return ObservedFrame(
                step: step, timestamp: timestamp,
                readout: ObservedFrame.Readout(earliest: timestamp - delay, latest: timestamp))
        }

        /// Shows a frame, and says which exposure it surely had; nil where that can't be said.
        func frame(_ frame: Int64, step: Int64 = 1, late: Interval = .zero) -> Int32? {
            timeline.observe(observed(frame, step: step, late: late))
            return value(.exposure)
        }

        func value(_ group: ControlGroup) -> Int32? {
            guard case .exactly(let value, _) = timeline.shown(group) else { return nil }
            return value
        }
    }

    @Test func `a write shows two frames after the one that is being exposed`() {
        let story = Story()
        story.write(0, to: .exposure, from: -5)
        var shown = (0..<4).map { story.frame($0) }
        // Frame 3 was read out at 40; frame 4 is being exposed at 42.
        story.write(1, to: .exposure, from: 42)
        shown += (4..<8).map { story.frame($0) }
        #expect(shown == [nil, nil, 0, 0, 0, 0, 1, 1])
    }

    @Test func `a write that ends in another frame than it began in leaves one uncertain`() {
        let story = Story()
        story.write(0, to: .exposure, from: -5)
        for frame in 0..<4 { _ = story.frame(Int64(frame)) }
        story.write(1, to: .exposure, from: 42, to: 53)
        #expect((4..<9).map { story.frame($0) } == [0, 0, nil, 1, 1])
    }

    @Test func `late timestamps leave frames uncertain and make none wrong`() {
        let story = Story(delay: .milliseconds(3))
        story.write(0, to: .exposure, from: -5)
        for frame in 0..<4 { _ = story.frame(Int64(frame), late: .milliseconds(1)) }
        // At 48, frame 4's timestamp of 50 may stand for a readout at 47: its exposure may be over.
        story.write(1, to: .exposure, from: 48)
        #expect((4..<9).map { story.frame($0) } == [0, 0, nil, 1, 1])
    }

    @Test func `each control has its own delay`() {
        let story = Story()
        story.write(0, to: .exposure, from: -5)
        story.write(0, to: .gain, from: -5)
        for frame in 0..<4 { _ = story.frame(Int64(frame)) }
        story.write(1, to: .exposure, from: 42)
        story.write(1, to: .gain, from: 42)
        var gains: [Int32?] = []
        var exposures: [Int32?] = []
        for frame in Int64(4)..<8 {
            exposures.append(story.frame(frame))
            gains.append(story.value(.gain))
        }
        #expect(exposures == [0, 0, 1, 1])
        #expect(gains == [0, 1, 1, 1])
    }

    @Test func `a lens that moves disturbs at once and rests before it counts`() {
        let story = Story(settle: .milliseconds(25))
        story.write(0, to: .lens, from: -50)
        for frame in 0..<4 { _ = story.frame(Int64(frame)) }
        #expect(story.value(.lens) == 0)
        story.write(1, to: .lens, from: 42)
        var lens: [Int32?] = []
        for frame in Int64(4)..<10 {
            _ = story.frame(frame)
            lens.append(story.value(.lens))
        }
        // It rests at 67: frame 6 is read out at 70, and the one after it shows it.
        #expect(lens == [nil, nil, nil, 1, 1, 1])
    }

    @Test func `a refused write leaves everything open until the next one`() {
        let story = Story()
        story.write(0, to: .exposure, from: -5)
        for frame in 0..<4 { _ = story.frame(Int64(frame)) }
        story.write(1, to: .exposure, from: 42, succeeds: false)
        #expect((4..<8).map { story.frame($0) } == [0, 0, nil, nil])
        let newest = story.timeline.newest(.exposure)
        #expect(newest == nil)
        story.write(2, to: .exposure, from: 82)
        #expect((8..<12).map { story.frame($0) } == [nil, nil, 2, 2])
    }

    @Test func `somebody else's write leaves everything open too`() {
        let story = Story()
        story.write(0, to: .exposure, from: -5)
        for frame in 0..<4 { _ = story.frame(Int64(frame)) }
        story.timeline.disturb(.all, at: Story.at(42))
        #expect((4..<8).map { story.frame($0) } == [0, 0, nil, nil])
    }

    @Test func `frames that are missing from the sequence are counted`() {
        let story = Story()
        story.write(0, to: .exposure, from: -5)
        for frame in 0..<4 { _ = story.frame(Int64(frame)) }
        story.write(1, to: .exposure, from: 42)
        // Frame 4 is the one that is being exposed; frame 5 never comes.
        #expect(story.frame(4) == 0)
        #expect(story.frame(6, step: 2) == 1)
    }

    @Test func `frames that are lost inside the camera make a setting late and none wrong`() {
        let story = Story()
        story.write(0, to: .exposure, from: -5)
        for frame in 0..<4 { _ = story.frame(Int64(frame)) }
        story.write(1, to: .exposure, from: 42)
        // Frame 4 is never counted: frame 6 shows the write and comes second in the sequence.
        #expect((5..<9).map { story.frame($0) } == [0, nil, 1, 1])
    }

    @Test func `after a jump of the sequence what was under way is counted anew`() {
        let story = Story()
        story.write(0, to: .exposure, from: -5)
        for frame in 0..<4 { _ = story.frame(Int64(frame)) }
        story.write(1, to: .exposure, from: 42)
        _ = story.frame(4)
        story.timeline.restart(at: story.observed(5, step: 0))
        #expect(story.value(.exposure) == nil)
        #expect((6..<9).map { story.frame($0) } == [nil, 1, 1])
    }

    @Test func `a setting that was sure stays sure over a jump`() {
        let story = Story()
        story.write(0, to: .exposure, from: -5)
        for frame in 0..<4 { _ = story.frame(Int64(frame)) }
        story.timeline.restart(at: story.observed(4, step: 0))
        #expect(story.value(.exposure) == 0)
    }

    @Test func `without a promised rate a later write makes everything before it uncertain`() {
        let story = Story(hasRate: false)
        story.write(0, to: .exposure, from: -5)
        for frame in 0..<4 { _ = story.frame(Int64(frame)) }
        story.write(1, to: .exposure, from: 42)
        #expect((4..<8).map { story.frame($0) } == [nil, nil, 1, 1])
        let looksAhead = story.timeline.looksAhead
        #expect(!looksAhead)
    }

    @Test func `what it foretells is what it finds`() throws {
        for begun in Int64(40)..<50 {
            let story = Story()
            story.write(0, to: .exposure, from: -5)
            for frame in 0..<4 { _ = story.frame(Int64(frame)) }
            story.write(1, to: .exposure, from: begun)
            var wanted = GroupValues()
            wanted[.exposure] = 1
            let first = story.timeline.firstFrame(with: wanted, from: 1, period: Self.period)
            let foretold = try #require(first)
            let found = (4..<12).first { story.frame($0) == 1 }
            #expect(found == 3 + foretold)
        }
    }

    @Test func `more writes than it remembers make frames uncertain and none wrong`() {
        let story = Story()
        story.write(0, to: .exposure, from: -5)
        for frame in 0..<4 { _ = story.frame(Int64(frame)) }
        for value in Int32(1)...40 { story.write(value, to: .exposure, from: 42) }
        #expect((4..<8).map { story.frame($0) } == [nil, nil, 40, 40])
    }

    /// Frame 1 is timed by its arrival at 25 ms; frame 3 is lost inside the camera, and nobody counts it.
    @Test func `a frame timed by its arrival does not hide one that was lost after it`() {
        let story = Story()
        story.write(1, to: .exposure, from: -5)
        for frame in -2..<1 { _ = story.frame(Int64(frame)) }
        story.timeline.observe(
            ObservedFrame(
                step: 1, timestamp: Story.at(25),
                readout: ObservedFrame.Readout(earliest: Story.at(5), latest: Story.at(25))))
        // Written while frame 2 is exposed, so frame 4 shows it: by number the one in which it can't show yet.
        story.write(2, to: .exposure, from: 26)
        #expect(story.frame(2) == 1)
        #expect(story.frame(4) == nil)
    }
}
