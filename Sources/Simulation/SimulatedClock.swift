internal import Glibc
internal import Timebase

/// The simulated rig's `CLOCK_MONOTONIC`, and what every other clock shows against it.
///
/// In virtual time it stands still while anything works and jumps when somebody waits; in real time it is the host's.
final class SimulatedClock {
    let isRealTime: Bool
    /// When the rig was made: virtual time starts away from zero, so that nothing takes zero for "none".
    let origin: Instant<Monotonic>
    /// How far the host's clocks advance at a time at most.
    let resolution: ClockResolution
    /// Virtual time; not used in real time.
    private var virtual: Instant<Monotonic>
    private let timekeeping: SimulatedTimekeeping
    /// How realtime runs, without what is injected in ``steps``.
    private let realtimeCourse: SimulatedCourse
    /// What somebody did to realtime beside its course.
    private var steps: [SimulatedCourse.Step] = []

    init(isRealTime: Bool, timekeeping: SimulatedTimekeeping = SimulatedTimekeeping()) {
        self.isRealTime = isRealTime
        self.timekeeping = timekeeping
        let host = Self.reading(CLOCK_MONOTONIC)
        origin = Instant(nanoseconds: isRealTime ? host : 1_000_000_000_000)
        resolution =
            isRealTime
            ? ClockResolution.measured { Self.reading(CLOCK_MONOTONIC) } ?? .nanosecond
            : timekeeping.countsPerSecond.map { ClockResolution(countsPerSecond: $0) }
                ?? .nanosecond
        virtual = origin
        // Without another wish a simulated run takes place now.
        realtimeCourse =
            timekeeping.realtime
            ?? SimulatedCourse(
                offset: .nanoseconds(Self.reading(CLOCK_REALTIME) - origin.nanoseconds))
    }

    /// The present to the nanosecond, whatever steps the host's counter makes.
    var now: Instant<Monotonic> {
        isRealTime ? Instant(nanoseconds: Self.reading(CLOCK_MONOTONIC)) : virtual
    }

    /// How realtime reads now.
    var realtime: ClockRelation<Monotonic, Realtime> {
        let now = now
        return ClockRelation(
            before: now, reading: Instant(nanoseconds: shown(of: .realtime, at: now)), after: now,
            resolution: resolution)
    }

    /// The monotonic clock's reading at a time: the time of the counter's last step.
    func shown(at time: Instant<Monotonic>) -> Instant<Monotonic> {
        guard let rate = timekeeping.countsPerSecond else { return time }
        return Instant(nanoseconds: Self.time(ofCount: Self.count(at: time, rate), rate))
    }

    /// A clock's reading at a time: those of the host advance with its counter, all others by themselves.
    func shown(of source: ClockSource, at time: Instant<Monotonic>) -> Int64 {
        switch source {
        case .realtime, .tai, .boottime, .monotonicRaw: reading(of: source, at: shown(at: time))
        case .planned, .camera: reading(of: source, at: time)
        }
    }

    /// When the counter has come so far that the monotonic clock shows a time, as a timer of the kernel waits for it.
    private func wakeTime(_ time: Instant<Monotonic>) -> Instant<Monotonic> {
        guard let rate = timekeeping.countsPerSecond, shown(at: time) < time else { return time }
        return Instant(nanoseconds: Self.time(ofCount: Self.count(at: time, rate) + 1, rate))
    }

    /// The counter's number at a time.
    private static func count(at time: Instant<Monotonic>, _ rate: Int64) -> Int128 {
        // The last whose time, itself cut off to a nanosecond, has come.
        ((Int128(time.nanoseconds) + 1) * Int128(rate) + 999_999_999) / 1_000_000_000 - 1
    }

    /// When the counter shows a number, in nanoseconds.
    private static func time(ofCount count: Int128, _ rate: Int64) -> Int64 {
        Int64(count * 1_000_000_000 / Int128(rate))
    }

    /// What a clock would show at a time if it advanced by every nanosecond.
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
    func timestamp(_ time: Instant<Monotonic>) -> Instant<Monotonic> {
        let reading =
            switch timekeeping.timestampClock {
            case .monotonic: shown(at: time).nanoseconds
            case .realtime: shown(of: .realtime, at: time)
            case .boottime: shown(of: .boottime, at: time)
            case .monotonicRaw: shown(of: .monotonicRaw, at: time)
            }
        return Instant(nanoseconds: reading / 1_000 * 1_000)
    }

    /// Lets time pass until `deadline`; in real time at most a twentieth of a second, so that a stop is noticed.
    func sleep(until deadline: Instant<Monotonic>) {
        guard isRealTime else {
            if deadline > virtual { virtual = wakeTime(deadline) }
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
