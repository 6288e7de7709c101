internal import CRealTime
internal import Glibc
public import Timebase

/// The host's clocks; reading them allocates and locks nothing.
public enum KernelClock {
    /// Readings of a sandwich: the narrowest of these is kept.
    public static let sandwichReadings = 9

    /// `CLOCK_MONOTONIC` now, in nanoseconds, for the capture thread.
    @_noLocks
    public static func monotonicNanoseconds() -> Int64 { fl_monotonic_ns() }

    /// `CLOCK_MONOTONIC` now: since the host started, without the time that it was suspended.
    public static func now() -> Instant<Monotonic> { Instant(nanoseconds: fl_monotonic_ns()) }

    /// How a clock of the host stands against the monotonic one, from the narrowest of several sandwiches.
    ///
    /// A sandwich is three calls one after the other: monotonic, the clock, monotonic. The true moment of the reading
    /// lies between the two, so the narrowest is the most exact.
    ///
    /// - Returns: nil for a clock that is not the host's, and one that the kernel does not have.
    public static func sandwich(_ clock: ClockSource) -> ClockSample? {
        number(clock).flatMap { sandwich(clock, number: $0) }
    }

    /// How far `CLOCK_MONOTONIC` and what is derived from it advance at a time at most, measured once.
    ///
    /// A clock that stands still while it is looked at (in a machine whose time is simulated) has the resolution that
    /// it reports.
    public static let resolution: ClockResolution =
        ClockResolution.measured(fl_monotonic_ns)
        ?? ClockResolution(.nanoseconds(max(1, fl_monotonic_resolution_ns())))

    /// How realtime stands against the monotonic clock now.
    public static func realtime() -> ClockRelation<Monotonic, Realtime> {
        guard let sample = sandwich(.realtime), case .realtime(let reading) = sample.time else {
            preconditionFailure("every kernel has CLOCK_REALTIME")
        }
        return ClockRelation(
            before: sample.before, reading: reading, after: sample.after, resolution: resolution)
    }

    /// How the kernel disciplines realtime, by adjtimex(2) without changing anything; nil where it does not report it.
    public static func discipline() -> ClockDiscipline? {
        var state = fl_discipline()
        guard fl_clock_discipline(&state) == 0 else { return nil }
        return ClockDiscipline(
            offset: .nanoseconds(state.offset_ns),
            maximumError: .microseconds(state.maximum_error_us),
            estimatedError: .microseconds(state.estimated_error_us),
            // 65536ths of a millionth: times 1000 / 65536, rounded down.
            frequencyPartsPerBillion: state.frequency * 1_000 >> 16,
            taiOffsetSeconds: state.tai_s, status: state.status)
    }

    /// The narrowest of several sandwiches of a clock by its number.
    ///
    /// - Parameters:
    ///   - clock: what the sample calls it.
    ///   - number: a `clockid_t`, also one made of an open device's descriptor.
    /// - Returns: nil if one of the readings can't be made.
    static func sandwich(_ clock: ClockSource, number: Int32) -> ClockSample? {
        ClockSample.narrowest(of: sandwichReadings) {
            var times: InlineArray<3, Int64> = [0, 0, 0]
            var span = times.mutableSpan
            let status = span.withUnsafeMutableBufferPointer { times in
                times.baseAddress.map { fl_clock_sandwich(number, $0) } ?? -EFAULT
            }
            guard status == 0 else { return nil }
            return ClockSample(
                before: Instant(nanoseconds: times[0]), ClockTime(clock, times[1]),
                after: Instant(nanoseconds: times[2]))
        }
    }

    /// The `clockid_t` of a clock of the host; nil for clocks of devices.
    private static func number(_ clock: ClockSource) -> Int32? {
        switch clock {
        case .realtime: CLOCK_REALTIME
        case .tai: CLOCK_TAI
        case .boottime: CLOCK_BOOTTIME
        case .monotonicRaw: CLOCK_MONOTONIC_RAW
        case .planned, .camera: nil
        }
    }
}

extension ClockSample {
    /// The narrowest of several sandwiches made one right after the other; nil if one can't be made.
    ///
    /// - Parameters:
    ///   - count: how many, 1 or more.
    ///   - read: makes one.
    static func narrowest(of count: Int, _ read: () -> ClockSample?) -> ClockSample? {
        guard var best = read() else { return nil }
        // Not `for`: it allocates in debug builds.
        var number = 1
        while number < count {
            number += 1
            guard let next = read() else { return nil }
            if next.width < best.width { best = next }
        }
        return best
    }
}
