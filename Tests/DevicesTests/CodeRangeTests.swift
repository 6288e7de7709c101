import TestSupport
import Testing

@testable import Devices

struct CodeRangeTests {
    /// The nearest of all codes, found by looking at every one; nil outside the codes.
    private static func naive(_ range: CodeRange, _ numerator: Int64, _ denominator: Int64)
        -> Int64?
    {
        let codes = Array(stride(from: range.minimum, through: range.maximum, by: Int(range.step)))
        guard let first = codes.first, let last = codes.last,
            numerator >= first * denominator, numerator <= last * denominator
        else { return nil }
        // Half goes up: of two that are equally near, the later one wins.
        return codes.min {
            let (a, b) = (
                ($0 * denominator - numerator).magnitude, ($1 * denominator - numerator).magnitude
            )
            return a == b ? $0 > $1 : a < b
        }
    }

    @Test func `the nearest code is the nearest, for every small range and request`() {
        for minimum: Int64 in -3...3 {
            for length: Int64 in 0...9 {
                for step: Int64 in 1...6 {
                    let range = CodeRange(minimum, minimum + length, step: step)
                    for code in (minimum - 3)...(minimum + length + 3) {
                        #expect(
                            range.nearest(code) == Self.naive(range, code, 1), "\(range) \(code)")
                    }
                }
            }
        }
    }

    @Test func `a fraction is rounded once, not first to a code and then to a step`() {
        // 1.5 is nearer to 0 than to 4, though 1.5 rounds to 2 and 2 lies half-way.
        #expect(CodeRange(0, 8, step: 4).nearest(3, over: 2) == 0)
        var random = SeededGenerator(seed: 7)
        for _ in 0..<5_000 {
            let minimum = random.number(-50...50)
            let range = CodeRange(
                minimum, minimum + random.number(0...60), step: random.number(1...9))
            let denominator = random.number(1...12)
            let numerator = random.number(-900...1_300)
            #expect(
                range.nearest(Int128(numerator), over: Int128(denominator))
                    == Self.naive(range, numerator, denominator),
                "\(range) \(numerator)/\(denominator)")
        }
    }

    @Test func `a maximum between two steps counts as the last step before it`() {
        #expect(CodeRange(0, 11, step: 4).maximum == 8)
        #expect(CodeRange(0, 11, step: 4).nearest(9) == nil)
        #expect(CodeRange(3, 3, step: 100).nearest(3) == 3)
        #expect(CodeRange(-7, -1, step: 2).nearest(-2) == -1)
    }

    @Test func `the widest range of whole numbers is no trap`() {
        let range = CodeRange(.min, .max)
        #expect(range.nearest(.min) == .min)
        #expect(range.nearest(0) == 0)
        #expect(range.nearest(.max) == .max)
        #expect(CodeRange(.min, .max, step: .max).nearest(1) == -1)
    }

    @Test func `a range that goes downwards is our mistake`() async {
        await #expect(processExitsWith: .failure) { _ = CodeRange(2, 1) }
        await #expect(processExitsWith: .failure) { _ = CodeRange(1, 2, step: 0) }
    }
}
