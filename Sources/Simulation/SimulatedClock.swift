internal import Glibc
internal import Timebase

/// The simulated rig's `CLOCK_MONOTONIC`.
///
/// In virtual time it stands still while anything works and jumps when somebody waits; in real time it is the host's.
final class SimulatedClock {
    let isRealTime: Bool
    /// Virtual time starts away from zero, so that nothing takes zero for "none".
    private var virtual = Instant<Monotonic>(nanoseconds: 1_000_000_000_000)

    /// Realtime less monotonic time; nil for the host's.
    private let realtimeOffset: Interval?

    init(isRealTime: Bool, realtimeOffset: Interval? = nil) {
        self.isRealTime = isRealTime
        self.realtimeOffset = realtimeOffset
    }

    /// The present.
    var now: Instant<Monotonic> {
        isRealTime ? Instant(nanoseconds: reading(CLOCK_MONOTONIC)) : virtual
    }

    /// How the host's realtime reads now.
    var realtime: ClockRelation<Monotonic, Realtime> {
        let before = now
        if let realtimeOffset { return ClockRelation(offset: realtimeOffset, halfWidth: .zero) }
        let reading = Instant<Realtime>(nanoseconds: reading(CLOCK_REALTIME))
        return ClockRelation(before: before, reading: reading, after: now)
    }

    /// Lets time pass until `deadline`; in real time at most a twentieth of a second, so that a stop is noticed.
    func sleep(until deadline: Instant<Monotonic>) {
        guard isRealTime else {
            virtual = max(virtual, deadline)
            return
        }
        let wake = min(deadline, now + .milliseconds(50)).nanoseconds
        var time = timespec(
            tv_sec: Int(wake / 1_000_000_000), tv_nsec: Int(wake % 1_000_000_000))
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil)
    }

    private func reading(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
