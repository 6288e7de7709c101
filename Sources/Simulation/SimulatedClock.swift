internal import Glibc
internal import Timebase

/// The simulated rig's `CLOCK_MONOTONIC`, and what every other clock shows against it.
///
/// In virtual time it stands still while anything works and jumps when somebody waits; in real time it is the host's.
final class SimulatedClock {
    let isRealTime: Bool
    /// When the rig was made: virtual time starts away from zero, so that nothing takes zero for "none".
    let origin: Instant<Monotonic>
    private var virtual: Instant<Monotonic>
    private let timekeeping: SimulatedTimekeeping
    private let realtimeCourse: SimulatedCourse
    /// What somebody did to realtime beside its course.
    private var steps: [SimulatedCourse.Step] = []

    init(isRealTime: Bool, timekeeping: SimulatedTimekeeping = SimulatedTimekeeping()) {
        self.isRealTime = isRealTime
        self.timekeeping = timekeeping
        let host = Self.reading(CLOCK_MONOTONIC)
        origin = Instant(nanoseconds: isRealTime ? host : 1_000_000_000_000)
        virtual = origin
        // Without another wish a simulated run takes place now.
        realtimeCourse =
            timekeeping.realtime
            ?? SimulatedCourse(
                offset: .nanoseconds(Self.reading(CLOCK_REALTIME) - origin.nanoseconds))
    }

    /// The present.
    var now: Instant<Monotonic> {
        isRealTime ? Instant(nanoseconds: Self.reading(CLOCK_MONOTONIC)) : virtual
    }

    /// How realtime reads now.
    var realtime: ClockRelation<Monotonic, Realtime> {
        let now = now
        return ClockRelation(
            before: now, reading: Instant(nanoseconds: reading(of: .realtime, at: now)), after: now)
    }

    /// What a clock shows at a time.
    func reading(of source: ClockSource, at time: Instant<Monotonic>) -> Int64 {
        switch source {
        case .realtime:
            steps.reduce(realtimeCourse.reading(at: time, since: origin)) {
                origin + $1.at <= time ? $0 + $1.by.nanoseconds : $0
            }
        case .tai: reading(of: .realtime, at: time) + timekeeping.taiOffset.nanoseconds
        case .boottime: time.nanoseconds + timekeeping.suspended.nanoseconds
        case .monotonicRaw: timekeeping.monotonicRaw.reading(at: time, since: origin)
        case .planned: timekeeping.hardware.reading(at: time, since: origin)
        case .camera: cameraTicks(at: time)
        }
    }

    /// Sets realtime at times that count from a start, and at no others.
    func step(_ steps: [SimulatedCourse.Step], after start: Instant<Monotonic>) {
        self.steps = steps.map {
            SimulatedCourse.Step(at: start - origin + $0.at, by: $0.by)
        }
    }

    /// What the simulated driver writes on a frame at a time: a clock's reading, cut off to microseconds.
    func stamp(_ time: Instant<Monotonic>) -> Instant<Monotonic> {
        let reading =
            switch timekeeping.stampClock {
            case .monotonic: time.nanoseconds
            case .realtime: reading(of: .realtime, at: time)
            case .boottime: reading(of: .boottime, at: time)
            case .monotonicRaw: reading(of: .monotonicRaw, at: time)
            }
        return Instant(nanoseconds: reading / 1_000 * 1_000)
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

    /// Ticks of the camera's clock.
    private func cameraTicks(at time: Instant<Monotonic>) -> Int64 {
        guard let camera = timekeeping.camera else { return 0 }
        let nanoseconds = camera.course.reading(at: time, since: origin)
        return Int64(Int128(nanoseconds) * Int128(camera.ticksPerSecond) / 1_000_000_000)
    }

    private static func reading(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
