internal import Timebase

/// What one request to a PTP hardware clock gives, before it is related to `CLOCK_MONOTONIC`.
///
/// Pure: drivers are played to it in tests.
enum PTPReading: Hashable {
    /// A sandwich between readings of one of the host's clocks, in nanoseconds.
    case between(HostClock, before: Int64, clock: Int64, after: Int64)
    /// The hardware latched both at one moment.
    case simultaneous(HostClock, host: Int64, clock: Int64)

    /// A clock of the host that the kernel puts beside a hardware clock.
    enum HostClock: Hashable {
        case monotonic, realtime, monotonicRaw

        /// The clock to be read beside, for the way back to the monotonic one; nil for that one itself.
        var source: ClockSource? {
            switch self {
            case .monotonic: nil
            case .realtime: .realtime
            case .monotonicRaw: .monotonicRaw
            }
        }
    }

    /// The host's clock that the reading is made with.
    var host: HostClock {
        switch self {
        case .between(let host, _, _, _), .simultaneous(let host, _, _): host
        }
    }

    /// The sandwich with the fewest nanoseconds between its host readings.
    ///
    /// One that ends before it begins is left out: the host's clock was stepped within.
    ///
    /// - Parameter times: host before, clock, host after, one sandwich after the other.
    /// - Returns: nil if no whole sandwich is left.
    static func narrowest(_ times: some Collection<Int64>, host: HostClock) -> PTPReading? {
        var best: (before: Int64, clock: Int64, after: Int64)?
        var rest = Array(times)[...]
        while rest.count >= 3 {
            let next = (
                before: rest.removeFirst(), clock: rest.removeFirst(), after: rest.removeFirst()
            )
            guard next.before <= next.after else { continue }
            if let best, best.after - best.before <= next.after - next.before { continue }
            best = next
        }
        return best.map { .between(host, before: $0.before, clock: $0.clock, after: $0.after) }
    }

    /// The reading against the monotonic clock.
    ///
    /// A clock of the host that may be stepped is worth something only if it was not stepped meanwhile: its sandwiches
    /// before and after the request must agree, and both bound the way back.
    ///
    /// - Parameters:
    ///   - clock: what the hardware clock is called.
    ///   - first: the host's clock against the monotonic one before the request; not asked where that one was used.
    ///   - second: the same after it.
    ///   - resolution: of the host's clocks.
    /// - Returns: nil if the host's clock was stepped in between, or a sandwich is missing.
    func sample(
        _ clock: ClockSource, first: ClockSample?, second: ClockSample?,
        resolution: ClockResolution = .nanosecond
    ) -> ClockSample? {
        let (before, reading, after): (Int64, Int64, Int64) =
            switch self {
            case .between(_, let before, let clock, let after): (before, clock, after)
            case .simultaneous(_, let host, let clock): (host, clock, host)
            }
        if host == .monotonic {
            return Self.sample(clock, before, reading, after, least: 0, most: 0)
        }
        guard let first, let second else { return nil }
        // Host − monotonic lies in each of the two; a slew of 500 ppm adds nothing within the request's microseconds.
        let (a, b) = (Self.offsets(first, resolution), Self.offsets(second, resolution))
        guard a.least <= b.most, b.least <= a.most else { return nil }
        return Self.sample(
            clock, before, reading, after, least: min(a.least, b.least), most: max(a.most, b.most))
    }

    /// The sample on the monotonic clock.
    ///
    /// - Parameters:
    ///   - before: the host's clock before the reading.
    ///   - reading: the hardware clock.
    ///   - after: the host's clock after it.
    ///   - least: the least that the host's clock can be ahead of the monotonic one, in nanoseconds.
    ///   - most: the most.
    private static func sample(
        _ clock: ClockSource, _ before: Int64, _ reading: Int64, _ after: Int64, least: Int64,
        most: Int64
    ) -> ClockSample {
        ClockSample(
            before: Instant(nanoseconds: before - most), ClockTime(clock, reading),
            after: Instant(nanoseconds: after - least))
    }

    /// How far a clock of the host can be ahead of the monotonic one, by a sandwich, in nanoseconds.
    private static func offsets(
        _ sample: ClockSample, _ resolution: ClockResolution
    ) -> (least: Int64, most: Int64) {
        // Readings are cut off to the clocks' step, so the truth may be one later.
        (
            sample.time.count - sample.after.nanoseconds - resolution.excess.nanoseconds,
            sample.time.count - sample.before.nanoseconds + resolution.step.nanoseconds
        )
    }
}
