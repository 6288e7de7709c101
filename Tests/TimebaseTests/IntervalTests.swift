import TestSupport
import Testing
import Timebase

struct IntervalTests {
    @Test(arguments: [
        (0, "0 s"), (1, "1 ns"), (999, "999 ns"), (1_000, "1 us"), (1_001, "1.001 us"),
        (250_000, "250 us"), (999_999, "999.999 us"), (1_000_000, "1 ms"),
        (8_333_333, "8.333333 ms"), (999_999_999, "999.999999 ms"), (1_000_000_000, "1 s"),
        (1_500_000_000, "1.5 s"), (3_600_000_000_000, "3600 s"), (-1, "-1 ns"),
        (-14_260, "-14.26 us"), (-1_000_000_001, "-1.000000001 s"),
        (Int64.max, "9223372036.854775807 s"), (Int64.min, "-9223372036.854775808 s"),
    ])
    func `a span is written in its largest unit, to the last nanosecond`(
        nanoseconds: Int64, text: String
    ) {
        #expect(Interval(nanoseconds: nanoseconds).description == text)
    }

    @Test func `reading a description back gives the very span`() throws {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<2_000 {
            let span = random.number(upTo: .max) * (Bool.random(using: &random) ? 1 : -1)
            let text = Interval(nanoseconds: span).description
            #expect(try Self.nanoseconds(text) == span, "\(text)")
        }
    }

    @Test func `units are factors of a thousand`() {
        #expect(Interval.microseconds(1) == Interval.nanoseconds(1_000))
        #expect(Interval.milliseconds(1) == Interval.microseconds(1_000))
        #expect(Interval.seconds(1) == Interval.milliseconds(1_000))
        #expect(Interval.seconds(-2).nanoseconds == -2_000_000_000)
    }

    @Test func `spans add, subtract, repeat and divide like whole numbers`() {
        var random = SeededGenerator(seed: 2)
        for _ in 0..<1_000 {
            let (a, b) = (random.number(upTo: 1 << 40), random.number(upTo: 1 << 40))
            let count = random.number(upTo: 1 << 20) + 1
            let (first, second) = (Interval(nanoseconds: a), Interval(nanoseconds: -b))
            #expect((first + second).nanoseconds == a - b)
            #expect((first - second).nanoseconds == a + b)
            #expect((first * count).nanoseconds == a * count)
            #expect((first * count) / count == first)
            #expect((first < second) == (a < -b))
            var sum = first
            sum += second
            #expect(sum == first + second)
        }
    }

    @Test func `a division is cut off towards zero`() {
        #expect(Interval.nanoseconds(7) / 2 == .nanoseconds(3))
        #expect(Interval.nanoseconds(-7) / 2 == .nanoseconds(-3))
    }

    @Test func `overflow stops the program instead of giving a wrong time`() async {
        await #expect(processExitsWith: .failure) {
            _ = Interval(nanoseconds: .max) + .nanoseconds(1)
        }
        await #expect(processExitsWith: .failure) { _ = Interval.seconds(9_300_000_000) }
    }

    @Test(arguments: [
        (0, 1_000, "0"), (12, 1, "12"), (1_995_300, 1_000_000, "1.9953"),
        (5, 10, "0.5"), (100, 1_000, "0.1"), (1, 1_000_000_000_000_000_000, "0.000000000000000001"),
        (UInt64.max, 1_000_000, "18446744073709.551615"),
    ])
    func `decimal text is exact and has no zeros behind`(value: UInt64, unit: UInt64, text: String)
    {
        #expect(decimalText(value, unit: unit) == text)
    }

    /// What a description says, by digits alone.
    private static func nanoseconds(_ text: String) throws -> Int64 {
        let words = text.split(separator: " ")
        let places = try #require(["s": 9, "ms": 6, "us": 3, "ns": 0][words[1]])
        let parts = words[0].drop { $0 == "-" }.split(separator: ".")
        let fraction = parts.count > 1 ? String(parts[1]) : ""
        #expect(fraction.last != "0")
        let digits = parts[0] + fraction + String(repeating: "0", count: places - fraction.count)
        return try #require(Int64((text.hasPrefix("-") ? "-" : "") + digits))
    }

    @Test(arguments: [
        (0, "0 ms"), (850_400_000, "850 ms"), (999_600_000, "1.0 s"), (12_340_000_000, "12.3 s"),
        (59_949_999_999, "59.9 s"), (59_950_000_000, "1 min 0 s"), (200_000_000_000, "3 min 20 s"),
        (3_599_600_000_000, "1 h 0 min"), (7_500_000_000_000, "2 h 5 min"),
        (9_999_990_100_000_000, "115 d 18 h"), (-12_340_000_000, "-12.3 s"),
        (Int64.max, "over 292 years"), (Int64.min, "-over 292 years"),
    ])
    func `a duration is rounded to what people say`(nanoseconds: Int64, text: String) {
        #expect(Interval(nanoseconds: nanoseconds).roundedText == text)
    }
}
