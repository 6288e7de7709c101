import TestSupport
import Testing
import Timebase

struct FrameRateTests {
    @Test func `a rate is kept in lowest terms`() throws {
        let rate = try #require(FrameRate(frames: 60_000, seconds: 2_002))
        #expect(rate.frames == 30_000)
        #expect(rate.seconds == 1_001)
        #expect(rate == FrameRate(frames: 30_000, seconds: 1_001))
        #expect(rate.description == "30000/1001 fps")
        #expect(FrameRate(frames: 120, seconds: 4)?.description == "30 fps")
    }

    @Test(arguments: [
        (0, 1), (1, 0), (-30, 1), (30, -1), (1_000_000_001, 1), (1, 1_000_000_001),
        (Int64.max, Int64.max), (Int64.min, Int64.min),
    ])
    func `what is no rate is refused`(frames: Int64, seconds: Int64) {
        #expect(FrameRate(frames: frames, seconds: seconds) == nil)
    }

    @Test func `29,97 frames a second come exactly so often`() throws {
        let rate = try #require(FrameRate(frames: 30_000, seconds: 1_001))
        #expect(rate.period == .nanoseconds(33_366_667))
        #expect(rate.duration(ofFrames: 30_000) == .seconds(1_001))
        // A day, where a sum of rounded periods would be 0.86 ms off.
        #expect(rate.duration(ofFrames: 2_592_000).nanoseconds == 86_486_400_000_000)
        #expect((rate.period * 2_592_000).nanoseconds == 86_486_400_864_000)
    }

    @Test func `half a nanosecond goes up`() throws {
        // 1/1024 s is 976,562.5 ns.
        let rate = try #require(FrameRate(frames: 1_024))
        #expect(
            (1...3).map { rate.duration(ofFrames: $0).nanoseconds } == [
                976_563, 1_953_125, 2_929_688,
            ])
    }

    @Test func `frame n lies within half a nanosecond of n periods`() throws {
        var random = SeededGenerator(seed: 4)
        for _ in 0..<2_000 {
            let frames = random.number(upTo: 999_999_999) + 1
            let seconds = random.number(upTo: 999_999_999) + 1
            let rate = try #require(FrameRate(frames: frames, seconds: seconds))
            let count = random.number(upTo: 9_000_000_000 * frames / seconds)
            let found = Int128(rate.duration(ofFrames: count).nanoseconds)
            // In half nanoseconds times frames: |found − count·seconds·1e9 / frames| ≤ ½.
            let error =
                2 * (found * Int128(frames) - Int128(count) * Int128(seconds) * 1_000_000_000)
            #expect(error.magnitude <= UInt128(frames), "\(rate), \(count) frames")
        }
    }

    @Test func `the extreme rates still have a period`() {
        #expect(FrameRate(frames: 1_000_000_000)?.period == .nanoseconds(1))
        #expect(FrameRate(frames: 1, seconds: 1_000_000_000)?.period == .seconds(1_000_000_000))
    }

    @Test func `rates are ordered by frequency`() throws {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<1_000 {
            let numbers = (0..<4).map { _ in random.number(upTo: 999_999_999) + 1 }
            let a = try #require(FrameRate(frames: numbers[0], seconds: numbers[1]))
            let b = try #require(FrameRate(frames: numbers[2], seconds: numbers[3]))
            let (left, right) = (
                Int128(numbers[0]) * Int128(numbers[3]), Int128(numbers[2]) * Int128(numbers[1])
            )
            #expect((a < b) == (left < right))
            #expect((a == b) == (left == right))
        }
    }
}
