import TestSupport
import Testing
import Timebase

struct ClockResolutionTests {
    /// What boards count at, a slow PC's timer, and a counter without an error of rounding.
    private static let rates: [Int64] = [54_000_000, 24_000_000, 19_200_000, 3_579_545, 1_000_000]

    /// Readings of a counter: what it has fully counted, cut off to nanoseconds.
    private struct Counter {
        let rate: Int64
        /// How long a reading takes.
        let pace: ClosedRange<Int64>
        var time: Int64 = 1_000_000_000_000
        var random: SeededGenerator

        mutating func read() -> Int64 {
            time += random.number(pace)
            let count = Int128(time) * Int128(rate) / 1_000_000_000
            return Int64(count * 1_000_000_000 / Int128(rate))
        }
    }

    @Test(
        arguments: [
            (54_000_000, 20), (24_000_000, 43), (19_200_000, 54), (1_000_000_000, 1),
            (1, 1_000_000_000),
            (3_000_000_000, 1),
        ] as [(Int64, Int64)])
    func `a counter's resolution is a count, and what readings cut off`(rate: Int64, step: Int64) {
        #expect(ClockResolution(countsPerSecond: rate).step == .nanoseconds(step))
    }

    @Test(arguments: rates, [20...60, 70...300, 900...4_000] as [ClosedRange<Int64>])
    func `a counter is measured, however slowly it is read`(
        rate: Int64, pace: ClosedRange<Int64>
    ) throws {
        for seed in 0..<10 as Range<UInt64> {
            var counter = Counter(rate: rate, pace: pace, random: SeededGenerator(seed: seed))
            let found = try #require(ClockResolution.measured { counter.read() }).step
            let truth = ClockResolution(countsPerSecond: rate).step
            // Never finer than it is, or bounds would not hold; a quick reader is told to some nanoseconds.
            #expect(found >= truth, "\(rate) Hz, seed \(seed)")
            if pace.lowerBound < truth.nanoseconds * 4 {
                #expect(found <= truth + .nanoseconds(4), "\(rate) Hz, seed \(seed)")
            }
        }
    }

    @Test func `a clock that counts nanoseconds is not taken for one that is slow to read`() throws
    {
        var counter = Counter(rate: 1_000_000_000, pace: 21...45, random: SeededGenerator(seed: 1))
        let found = try #require(ClockResolution.measured { counter.read() })
        #expect(found.step <= .nanoseconds(6))
    }

    @Test func `a clock that stands still tells nothing`() {
        #expect(ClockResolution.measured { 7 } == nil)
        #expect(ClockResolution(betweenReadings: []) == nil)
        #expect(ClockResolution(betweenReadings: [0, -3]) == nil)
    }

    @Test func `two readings of one step are no second step`() {
        // 54 MHz: 18.5 ns a step, so that one looks like 18 or 19.
        #expect(ClockResolution(betweenReadings: [18, 19])?.step == .nanoseconds(20))
        #expect(ClockResolution(betweenReadings: [37, 55, 56])?.step == .nanoseconds(21))
        #expect(ClockResolution(betweenReadings: [37, 38])?.step == .nanoseconds(39))
    }

    @Test func `less than a nanosecond counts as one, and adds nothing to a bound`() {
        #expect(ClockResolution(.zero) == .nanosecond)
        #expect(ClockResolution.nanosecond.excess == .zero)
        #expect(ClockResolution(.nanoseconds(19)).excess == .nanoseconds(18))
    }

    @Test(arguments: rates)
    func `sandwiches of clocks that advance in steps hold the truth`(rate: Int64) {
        let resolution = ClockResolution(countsPerSecond: rate)
        var random = SeededGenerator(seed: 9)
        func shown(_ time: Int64) -> Int64 {
            Int64(Int128(time) * Int128(rate) / 1_000_000_000 * 1_000_000_000 / Int128(rate))
        }
        for _ in 0..<2_000 {
            let offset = random.number(upTo: 1 << 50)
            let start = random.number(upTo: 1 << 50)
            let (first, second) = (random.number(upTo: 200), random.number(upTo: 200))
            // The other clock has a counter of its own, in steps of the same length.
            let relation = ClockRelation<Monotonic, Realtime>(
                before: Instant(nanoseconds: shown(start)),
                reading: Instant(nanoseconds: shown(start + first + offset)),
                after: Instant(nanoseconds: shown(start + first + second)), resolution: resolution)
            let error = (relation.offset.nanoseconds - offset).magnitude
            #expect(error <= relation.halfWidth.nanoseconds.magnitude)
        }
    }
}
