/// A clock, as a type: instants of different clocks are different types, so mixing them does not compile.
///
/// Domains are uninhabited enums; they exist only as type arguments of ``Instant``.
public protocol ClockDomain: Sendable {
    /// The name of the clock as it is written in records, for example `CLOCK_MONOTONIC`.
    static var clockName: StaticString { get }
}

/// The host's `CLOCK_MONOTONIC`: slewed by NTP, never stepped, stands still in suspend.
///
/// V4L2 buffers and GPIO edges carry it (Linux 5.7 and later), so camera and lines of one host need no conversion.
public enum Monotonic: ClockDomain {
    /// As in records.
    public static var clockName: StaticString { "CLOCK_MONOTONIC" }
}

/// The host's `CLOCK_REALTIME` (UTC): may be stepped, used only to record when a run took place.
public enum Realtime: ClockDomain {
    /// As in records.
    public static var clockName: StaticString { "CLOCK_REALTIME" }
}

/// The host's `CLOCK_TAI`: as realtime, without leap seconds; equal to it until a daemon has set the offset.
public enum TAI: ClockDomain {
    /// As in records.
    public static var clockName: StaticString { "CLOCK_TAI" }
}

/// The host's `CLOCK_BOOTTIME`: as monotonic, and goes on in suspend.
public enum Boottime: ClockDomain {
    /// As in records.
    public static var clockName: StaticString { "CLOCK_BOOTTIME" }
}

/// The host's `CLOCK_MONOTONIC_RAW`: its oscillator alone, which nothing slews.
public enum MonotonicRaw: ClockDomain {
    /// As in records.
    public static var clockName: StaticString { "CLOCK_MONOTONIC_RAW" }
}

/// A clock in network hardware that keeps time by PTP (`/dev/ptpN`).
public enum PTPHardware: ClockDomain {
    /// As in records.
    public static var clockName: StaticString { "PTP" }
}

/// The clock of a camera or a trigger generator that timestamps what it does, its ticks taken for nanoseconds by name.
public enum DeviceClock: ClockDomain {
    /// As in records.
    public static var clockName: StaticString { "device" }
}

/// The session's clock: `CLOCK_MONOTONIC` counted from the start of the run.
public enum Session: ClockDomain {
    /// As in records.
    public static var clockName: StaticString { "session" }
}
