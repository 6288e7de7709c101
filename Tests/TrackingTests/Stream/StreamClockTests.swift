import Testing
import Timebase

@testable import Devices
@testable import Tracking

/// The timeline of a stream by itself: what frames mean in time, and how far they are apart.
struct StreamClockTests {
    @Test func `before the first frame nothing is known`() {
        #expect(StreamClock(model: StreamStory.exact, nominalPeriod: nil).period == nil)
    }

    @Test func `a promised rate is known before any frame`() {
        let clock = StreamClock(model: StreamStory.exact, nominalPeriod: .milliseconds(10))
        #expect(clock.period == .milliseconds(10))
    }

    @Test func `the mean of the timestamps is the period where none is promised`() {
        var story = StreamStory(period: nil)
        story.frame(0, at: 0)
        #expect(story.clock.period == nil)
        story.frame(1, at: 11)
        let gap = story.frame(4, at: 40)
        #expect(gap.numbered == 2)
        #expect(gap.fewestBySpacing == nil)
        #expect(story.clock.period == .milliseconds(10))
    }

    @Test func `a period that was not promised is learned, and then shows what is missing`() {
        var story = StreamStory(period: nil)
        story.frames(0..<10)
        let gap = story.frame(10, at: 120)
        #expect(gap.unnumbered == 2)
        #expect(gap.attribution == .device)
        #expect(!gap.isDisputed)
    }

    @Test(
        arguments: [
            (16.5, 0, 1), (18, 1, 1), (22, 1, 1), (24, 1, 2), (26, 1, 2), (40, 3, 3), (47, 4, 4),
        ] as [(Double, Int64, Int64)])
    func `spaces are frames only where they are far too long`(
        _ span: Double, _ fewest: Int64, _ most: Int64
    ) {
        var story = StreamStory()
        story.frames(0..<3)
        let gap = story.frame(3, at: 20 + span)
        #expect(gap.unnumbered == fewest)
        #expect(gap.fewestBySpacing == fewest)
        #expect(gap.mostBySpacing == most)
        #expect(gap.isDisputed == (fewest > 0 && fewest != most))
    }

    @Test func `a camera that is some ppm off its rate is followed over long gaps`() {
        var story = StreamStory()
        let period = 10.0 * (1 + 300e-6)
        for place in 0..<2_000 { story.frame(UInt32(place), at: Double(place) * period) }
        // 3,000 frames are 9 ms more than was promised.
        let gap = story.frame(1_999 + 3_001, at: (1_999 + 3_001) * period)
        #expect(gap.numbered == 3_000)
        #expect(gap.fewestBySpacing == 3_000)
        #expect(gap.mostBySpacing == 3_000)
        #expect(!gap.isDisputed)
    }

    @Test func `a camera that keeps another rate than promised is believed in the end`() {
        var story = StreamStory()
        for place in 0..<20 { story.frame(UInt32(place), at: Double(place) * 20) }
        #expect(story.gaps.prefix(9).dropFirst().allSatisfy { $0.isDisputed })
        #expect(story.gaps.dropFirst(9).allSatisfy { $0.missing == 0 && !$0.isDisputed })
        #expect(story.gaps.compactMap(\.newPeriod) == [.milliseconds(20)])
        #expect(story.quirks == [.rateIsAnother])
        #expect(story.clock.period == .milliseconds(20))
    }

    @Test func `a profile that knows of another rate does without the promise`() {
        var story = StreamStory(quirks: [.rateIsAnother])
        for place in 0..<20 { story.frame(UInt32(place), at: Double(place) * 20) }
        #expect(story.gaps.allSatisfy { $0.missing == 0 && !$0.isDisputed })
    }

    @Test func `timestamps that are only ever late make no frame`() {
        let model = TimestampModel(
            point: .startOfReadout, delay: .milliseconds(4), readout: .zero)
        var story = StreamStory(model)
        for place in 0..<500 {
            let late = Double(place * 7_919 % 4_000) / 1_000
            story.frame(UInt32(place), at: Double(place) * 10 + late)
        }
        #expect(story.missing.allSatisfy { $0 == 0 })
        #expect(story.gaps.allSatisfy { !$0.isDisputed })
    }

    @Test(arguments: [4.0, 4.8])
    func `timestamps that are late by more than the model allows are no frames that are missing`(
        _ most: Double
    ) {
        var story = StreamStory()
        var number: UInt64 = 7
        for place in 0..<2_000 {
            number = number &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let late = Double(number >> 40) / Double(1 << 24) * most
            story.frame(UInt32(place), at: Double(place) * 10 + late)
        }
        #expect(story.missing.allSatisfy { $0 == 0 })
        #expect(story.gaps.allSatisfy { !$0.isDisputed })
        #expect(story.quirks.isEmpty)
    }

    @Test func `a late timestamp of a frame that waited for the host contradicts no sequence`() {
        var story = StreamStory()
        story.frames(0..<20)
        // It is late by 4.5 ms, and the host by 30.
        let late = story.frame(20, at: 234.5, timestamp: 204.5)
        #expect(late.missing == 0 && !late.isDisputed)
        // Whether it was set back is not known all the same.
        #expect(late.doubt == .disputed)
    }

    @Test func `frames that do not come of themselves have no spacing`() {
        var clock = StreamClock(
            model: StreamStory.exact, nominalPeriod: .milliseconds(10), isPaced: false)
        for (sequence, time) in [(UInt32(0), 0.0), (1, 500), (3, 530)] {
            let gap = clock.advance(
                to: FrameArrival(
                    sequence: sequence, timestamp: StreamStory.time(time),
                    takenAt: StreamStory.time(time + 2)))
            #expect(gap.missing == (sequence == 3 ? 1 : 0))
            #expect(!gap.isDisputed)
        }
    }

    @Test func `a readout begins between the timestamp's delay before it and a microsecond after`()
        throws
    {
        let frame = StreamFrame(
            sequence: 0, timestamp: Instant(nanoseconds: 100_000_000), delay: .milliseconds(3))
        let late = TimestampModel(
            point: .startOfReadout, delay: .milliseconds(3), readout: .milliseconds(5))
        let clock = StreamClock(model: late, nominalPeriod: nil)
        let readout = try #require(clock.readoutStart(of: frame))
        #expect(readout.earliest == Instant(nanoseconds: 97_000_000))
        #expect(readout.latest == Instant(nanoseconds: 100_001_000))
        var end = late
        end.point = .endOfReadout
        let ended = try #require(
            StreamClock(model: end, nominalPeriod: nil).readoutStart(of: frame))
        #expect(ended.earliest == Instant(nanoseconds: 92_000_000))
        #expect(ended.latest == Instant(nanoseconds: 95_001_000))
    }

    @Test
    func `a timestamp of a clock that advances in steps may be a step earlier than its frame`()
        throws
    {
        let frame = StreamFrame(
            sequence: 0, timestamp: Instant(nanoseconds: 100_000_000), delay: .milliseconds(3))
        let model = TimestampModel(
            point: .startOfReadout, delay: .milliseconds(3), readout: .milliseconds(5))
        let clock = StreamClock(
            model: model, nominalPeriod: nil,
            resolution: ClockResolution(countsPerSecond: 54_000_000))
        let readout = try #require(clock.readoutStart(of: frame))
        #expect(readout.earliest == Instant(nanoseconds: 97_000_000))
        #expect(readout.latest == Instant(nanoseconds: 100_001_019))
    }

    @Test func `a readout of unknown length begins up to a period before its end`() throws {
        let frame = StreamFrame(
            sequence: 0, timestamp: Instant(nanoseconds: 100_000_000), delay: .zero)
        let model = TimestampModel(point: .endOfReadout, delay: .zero, readout: nil)
        let clock = StreamClock(model: model, nominalPeriod: .milliseconds(10))
        let readout = try #require(clock.readoutStart(of: frame))
        #expect(readout.earliest == Instant(nanoseconds: 90_000_000))
        #expect(readout.latest == Instant(nanoseconds: 100_001_000))
        #expect(StreamClock(model: model, nominalPeriod: nil).readoutStart(of: frame) == nil)
    }
}
