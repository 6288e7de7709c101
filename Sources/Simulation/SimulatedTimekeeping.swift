public import Timebase

/// How the simulated host's clocks and the simulated camera's own run, and which clock frames are timestamped with.
public struct SimulatedTimekeeping: Hashable, Sendable {
    /// The clock that the simulated driver timestamps frames with, whatever it claims.
    public enum TimestampClock: Hashable, Sendable, CaseIterable {
        /// As it should be.
        case monotonic
        /// `CLOCK_REALTIME`, as uvcvideo does on request.
        case realtime
        /// `CLOCK_BOOTTIME`, as some vendors' drivers do.
        case boottime
        /// `CLOCK_MONOTONIC_RAW`.
        case monotonicRaw
    }

    /// Realtime; nil for the host's own offset without error.
    public var realtime: SimulatedCourse?
    /// TAI less realtime.
    public var taiOffset = Interval.seconds(37)
    /// The time that the host was asleep before the run.
    public var suspended = Interval.zero
    /// The monotonic clock without NTP.
    public var monotonicRaw = SimulatedCourse()
    /// Every PTP hardware clock.
    public var hardware = SimulatedCourse()
    /// The least time that half a sandwich takes.
    public var shortestRead = Interval.nanoseconds(60)
    /// How much longer it takes at most, but for one in fifty, which takes up to a hundred times as long.
    public var readJitter = Interval.nanoseconds(200)
    /// What the host's counter counts in a second, so that its clocks advance in steps; nil for every nanosecond.
    public var countsPerSecond: Int64?
    /// The clock of timestamps.
    public var timestampClock = TimestampClock.monotonic

    /// The camera's own clock; nil if it has none that can be read.
    public var camera: SimulatedCameraClock?

    /// Creates the usual timekeeping: nothing drifts, nothing is late.
    public init() {}
}

/// The clock inside the simulated camera, and how its readings reach the host.
public struct SimulatedCameraClock: Hashable, Sendable {
    /// Ticks of a second.
    public var ticksPerSecond: Int64
    /// How it runs.
    public var course: SimulatedCourse
    /// The freshest reading of a frame is this much late at least.
    public var shortestDelay: Interval
    /// It is this much late at most.
    public var longestDelay: Interval

    /// Creates a clock.
    public init(
        ticksPerSecond: Int64 = 48_000_000, course: SimulatedCourse = SimulatedCourse(),
        shortestDelay: Interval = .microseconds(125), longestDelay: Interval = .milliseconds(1)
    ) {
        self.ticksPerSecond = ticksPerSecond
        self.course = course
        self.shortestDelay = shortestDelay
        self.longestDelay = longestDelay
    }
}
