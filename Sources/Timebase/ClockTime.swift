/// What a clock showed: an instant of that clock, which can be mistaken for one of no other.
public enum ClockTime: BitwiseCopyable, Hashable, Sendable {
    /// Of `CLOCK_REALTIME`.
    case realtime(Instant<Realtime>)
    /// Of `CLOCK_TAI`.
    case tai(Instant<TAI>)
    /// Of `CLOCK_BOOTTIME`.
    case boottime(Instant<Boottime>)
    /// Of `CLOCK_MONOTONIC_RAW`.
    case monotonicRaw(Instant<MonotonicRaw>)
    /// Of a PTP hardware clock, by its index in the plan.
    case planned(Int32, Instant<PTPHardware>)
    /// Ticks of the camera's own clock.
    case camera(ticks: Int64)

    /// A time of a clock by its number.
    ///
    /// - Parameter count: nanoseconds, or ticks of a camera's clock.
    public init(_ clock: ClockSource, _ count: Int64) {
        switch clock {
        case .realtime: self = .realtime(Instant(nanoseconds: count))
        case .tai: self = .tai(Instant(nanoseconds: count))
        case .boottime: self = .boottime(Instant(nanoseconds: count))
        case .monotonicRaw: self = .monotonicRaw(Instant(nanoseconds: count))
        case .planned(let index): self = .planned(index, Instant(nanoseconds: count))
        case .camera: self = .camera(ticks: count)
        }
    }

    /// Whose time it is.
    public var clock: ClockSource {
        switch self {
        case .realtime: .realtime
        case .tai: .tai
        case .boottime: .boottime
        case .monotonicRaw: .monotonicRaw
        case .planned(let index, _): .planned(index)
        case .camera: .camera
        }
    }

    /// Its number as records have it: nanoseconds, or ticks of a camera's clock.
    public var count: Int64 {
        switch self {
        case .realtime(let instant): instant.nanoseconds
        case .tai(let instant): instant.nanoseconds
        case .boottime(let instant): instant.nanoseconds
        case .monotonicRaw(let instant): instant.nanoseconds
        case .planned(_, let instant): instant.nanoseconds
        case .camera(let ticks): ticks
        }
    }
}
