import Testing
import Timebase

@testable import Devices
@testable import Tracking

/// Drivers whose sequence numbers do not count frames.
struct LyingSequenceTests {
    @Test(arguments: [0, 77, UInt32.max - 4] as [UInt32])
    func `a sequence may begin anywhere and wrap`(_ first: UInt32) {
        var story = StreamStory()
        story.frames(0..<10, from: first)
        let gap = story.frame(first &+ 13, at: 130)
        #expect(story.missing.dropLast().allSatisfy { $0 == 0 })
        #expect(gap.numbered == 3)
        #expect(gap.fewestBySpacing == 3)
        #expect(story.quirks == [])
    }

    @Test func `gaps up to the largest one are believed`() {
        for (step, isJump): (UInt32, Bool) in [
            (StreamClock.largestGap, false), (StreamClock.largestGap + 1, true), (0, true),
            (.max, true), (.max / 2, true),
        ] {
            var clock = StreamClock(model: StreamStory.exact, nominalPeriod: nil)
            _ = clock.advance(
                to: FrameArrival(
                    sequence: 77, timestamp: StreamStory.time(0), takenAt: StreamStory.time(2)))
            let gap = clock.advance(
                to: FrameArrival(
                    sequence: 77 &+ step, timestamp: StreamStory.time(50),
                    takenAt: StreamStory.time(52)))
            #expect(gap.isJump == isJump)
            #expect(gap.numbered == (isJump ? 0 : Int64(step) - 1))
            #expect(gap.isUnverifiable == isJump)
        }
    }

    @Test func `half a frame is no frame where fields are counted`() {
        var story = StreamStory(quirks: [.sequenceCountsFields])
        for place in 0..<10 { story.frame(UInt32(2 * place), at: Double(place) * 10) }
        let gap = story.frame(21, at: 100)
        #expect(gap.isJump && gap.bySequence == nil)
        #expect(story.frame(23, at: 110).bySequence == 0)
    }

    @Test
    func `a number that stood still is believed again once it counts, and not once it changes`() {
        var story = StreamStory()
        for place in 0..<6 { story.frame(7, at: Double(place) * 10) }
        #expect(story.quirks == [.sequenceIsStuck])
        let wild = (6..<40).map { story.frame(UInt32(7 * $0), at: Double($0) * 10).bySequence }
        #expect(wild.allSatisfy { $0 == nil })
        let counting = (40..<60).map {
            story.frame(UInt32(240 + $0), at: Double($0) * 10).bySequence
        }
        #expect(counting.last == 0)
    }

    @Test(arguments: [(500, 0), (530, 3)] as [(Double, Int64)])
    func `at a reset the timestamps say what is missing`(_ time: Double, _ missing: Int64) {
        var story = StreamStory()
        story.frames(0..<50, from: 9_000)
        let gap = story.frame(0, at: time)
        #expect(gap.isJump)
        #expect(gap.unnumbered == missing)
        #expect(gap.attribution == .unknown)
        #expect(!gap.isDisputed && !gap.isUnverifiable && !gap.breaksCount)
        #expect(story.quirks == [.sequenceResets])
        #expect(story.frame(1, at: time + 10).missing == 0)
    }

    @Test func `a jump that could be a gap is disputed where there was no time for it`() {
        var story = StreamStory()
        story.frames(0..<10)
        let gap = story.frame(110, at: 100)
        #expect(gap.missing == 0)
        #expect(gap.bySequence == 100)
        #expect(gap.mostBySpacing == 0)
        #expect(gap.isDisputed && gap.breaksCount)
    }

    @Test func `a profile that knows of resets believes the timestamps`() {
        var story = StreamStory(quirks: [.sequenceResets])
        story.frames(0..<10)
        let gap = story.frame(110, at: 110)
        #expect(gap.unnumbered == 1)
        #expect(!gap.isDisputed)
    }

    @Test(arguments: [[], [.sequenceIsStuck]] as [[CameraQuirk]])
    func `a sequence that stands still leaves it to the timestamps`(_ quirks: [CameraQuirk]) {
        var story = StreamStory(quirks: quirks)
        for place in 0..<30 where place != 20 { story.frame(0, at: Double(place) * 10) }
        #expect(story.missing.reduce(0, +) == 1)
        #expect(story.gaps[20].unnumbered == 1)
        #expect(story.gaps[20].attribution == .unknown)
        #expect(story.gaps.allSatisfy { !$0.isDisputed })
        // The first interval confirms what was promised; from then on timestamps are enough.
        #expect(story.gaps.allSatisfy { !$0.isUnverifiable })
        #expect(story.gaps.count { $0.isJump } == (quirks.isEmpty ? 3 : 0))
        #expect(story.quirks == [.sequenceIsStuck])
    }

    @Test func `a sequence that counts again is listened to again`() {
        var story = StreamStory()
        for place in 0..<10 { story.frame(5, at: Double(place) * 10) }
        for place in 10..<40 { story.frame(UInt32(place), at: Double(place) * 10) }
        #expect(story.frame(42, at: 420).numbered == 2)
    }

    @Test(arguments: [[], [.sequenceCountsFields]] as [[CameraQuirk]])
    func `a sequence that counts fields is halved`(_ quirks: [CameraQuirk]) {
        var story = StreamStory(quirks: quirks)
        for place in 0..<30 where place != 20 {
            story.frame(UInt32(place * 2), at: Double(place) * 10)
        }
        #expect(story.missing.reduce(0, +) == 1)
        #expect(story.gaps[20].numbered == 1)
        #expect(story.gaps.count { $0.isDisputed } == (quirks.isEmpty ? 4 : 0))
        #expect(story.quirks == [.sequenceCountsFields])
    }

    @Test func `a frame that comes twice is no frame`() {
        var story = StreamStory()
        story.frames(0..<5)
        let again = story.frame(4, at: 45, timestamp: 40)
        #expect(again.isRepeated && !again.isDisputed)
        #expect(story.frame(5, at: 50).missing == 0)
        #expect(story.quirks == [.framesAreRepeated])
    }

    @Test
    func `where neither number nor timestamp moves, frames are taken and nobody confirms for them`()
    {
        var story = StreamStory()
        for place in 0..<20 { story.frame(7, at: Double(place) * 10, timestamp: 5) }
        #expect(story.gaps.count { $0.isRepeated } == 3)
        #expect(story.gaps.suffix(10).allSatisfy { $0.isUnverifiable && $0.missing == 0 })
        #expect(story.quirks.contains(.sequenceIsStuck))
    }
}
