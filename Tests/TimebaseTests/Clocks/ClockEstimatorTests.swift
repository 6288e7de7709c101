import ProvingGround
import TestSupport
import Testing

@testable import Timebase

struct ClockEstimatorTests {
    private typealias Estimator = ClockEstimator<Monotonic, DeviceClock>
    private typealias Reading = ClockReading<Monotonic, DeviceClock>

    private static func reading(_ before: Int64, _ shown: Int64, _ after: Int64) throws -> Reading {
        try #require(
            Reading(
                before: Instant(nanoseconds: before), reading: Instant(nanoseconds: shown),
                after: Instant(nanoseconds: after)))
    }

    @Test func `of two readings of one oscillator each bounds what the other leaves open`() throws {
        var estimator = Estimator(.sameOscillator)
        // The difference is 89 to 101 by the first, and 91 to 99 by the second.
        #expect(estimator.add(try Self.reading(0, 100, 10)) == .fits)
        #expect(estimator.add(try Self.reading(20, 118, 26)) == .fits)
        let found = try #require(estimator.convert(Instant(nanoseconds: 1_000)))
        #expect(found.instant == Instant(nanoseconds: 1_095))
        #expect(found.halfWidth == .nanoseconds(4))
        #expect(estimator.rate == ClockRate(excessFemto: 0)...ClockRate(excessFemto: 0))
        #expect(estimator.readings == 2)
    }

    @Test func `a step is noticed by the first reading that contradicts, with its bounds`() throws {
        var estimator = Estimator(.sameOscillator)
        _ = estimator.add(try Self.reading(0, 100, 10))
        _ = estimator.add(try Self.reading(20, 118, 26))
        // From now on the difference is 995 to 1001, so it jumped by 896 to 910.
        guard case .broke(let found) = estimator.add(try Self.reading(40, 1_040, 44)) else {
            Issue.record("a jump of 900 ns does not fit into 8 ns")
            return
        }
        #expect(found.previous == Instant(nanoseconds: 27))
        #expect(found.noticed == Instant(nanoseconds: 45))
        #expect(found.least == .nanoseconds(896))
        #expect(found.greatest == .nanoseconds(910))
        // Before it, after it, and in between what either side says.
        #expect(estimator.convert(Instant(nanoseconds: 27))?.instant.nanoseconds == 122)
        #expect(estimator.convert(Instant(nanoseconds: 50))?.instant.nanoseconds == 1_048)
        let between = try #require(estimator.convert(Instant(nanoseconds: 36)))
        #expect(between.instant - between.halfWidth == Instant(nanoseconds: 36 + 91))
        #expect(between.instant + between.halfWidth == Instant(nanoseconds: 36 + 1_001))
        #expect(estimator.relation.segments.map(\.kind) == [.steady, .transition, .steady])
    }

    @Test func `two readings a second apart bound the rate, and with it the time after them`()
        throws
    {
        var estimator = Estimator(
            ClockBehaviour(rateLimit: .partsPerBillion(100_000), wanderFemtoPerSecond: 0))
        _ = estimator.add(try Self.reading(0, 0, 9))
        _ = estimator.add(try Self.reading(1_000_000_000, 1_000_020_000, 1_000_000_009))
        // 20 µs in a second, give or take the two widths of 11 ns.
        let rate = try #require(estimator.rate)
        #expect(rate.contains(.partsPerBillion(20_000)))
        #expect(rate.lowerBound > .partsPerBillion(19_985))
        #expect(rate.upperBound < .partsPerBillion(20_015))
        // A second later the difference is 40 µs less the middle of a sandwich, known three times as badly.
        let found = try #require(estimator.convert(Instant(nanoseconds: 2_000_000_000)))
        #expect(abs(found.instant.nanoseconds - 2_000_039_995) <= 1)
        #expect((16...20).contains(found.halfWidth.nanoseconds))
    }

    @Test func `timestamps that are only late bound one side, and a longest delay the other`()
        throws
    {
        var estimator = ClockEstimator<DeviceClock, Monotonic>(.freeQuartz)
        for (timestamp, delay): (Int64, Int64) in [(0, 900), (1_000, 30), (2_000, 400)] {
            let arrival = Instant<Monotonic>(nanoseconds: timestamp + 5_000 + delay)
            let reading = try #require(
                ClockReading(
                    timestamp: Instant<DeviceClock>(nanoseconds: timestamp), arrival: arrival))
            #expect(estimator.add(reading) == .fits)
        }
        #expect(estimator.convert(Instant(nanoseconds: 1_500)) == nil)
        let limits = estimator.limits(at: Instant(nanoseconds: 1_500))
        #expect(limits.earliest == nil)
        // 30 ns and one of rounding late at 1,000, and wander and rate add less than one more each.
        #expect((6_531...6_533).contains(try #require(limits.latest).nanoseconds))
        let reading = try #require(
            ClockReading(
                timestamp: Instant<DeviceClock>(nanoseconds: 3_000),
                arrival: Instant<Monotonic>(nanoseconds: 8_100), longestDelay: .nanoseconds(200)))
        _ = estimator.add(reading)
        #expect(estimator.convert(Instant(nanoseconds: 3_000)) != nil)
    }

    @Test func `readings come in the order of time, and of one time as they were made`() throws {
        var estimator = Estimator(.sameOscillator)
        #expect(estimator.add(Reading(ceiling: nil, floor: nil)) == .unusable)
        #expect(estimator.add(try Self.reading(100, 0, 110)) == .fits)
        #expect(estimator.add(try Self.reading(90, -10, 95)) == .unusable)
        #expect(estimator.add(try Self.reading(100, 2, 110)) == .fits)
        #expect(estimator.readings == 2)
        // Of two of one time the tighter on each side counts: −98 − 11 … −99.
        let found = try #require(estimator.convert(Instant(nanoseconds: 0)))
        #expect(found.instant.nanoseconds - found.halfWidth.nanoseconds == 2 - 111)
        #expect(found.instant.nanoseconds + found.halfWidth.nanoseconds == 1 - 100)
    }

    @Test func `no numbers make it trap`() {
        var proof = ClockNumbersProof()
        let complaints = proof.run(cases: 0..<100)
        #expect(complaints == [])
    }

    @Test func `a long run has as few knots as a short one, and its relation holds the truth`()
        throws
    {
        var pair = SimulatedClockPair(seed: 4, seconds: 900, isQuiet: true)
        var estimator = Estimator(.freeQuartz, knots: 32)
        for second in 0..<900 {
            for look in pair.burst(of: 2, at: pair.beginning + Int64(second) * 1_000_000_000) {
                _ = estimator.add(
                    try #require(
                        Reading(
                            before: Instant(nanoseconds: look.before),
                            reading: Instant(nanoseconds: look.reading),
                            after: Instant(nanoseconds: look.after),
                            resolution: .nanoseconds(pair.resolution))))
            }
        }
        let relation = estimator.relation
        #expect(relation.segments.count == 1)
        #expect(relation.segments[0].knots.count <= 33)
        for tenth in 1..<8_990 {
            let time = pair.beginning + Int64(tenth) * 100_000_000
            let found = try #require(relation.convert(Instant(nanoseconds: time)))
            #expect(
                (found.instant.nanoseconds - pair.truth(at: time).nanoseconds).magnitude
                    <= found.halfWidth.nanoseconds.magnitude)
        }
    }

    /// A clock that uses all that its behaviour allows: `f(t) = t ± w/2·t²`, and a jump of the rate on top.
    @Test(arguments: [-1, 1], [false, true])
    func `clocks may go to the limit of their behaviour`(sign: Int128, hasJump: Bool) throws {
        let behaviour = ClockBehaviour.steered
        let wander = Int128(behaviour.wanderFemtoPerSecond)
        let jump = hasJump ? Int128(behaviour.rateJump.excessFemto) : 0
        let middle: Int64 = 30_000_000_000
        func shown(_ time: Int64) -> Int64 {
            let bend = Int128(time) * Int128(time) * wander / (2 * 1_000_000_000)
            let kink = Int128(max(0, time - middle)) * jump
            return time + Int64(sign * (bend + kink) / Int128(ClockRate.unit))
        }
        var estimator = Estimator(behaviour)
        var readings: [Reading] = []
        for second: Int64 in 0..<60 {
            let time = second * 1_000_000_000
            readings.append(try Self.reading(time, shown(time + 40), time + 100))
            #expect(estimator.add(readings[readings.count - 1]) == .fits)
            let later = Instant<Monotonic>(nanoseconds: time + 700_000_000)
            let found = try #require(estimator.convert(later))
            #expect(
                (found.instant.nanoseconds - shown(later.nanoseconds)).magnitude
                    <= found.halfWidth.nanoseconds.magnitude)
        }
        let relation = ClockFit(readings, behaviour: behaviour).relation()
        #expect(relation.segments.count == 1)
        for tenth: Int64 in 1..<590 {
            let time = tenth * 100_000_000
            let found = try #require(relation.convert(Instant(nanoseconds: time)))
            #expect(
                (found.instant.nanoseconds - shown(time)).magnitude
                    <= found.halfWidth.nanoseconds.magnitude)
        }
    }
}
