import TestSupport
import Testing

@testable import Records

/// What a fit of a run of any length keeps of it.
struct ThinnedTests {
    @Test func `few constraints are all kept, in their order`() {
        var thinned = Thinned<Int>(of: 1_000)
        for index in 0..<1_000 { thinned.add(index, ceiling: 0, floor: 0) }
        #expect(thinned.elements() == Array(0..<1_000))
    }

    @Test(arguments: [32_768, 32_769, 100_000, 1_000_000])
    func `of many the tightest of each stretch are kept, and never more than memory has room for`(
        count: Int64
    ) {
        var random = SeededGenerator(seed: 5)
        var thinned = Thinned<Int64>(of: count)
        var (lowest, highest): (Int64, Int64) = (.max, .min)
        var (lowestPlace, highestPlace): (Int64, Int64) = (0, 0)
        for index in 0..<count {
            let (ceiling, floor) = (random.number(0...1 << 40), random.number(-(1 << 40)...0))
            thinned.add(index, ceiling: ceiling, floor: floor)
            if ceiling < lowest { (lowest, lowestPlace) = (ceiling, index) }
            if floor > highest { (highest, highestPlace) = (floor, index) }
        }
        let kept = thinned.elements()
        #expect(kept.count <= 65_536)
        #expect(Int64(kept.count) >= min(count, 32_768))
        #expect(zip(kept, kept.dropFirst()).allSatisfy { $0 < $1 })
        #expect(kept.contains(lowestPlace) && kept.contains(highestPlace))
    }

    @Test func `a median of many numbers is that of an even part of them`() throws {
        var sampled = Sampled()
        #expect(sampled.median == nil)
        for number: Int64 in 0..<1_000_000 { sampled.add(number) }
        #expect(sampled.count == 1_000_000)
        let median = try #require(sampled.median)
        #expect((499_900...500_100).contains(median))
        var few = Sampled()
        for number: Int64 in [5, 1, 9] { few.add(number) }
        #expect(few.median == 5)
    }
}
