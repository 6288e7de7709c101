/// A clock that a run reads beside `CLOCK_MONOTONIC`.
///
/// Plain bits: what is named in the plan is an index into it.
public enum ClockSource: BitwiseCopyable, Hashable, Sendable {
    /// `CLOCK_REALTIME`: UTC, as far as the host knows it; may be stepped.
    case realtime
    /// `CLOCK_TAI`: realtime without leap seconds; the same as realtime until a daemon sets the offset.
    case tai
    /// `CLOCK_BOOTTIME`: monotonic, and the time in suspend.
    case boottime
    /// `CLOCK_MONOTONIC_RAW`: monotonic without the slewing by NTP.
    case monotonicRaw
    /// A clock that the recipe asks for, as an index into the plan's clocks.
    case planned(Int32)
    /// The camera's own clock, which counts ticks.
    case camera

    /// The host's own clocks: those of every run.
    public static let host: [ClockSource] = [.realtime, .tai, .boottime, .monotonicRaw]

    /// The name in records; nil for a clock whose name is in the plan.
    public var fixedName: String? {
        switch self {
        case .realtime: "CLOCK_REALTIME"
        case .tai: "CLOCK_TAI"
        case .boottime: "CLOCK_BOOTTIME"
        case .monotonicRaw: "CLOCK_MONOTONIC_RAW"
        case .camera: "camera"
        case .planned: nil
        }
    }
}

/// A clock read between two readings of `CLOCK_MONOTONIC`.
///
/// When the clock showed `time`, the monotonic one showed something from `before` to `after`.
public struct ClockSample: BitwiseCopyable, Hashable, Sendable {
    /// The monotonic clock had come at least this far.
    public var before: Instant<Monotonic>
    /// What the clock showed.
    public var time: ClockTime
    /// The monotonic clock had come at most this far.
    public var after: Instant<Monotonic>

    /// Creates a sample.
    public init(
        before: Instant<Monotonic>, _ time: ClockTime, after: Instant<Monotonic>
    ) {
        self.before = before
        self.time = time
        self.after = after
    }

    /// The clock.
    public var clock: ClockSource { time.clock }

    /// How far apart the two readings of the monotonic clock are: bounds the sample's error.
    public var width: Interval { after - before }
}

/// How the kernel disciplines `CLOCK_REALTIME`, as `adjtimex` reports it; for the record.
public struct ClockDiscipline: BitwiseCopyable, Hashable, Sendable {
    /// What is still to be slewed.
    public var offset: Interval
    /// How far the clock may be off at most; grows by 500 ppm while nobody corrects it.
    public var maximumError: Interval
    /// How far it is thought to be off.
    public var estimatedError: Interval
    /// The correction of its rate in parts per 10⁹.
    public var frequencyPartsPerBillion: Int64
    /// TAI − UTC in seconds; 0 until somebody sets it.
    public var taiOffsetSeconds: Int32
    /// The kernel's status bits (`STA_…`).
    public var status: Int32

    /// Creates a report.
    public init(
        offset: Interval, maximumError: Interval, estimatedError: Interval,
        frequencyPartsPerBillion: Int64, taiOffsetSeconds: Int32, status: Int32
    ) {
        self.offset = offset
        self.maximumError = maximumError
        self.estimatedError = estimatedError
        self.frequencyPartsPerBillion = frequencyPartsPerBillion
        self.taiOffsetSeconds = taiOffsetSeconds
        self.status = status
    }

    /// Whether a daemon keeps the clock: `STA_UNSYNC` (0x40) is not set.
    public var isSynchronised: Bool { status & 0x40 == 0 }
}
