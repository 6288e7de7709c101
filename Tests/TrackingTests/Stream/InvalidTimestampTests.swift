import Testing
import Timebase

@testable import Devices
@testable import Tracking

/// Drivers whose timestamps are not the times of frames.
struct InvalidTimestampTests {
    /// Whether a readout's bounds hold the truth.
    private func holds(_ story: StreamStory, _ truth: Double) throws -> Bool {
        let frame = try #require(story.clock.last)
        let readout = try #require(story.clock.readoutStart(of: frame))
        let time = StreamStory.time(truth)
        return readout.earliest <= time && time <= readout.latest
    }

    @Test func `zero timestamps leave it to the sequence, and the time is that of dequeueing`()
        throws
    {
        var story = StreamStory()
        for place in 0..<20 where place != 12 {
            let gap = story.frame(
                UInt32(place), at: Double(place) * 10, raw: Instant(nanoseconds: 0))
            #expect(gap.doubt == .zero)
            #expect(try holds(story, Double(place) * 10))
            #expect(gap.numbered == (place == 13 ? 1 : 0))
            #expect(!gap.isDisputed)
        }
        #expect(story.quirks == [.timestampsAreZero])
    }

    @Test func `a frame that is taken at the very time of its stamp is not ahead of it`() {
        var clock = StreamClock(model: StreamStory.exact, nominalPeriod: .milliseconds(10))
        let doubts = (0..<5).map { place in
            let time = StreamStory.time(Double(place) * 10)
            return clock.advance(
                to: FrameArrival(sequence: UInt32(place), timestamp: time, takenAt: time)
            ).doubt
        }
        #expect(doubts.allSatisfy { $0 == nil })
    }

    @Test(arguments: [TimestampDefect.zero, .repeated, .back, .ahead])
    func `one bad timestamp costs nothing but its own time`(_ kind: TimestampDefect) throws {
        var story = StreamStory()
        story.frames(0..<20)
        let raw =
            switch kind {
            case .zero: Instant<Monotonic>(nanoseconds: 0)
            case .repeated: StreamStory.time(190)
            case .back: StreamStory.time(175)
            case .ahead, .disputed, .late: StreamStory.time(214)
            }
        let gap = story.frame(20, at: 200, raw: raw)
        #expect(gap.doubt == kind)
        #expect(gap.missing == 0 && !gap.isDisputed)
        #expect(try holds(story, 200))
        let next = story.frame(21, at: 210)
        #expect(next.doubt == nil)
        #expect(next.missing == 0 && !next.isDisputed)
        // And what is missing behind it is still seen.
        #expect(story.frame(22, at: 230).unnumbered == 1)
    }

    @Test
    func
        `a timestamp that the sequence contradicts is not believed until frames are as quick as before`()
        throws
    {
        var story = StreamStory()
        story.frames(0..<20)
        // Seven frames are missing, and the timestamp was set back by four of them.
        let gap = story.frame(27, at: 270, timestamp: 230)
        #expect(gap.doubt == .disputed && gap.isDisputed)
        #expect(try holds(story, 270))
        #expect(story.frame(28, at: 280, timestamp: 240).doubt != nil)
        #expect(try holds(story, 280))
        let next = story.frame(29, at: 290)
        #expect(next.doubt == nil)
        #expect(try holds(story, 290))
        // What the timestamps had denied is made good, though nobody knows where it belongs.
        #expect(story.missing.reduce(0, +) == 7)
        #expect(next.isDisputed && next.attribution == .doubtful)
    }

    @Test func `a frame without a timestamp is on its way as long as those before it`() throws {
        var story = StreamStory()
        for place in 0..<20 {
            let truth = Double(place) * 10
            let timestamp = place == 19 ? Instant(nanoseconds: 0) : StreamStory.time(truth)
            story.frame(UInt32(place), at: truth + 33, raw: timestamp)
            #expect(try holds(story, truth), "frame \(place)")
        }
    }

    @Test func `a sequence that skips numbers takes no timestamp's time away`() throws {
        var story = StreamStory()
        story.frames(0..<20)
        let gap = story.frame(27, at: 200)
        #expect(gap.isDisputed && gap.doubt == nil)
        #expect(story.frame(28, at: 210).doubt == nil)
        #expect(try holds(story, 210))
    }

    @Test func `timestamps of an hour ago are no hour of missing frames`() throws {
        var story = StreamStory()
        story.frames(0..<20)
        #expect(story.frame(20, at: 200, timestamp: -3_600_000).missing == 0)
        #expect(try holds(story, 200))
        #expect(story.frame(21, at: 210).missing == 0)
        #expect(story.frame(22, at: 220).missing == 0)
    }

    @Test func `timestamps that step back for good tell distances, and no times`() throws {
        var story = StreamStory()
        story.frames(0..<20)
        for place in 20..<60 where place != 40 {
            let time = Double(place) * 10
            let gap = story.frame(
                UInt32(place - (place > 40 ? 1 : 0)), at: time, timestamp: time - 97)
            #expect(gap.doubt == .back)
            #expect(gap.missing == (place == 41 ? 1 : 0), "place \(place)")
            #expect(!gap.isDisputed)
            #expect(try holds(story, time))
        }
    }

    @Test(arguments: [[], [.timestampsAreAhead]] as [[CameraQuirk]])
    func `timestamps in the future tell distances, and no times`(_ quirks: [CameraQuirk]) throws {
        var story = StreamStory(quirks: quirks)
        for place in 0..<30 where place != 20 {
            let time = Double(place) * 10
            let gap = story.frame(
                UInt32(place - (place > 20 ? 1 : 0)), at: time, timestamp: time + 9)
            #expect(gap.doubt == .ahead)
            #expect(gap.unnumbered == (place == 21 ? 1 : 0))
            #expect(try holds(story, time))
        }
        #expect(story.quirks == [.timestampsAreAhead])
    }

    @Test func `timestamps at the end of what a number can hold are no crash`() {
        var story = StreamStory()
        for place in 0..<40 {
            let raw = Int64.max &- 200_000_000 &+ Int64(place) * 10_000_000
            let gap = story.frame(
                UInt32(place), at: Double(place) * 10, raw: Instant(nanoseconds: raw))
            #expect(gap.missing == 0)
            #expect(gap.doubt == (raw > 0 ? .ahead : .zero))
        }
    }

    @Test func `timestamps that stand still leave it to the sequence`() throws {
        var story = StreamStory()
        for place in 0..<20 where place != 12 {
            let gap = story.frame(UInt32(place), at: Double(place) * 10, timestamp: 0)
            #expect(gap.numbered == (place == 13 ? 1 : 0))
            #expect(try holds(story, Double(place) * 10))
        }
        #expect(story.quirks == [.timestampsAreStuck])
    }

    @Test func `neither numbers nor timestamps leave nobody to ask`() throws {
        var story = StreamStory(quirks: [.sequenceIsStuck, .timestampsAreZero])
        for place in 0..<10 {
            let gap = story.frame(0, at: Double(place) * 10, raw: Instant(nanoseconds: 0))
            #expect(gap.isUnverifiable == (place > 0))
            #expect(gap.missing == 0)
        }
    }
}
