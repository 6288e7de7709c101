import Testing

@testable import Timebase

/// What is kept of a relation, of a clock whose rate changes as fast as it may all the time: by 20 ppb in a second.
struct KnotTrailTests {
    /// Its offset is 10 ns times the square of the seconds from the middle of 10,000; so its rate stays within 100 ppm.
    private static func truth(at seconds: Int64) -> Int64 {
        seconds * 1_000_000_000 + 10 * (seconds - 5_000) * (seconds - 5_000)
    }

    private static func relation(
        until end: Int64, capacity: Int
    ) -> ClockSegments<Monotonic, DeviceClock> {
        var trail = KnotTrail<Monotonic, DeviceClock>(.freeQuartz, capacity: capacity)
        for seconds in stride(from: 0, through: end, by: 100) {
            let instant = Instant<DeviceClock>(nanoseconds: truth(at: seconds))
            trail.append(
                ClockKnot(
                    at: Instant(nanoseconds: seconds * 1_000_000_000), earliest: instant,
                    latest: instant))
        }
        return trail.segments(until: nil)
    }

    /// From two knots alone to so many that most of them are given up.
    @Test(arguments: [(100, 100), (1_500, 1_500), (10_000, 2_000)] as [(Int64, Int64)])
    func `between knots the truth stays inside, and also where some were left out`(
        end: Int64, least: Int64
    ) throws {
        let relation = Self.relation(until: end, capacity: 16)
        var seen: Int64 = 0
        for seconds in stride(from: 0, through: end, by: 10) {
            let time = Instant<Monotonic>(nanoseconds: seconds * 1_000_000_000)
            guard let found = relation.convert(time) else { continue }
            seen += 10
            let distance = abs(found.instant.nanoseconds - Self.truth(at: seconds))
            #expect(distance <= found.halfWidth.nanoseconds, "\(seconds) s")
        }
        #expect(seen >= least)
    }
}
