import TestSupport
import Testing

@testable import Reports

struct LogHistogramTests {
    /// Numbers of every size, some of them negative.
    private static func numbers(_ seed: UInt64, count: Int) -> [Int64] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { _ in
            let bits = Int.random(in: 0...59, using: &random)
            let magnitude = Int64.random(in: 0...(1 << Int64(bits)), using: &random)
            return Bool.random(using: &random) ? magnitude : -magnitude
        }
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `every number is in the bucket that says so`(seed: UInt64) {
        let numbers = Self.numbers(seed, count: 500)
        var histogram = LogHistogram()
        for number in numbers { histogram.add(number) }
        #expect(histogram.count == 500)
        #expect(histogram.minimum == numbers.min())
        #expect(histogram.maximum == numbers.max())
        for bucket in histogram.buckets {
            let inside = numbers.count { $0 >= bucket.lower && $0 - bucket.lower < bucket.width }
            #expect(UInt64(inside) == bucket.count, "\(bucket)")
            let least = min(bucket.lower.magnitude, (bucket.lower + bucket.width).magnitude)
            #expect(bucket.width == 1 || UInt64(bucket.width) <= least / 1_000)
        }
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `a quantile is at most a thousandth below the number of that rank`(seed: UInt64) throws {
        let numbers = Self.numbers(seed, count: 333).sorted()
        var histogram = LogHistogram()
        for number in numbers { histogram.add(number) }
        for permille in [1, 10, 250, 500, 990, 1_000] as [Int64] {
            let rank = max(1, Int((333 * permille + 999) / 1_000))
            let truth = numbers[rank - 1]
            let found = try #require(histogram.quantile(permille: permille))
            #expect(found <= truth)
            #expect((truth - found).magnitude <= truth.magnitude / 1_000 + 1)
        }
    }

    @Test(arguments: 1...30 as ClosedRange<UInt64>)
    func `bars count every number once, exactly`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let centre = Int64.random(in: -40_000_000...40_000_000, using: &random)
        let spread = Int64.random(in: 0...3_000_000, using: &random)
        let numbers = (0..<400).map { _ in
            centre + Int64.random(in: -spread...spread, using: &random)
        }
        var histogram = LogHistogram()
        for number in numbers { histogram.add(number) }
        let bars = try #require(histogram.bars(limit: 40))
        #expect(bars.counts.count <= 40)
        for (index, count) in bars.counts.enumerated() {
            let low = bars.start + Int64(index) * bars.width
            #expect(numbers.count { $0 >= low && $0 < low + bars.width } == Int(count))
        }
        #expect(bars.counts.reduce(bars.below + bars.above, +) == 400)
    }

    @Test func `an outlier does not take the room of the others`() throws {
        var histogram = LogHistogram()
        for number in 0..<1_000 as Range<Int64> { histogram.add(number % 10) }
        histogram.add(10_000_000_000)
        let bars = try #require(histogram.bars(limit: 40))
        #expect(bars.counts == Array(repeating: 100, count: 10))
        #expect(bars.width == 1 && bars.above == 1 && bars.below == 0)
    }

    @Test func `numbers that are beyond all measure count as the largest`() {
        var histogram = LogHistogram()
        histogram.add(.max)
        histogram.add(.min)
        #expect(histogram.count == 2 && histogram.buckets.count == 2)
        #expect(histogram.maximum == 1 << 60 && histogram.minimum == -(1 << 60))
        #expect(histogram.bars(limit: 40)?.counts.reduce(0, +) == 2)
    }
}
