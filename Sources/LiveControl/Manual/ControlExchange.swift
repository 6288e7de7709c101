public import Devices
public import Timebase

/// Reads and writes that belong together, in their order.
public struct ControlExchange: Hashable, Sendable {
    /// One step of an exchange.
    public enum Step: Hashable, Sendable {
        /// Reads a control and keeps its code for ``writeKept(_:)``.
        case keep(CameraControl)
        /// Writes in one call; a control that the camera does not have is passed over if it is optional.
        case write([ControlValue], isOptional: Bool)
        /// Writes what was kept.
        case writeKept([CameraControl])
        /// Reads a control back, for the state.
        case read(CameraControl)
    }

    /// The steps.
    public var steps: [Step]

    /// Creates an exchange.
    public init(_ steps: [Step] = []) {
        self.steps = steps
    }
}

/// What came of an exchange.
public struct ExchangeResult: Hashable, Sendable {
    /// What was read back, in order.
    public var found: [ControlValue]
    /// When the last write returned.
    public var writtenAt: Instant<Monotonic>
    /// Why it was broken off; nil if every step was done.
    public var failure: DeviceError?

    /// Creates a result.
    public init(
        found: [ControlValue] = [], writtenAt: Instant<Monotonic>, failure: DeviceError? = nil
    ) {
        self.found = found
        self.writtenAt = writtenAt
        self.failure = failure
    }
}
