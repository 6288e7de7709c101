import ProvingGround
import TestSupport
import Testing

@testable import Timebase

struct ClockSegmentsTests {
    private typealias Segment = ClockSegment<Monotonic, DeviceClock>
    private typealias Knot = ClockKnot<Monotonic, DeviceClock>

    private static func knot(_ time: Int64, _ earliest: Int64, _ latest: Int64) -> Knot {
        Knot(
            at: Instant(nanoseconds: time), earliest: Instant(nanoseconds: earliest),
            latest: Instant(nanoseconds: latest))
    }

    @Test func `between knots both bounds are straight lines, rounded outwards`() throws {
        let segment = try #require(
            Segment(.steady, [Self.knot(0, 100, 110), Self.knot(3, 104, 111)]))
        // 100, 101⅓, 102⅔, 104 and 110, 110⅓, 110⅔, 111.
        let found = (0...3).map { segment.knot(at: Instant(nanoseconds: $0)) }
        #expect(
            found == [
                Self.knot(0, 100, 110), Self.knot(1, 101, 111), Self.knot(2, 102, 111),
                Self.knot(3, 104, 111),
            ])
        #expect(segment.knot(at: Instant(nanoseconds: 4)) == nil)
        #expect(segment.knot(at: Instant(nanoseconds: -1)) == nil)
    }

    @Test func `the middle of two instants reaches both, and its standard uncertainty is known`() {
        let even = BoundedInstant<Session>(
            earliest: Instant(nanoseconds: -4), latest: Instant(nanoseconds: 6))
        #expect(even == BoundedInstant(Instant(nanoseconds: 1), halfWidth: .nanoseconds(5)))
        let odd = BoundedInstant<Session>(
            earliest: Instant(nanoseconds: 0), latest: Instant(nanoseconds: 5))
        #expect(odd == BoundedInstant(Instant(nanoseconds: 2), halfWidth: .nanoseconds(3)))
        // GUM 4.3.7: a / √3; 1000 / 1.7320508 = 577.35.
        let known = BoundedInstant<Session>(Instant(nanoseconds: 0), halfWidth: .microseconds(1))
        #expect(known.standardUncertainty == .nanoseconds(578))
        let whole = BoundedInstant<Session>(
            earliest: Instant(nanoseconds: .min), latest: Instant(nanoseconds: .max))
        #expect(whole.halfWidth == .nanoseconds(.max))
    }

    @Test func `segments that are no function of time are refused`() {
        #expect(Segment(.steady, []) == nil)
        #expect(Segment(.steady, [Self.knot(1, 0, 0), Self.knot(1, 0, 0)]) == nil)
        #expect(Segment(.steady, [Self.knot(.max, 0, 0)]) == nil)
        let segments = [Segment(.steady, [Self.knot(0, 0, 0), Self.knot(9, 9, 9)])].compactMap {
            $0
        }
        #expect(ClockSegments(segments + segments) == nil)
        #expect(ClockSegments<Monotonic, DeviceClock>([])?.convert(Instant(nanoseconds: 0)) == nil)
    }

    @Test func `the mean rate of a segment lies between its extremes`() throws {
        let segment = try #require(
            Segment(
                .steady,
                [
                    Self.knot(0, 0, 100),
                    Self.knot(1_000_000_000, 1_000_050_000, 1_000_050_100),
                ]))
        #expect(
            segment.rate == .partsPerBillion(49_900)...(.partsPerBillion(50_100)))
        #expect("\(ClockRate.partsPerBillion(-12_500))" == "-12.5 ppm")
    }

    @Test func `rates are rounded outwards, and a break has none`() throws {
        // One nanosecond of three less, and one more.
        let knots = [Self.knot(0, 0, 0), Self.knot(3, 2, 4)]
        let rate = try #require(Segment(.steady, knots)?.rate)
        #expect(rate.lowerBound.excessFemto == -333_333_333_333_334)
        #expect(rate.upperBound.excessFemto == 333_333_333_333_334)
        let isBreak = try #require(Segment(.transition, knots))
        #expect(isBreak.rate == nil)
    }

    @Test func `a clock that was set back shows a time twice, and both are told`() throws {
        let relation = try #require(
            ClockSegments(
                [
                    Segment(.steady, [Self.knot(0, 1_000, 1_000), Self.knot(100, 1_100, 1_100)]),
                    Segment(
                        .transition, [Self.knot(100, 1_050, 1_100), Self.knot(110, 1_060, 1_110)]),
                    Segment(.steady, [Self.knot(110, 1_060, 1_060), Self.knot(200, 1_150, 1_150)]),
                ].compactMap { $0 }))
        func showing(_ reading: Int64, _ times: ClosedRange<Int64>) -> ClosedRange<Int64>? {
            let reading = Instant<DeviceClock>(nanoseconds: reading)
            let first = Instant<Monotonic>(nanoseconds: times.lowerBound)
            return relation.convertBack(
                reading...reading, within: first...Instant(nanoseconds: times.upperBound)
            ).map { $0.lowerBound.nanoseconds...$0.upperBound.nanoseconds }
        }
        // One nanosecond more on either side.
        #expect(showing(1_080, 0...200) == 79...131)
        #expect(showing(1_080, 0...100) == 79...100)
        #expect(showing(1_080, 120...200) == 129...131)
        #expect(showing(1_080, 85...99) == nil)
        #expect(showing(1_080, 300...400) == nil)
        #expect(showing(2_000, 0...200) == nil)
        // A time that is itself known to 20 ns may lie on either side of the break.
        let across = try #require(
            relation.convert(
                BoundedInstant(Instant(nanoseconds: 105), halfWidth: .nanoseconds(20))))
        #expect(across.instant - across.halfWidth <= Instant(nanoseconds: 1_050))
        #expect(across.instant + across.halfWidth >= Instant(nanoseconds: 1_110))
        #expect(relation.breaks.count == 1)
    }

    @Test func `what is said of times far from any reading does not blur those near them`() throws {
        let second: Int64 = 1_000_000_000
        // Eleven seconds of readings, three minutes of none, eleven seconds again.
        let readings = try [0...10, 190...200].joined().map { (count: Int64) in
            let now = Instant<Monotonic>(nanoseconds: count * second)
            return try #require(
                ClockReading<Monotonic, DeviceClock>(
                    before: now, reading: Instant(nanoseconds: now.nanoseconds + 100),
                    after: now + .nanoseconds(200)))
        }
        let relation = ClockFit(readings, behaviour: .freeQuartz).relation(
            covering: Instant(nanoseconds: -60 * second)...Instant(nanoseconds: 260 * second))
        for tenths in [0, 5, 55, 95, 100, 1_900, 1_905, 1_955, 1_995, 2_000] as [Int64] {
            let time = Instant<Monotonic>(nanoseconds: tenths * second / 10)
            let found = try #require(relation.convert(time))
            #expect(found.halfWidth < .nanoseconds(200), "\(tenths)")
            #expect(abs(found.instant.nanoseconds - time.nanoseconds) <= 200)
        }
        #expect(relation.convert(Instant(nanoseconds: -60 * second)) != nil)
        #expect(relation.convert(Instant(nanoseconds: 260 * second)) != nil)
    }

    @Test func `there and back again holds the start`() throws {
        var random = SeededGenerator(seed: 12)
        for seed in 0..<6 {
            var pair = SimulatedClockPair(seed: UInt64(seed), seconds: 40)
            var readings: [ClockReading<Monotonic, DeviceClock>] = []
            for second: Int64 in 0..<40 {
                for look in pair.burst(of: 2, at: pair.beginning + second * 1_000_000_000) {
                    readings.append(
                        try #require(
                            ClockReading<Monotonic, DeviceClock>(
                                before: Instant(nanoseconds: look.before),
                                reading: Instant(nanoseconds: look.reading),
                                after: Instant(nanoseconds: look.after),
                                resolution: .nanoseconds(pair.resolution))))
                }
            }
            let relation = ClockFit(readings.shuffled(using: &random), behaviour: .steered)
                .relation()
            #expect(relation == ClockFit(readings, behaviour: .steered).relation())
            for _ in 0..<200 {
                let start = Instant<Monotonic>(
                    nanoseconds: pair.beginning + random.number(1_000_000...39_000_000_000))
                let there = try #require(relation.convert(start))
                let before = Interval.microseconds(random.number(0...3_000_000))
                let after = Interval.microseconds(random.number(0...3_000_000))
                for end in [-1, 0, 1] as [Int64] {
                    let shown = there.instant + there.halfWidth * end
                    let back = relation.convertBack(
                        shown...shown, within: start - before...start + after)
                    #expect(back?.contains(start) ?? (end != 0))
                    let anywhere = try #require(
                        relation.convertBack(
                            shown...shown, within: .distantPast...(.distantFuture)))
                    // But for the rounding of bounds at the ends of what was asked.
                    let rounded =
                        anywhere.lowerBound - .nanoseconds(3)...anywhere.upperBound
                        + .nanoseconds(3)
                    #expect(back.map { rounded.contains($0) } ?? true)
                }
            }
        }
    }
}
