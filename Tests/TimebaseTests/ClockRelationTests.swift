import TestSupport
import Testing
import Timebase

struct ClockRelationTests {
    @Test func `however the readings are delayed, the true offset lies within the bound`() {
        var random = SeededGenerator(seed: 6)
        for _ in 0..<5_000 {
            let offset = random.number(upTo: 1 << 61) * (Bool.random(using: &random) ? 1 : -1)
            let start = random.number(upTo: 1 << 60)
            let delays = (random.number(upTo: 1 << 40), random.number(upTo: 1 << 40))
            // The other clock is read `delays.0` after the first reading, and the second comes `delays.1` after that.
            let relation = ClockRelation<Monotonic, Realtime>(
                before: Instant(nanoseconds: start),
                reading: Instant(nanoseconds: start + delays.0 + offset),
                after: Instant(nanoseconds: start + delays.0 + delays.1))
            let error = (relation.offset.nanoseconds - offset).magnitude
            #expect(error <= relation.halfWidth.nanoseconds.magnitude)
            // And the bound is no wider than the readings allow.
            #expect(relation.halfWidth.nanoseconds <= (delays.0 + delays.1 + 1) / 2)
        }
    }

    @Test func `both ends of a sandwich are possible, so the bound reaches them`() {
        for width: Int64 in 0...9 {
            let early = ClockRelation<Monotonic, Realtime>(
                before: Instant(nanoseconds: 0), reading: Instant(nanoseconds: 0),
                after: Instant(nanoseconds: width))
            let (low, high) = (
                early.offset - early.halfWidth, early.offset + early.halfWidth
            )
            #expect(low <= .nanoseconds(-width))
            #expect(high >= .zero)
        }
    }

    @Test func `two readings in one instant leave no doubt`() {
        let relation = ClockRelation<Monotonic, Realtime>(
            before: Instant(nanoseconds: 5), reading: Instant(nanoseconds: 105),
            after: Instant(nanoseconds: 5))
        #expect(relation.offset == .nanoseconds(100))
        #expect(relation.halfWidth == .zero)
    }

    @Test func `a conversion adds the doubts of reading and relation`() {
        let relation = ClockRelation<Monotonic, Realtime>(
            offset: .seconds(10), halfWidth: .microseconds(3))
        let reading = BoundedInstant(
            Instant<Monotonic>(nanoseconds: 7), halfWidth: .microseconds(2))
        let converted = relation.convert(reading)
        #expect(converted.instant == Instant(nanoseconds: 10_000_000_007))
        #expect(converted.halfWidth == .microseconds(5))
    }

    @Test func `a session begins at zero, and its clock is known exactly`() {
        let epoch = Instant<Monotonic>(nanoseconds: 123_456_789_012)
        let relation = ClockRelation(sessionStart: epoch)
        #expect(relation.halfWidth == .zero)
        let later = relation.convert(BoundedInstant(epoch + .milliseconds(8), halfWidth: .zero))
        #expect(later.instant == Instant<Session>(nanoseconds: 8_000_000))
        #expect(later.halfWidth == .zero)
    }

    @Test func `a clock that runs backwards is our mistake`() async {
        await #expect(processExitsWith: .failure) {
            _ = ClockRelation<Monotonic, Realtime>(
                before: Instant(nanoseconds: 2), reading: Instant(nanoseconds: 0),
                after: Instant(nanoseconds: 1))
        }
    }
}
