public import Devices
public import Imaging
public import Timebase

/// What a ``ManualCamera`` receives.
public enum ManualEvent: Sendable {
    /// Somebody asks for something; what the camera can't do is skipped if it is asked for only `ifSupported`.
    case request(RequestID, ManualRequest, ifSupported: Bool)
    /// The exchange that was ordered is done, or broken off.
    case performed(ExchangeResult)
    /// A frame has come.
    case frame(MeteredFrame)
    /// Time has passed.
    case tick
    /// The device is broken for good.
    case lost(DeviceError)
}

/// What a ``ManualCamera`` wants done, in order.
public enum ManualAction: Hashable, Sendable {
    /// Carry this out, then report its result, before anything else.
    case perform(ControlExchange)
    /// Notify whoever asked.
    case complete(RequestID, RequestOutcome)
}

/// A frame as manual controls see it.
public struct MeteredFrame: Hashable, Sendable {
    /// The device's count.
    public var sequence: UInt32
    /// The driver's timestamp.
    public var timestamp: Instant<Monotonic>
    /// When the driver was seen to have no frame, so that this one came later; nil if that was not looked at.
    public var notBefore: Instant<Monotonic>?
    /// Whether it is damaged: then it counts, but nothing is read from it.
    public var isDamaged: Bool
    /// What was measured in it; nil where nothing was.
    public var reading: FrameReading?

    /// Creates a frame.
    public init(
        sequence: UInt32, timestamp: Instant<Monotonic>, notBefore: Instant<Monotonic>? = nil,
        isDamaged: Bool = false, reading: FrameReading? = nil
    ) {
        self.sequence = sequence
        self.timestamp = timestamp
        self.notBefore = notBefore
        self.isDamaged = isDamaged
        self.reading = reading
    }
}
