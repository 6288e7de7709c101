import TestSupport
import Testing
import Timebase

struct InstantTests {
    private typealias Time = Instant<Monotonic>

    @Test func `the span between two instants leads from one to the other`() {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<1_000 {
            let limit: Int64 = 1 << 61
            let a = Time(nanoseconds: random.number(upTo: limit))
            let b = Time(nanoseconds: -random.number(upTo: limit))
            let forth: Interval = b - a
            let back: Interval = a - b
            #expect(a + forth == b)
            #expect(a - back == b)
            #expect(back.nanoseconds == -forth.nanoseconds)
            let isEarlier: Bool = back < .zero
            #expect((a < b) == isEarlier)
        }
    }

    @Test func `the distant ends lie beyond any clock and leave room for a wait`() {
        let year = Interval.seconds(366 * 86_400)
        #expect(Time.distantFuture > Time(nanoseconds: 0) + year * 100)
        #expect(Time.distantPast < Time(nanoseconds: 0) - year * 100)
        #expect(Time.distantFuture + year * 100 > .distantFuture)
        #expect(Time.distantPast - year * 100 < .distantPast)
    }

    @Test func `clocks have the names that people know`() {
        #expect("\(Monotonic.clockName)" == "CLOCK_MONOTONIC")
        #expect("\(Realtime.clockName)" == "CLOCK_REALTIME")
        #expect("\(Session.clockName)" == "session")
    }

    @Test func `a bound is never negative`() async {
        await #expect(processExitsWith: .failure) {
            _ = BoundedInstant(Instant<Session>(nanoseconds: 0), halfWidth: .nanoseconds(-1))
        }
    }
}
