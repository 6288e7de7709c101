public import Timebase

/// A control that got another value, and not by this driver's own writes: another program, or the camera itself.
///
/// Plain bits, so that the capture thread can hand it on.
public struct ControlChange: BitwiseCopyable, Hashable, Sendable {
    /// Which control.
    public var control: CameraControl
    /// The value that it has since.
    public var code: Int64
    /// When the driver noticed.
    public var timestamp: Instant<Monotonic>

    /// Creates a change.
    public init(_ control: CameraControl, _ code: Int64, at timestamp: Instant<Monotonic>) {
        self.control = control
        self.code = code
        self.timestamp = timestamp
    }
}
