public import Devices
public import Timebase

/// The first frame that surely shows what was asked for.
public struct SyncTime: Hashable, Sendable {
    /// The device's count of that frame.
    public var sequence: UInt32
    /// The driver's timestamp on it, untouched: the device's clock.
    public var deviceTime: Instant<Monotonic>

    /// Creates a sync time.
    public init(sequence: UInt32, deviceTime: Instant<Monotonic>) {
        self.sequence = sequence
        self.deviceTime = deviceTime
    }

    /// The same moment on a session's clock, with its bound.
    public func sessionTime(
        _ relation: ClockRelation<Monotonic, Session>
    ) -> BoundedInstant<Session> {
        relation.convert(BoundedInstant(deviceTime, halfWidth: .zero))
    }
}

/// How a request ended.
///
/// Requests that set values end in order of issue. One that a later request for the same subject overtook ends
/// together with that one: the first frame that surely shows the later value is also the first of which it is sure
/// that the earlier one is over. Metering takes as long as it takes and holds nobody up.
public enum RequestOutcome: Hashable, Sendable {
    /// It is in force from this frame on, with these values.
    case applied(SyncTime, ManualState)
    /// A later request for the same subject took its place.
    case superseded(by: RequestID, SyncTime?)
    /// The routines have come to an end; what each of them found.
    case metered([ManualSubject: MeteringResult], SyncTime?, ManualState)
    /// The camera can't do it, and it was asked for only if it can.
    case skipped(SettingProblem)
    /// The camera can't do it; nothing was written.
    case refused(SettingProblem)
    /// The device failed.
    case failed(DeviceError)
}

/// How a routine ended.
public enum MeteringResult: Hashable, Sendable {
    /// It ran to its end.
    case ended(RoutineOutcome)
    /// The camera has no such control; it was asked for only if it has.
    case skipped(SettingProblem)
}
