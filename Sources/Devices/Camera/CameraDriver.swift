public import Timebase

/// One camera, whoever makes its frames.
///
/// Order of calls: `write` of what changes the layout of pixels, `configure`, any number of `write`/`read`, `watch`,
/// `start`, then `dequeue`/`requeue`/`write`/`readControlChange`, then `stop`. One thread at a time. `dequeue`,
/// `requeue`, `bytes`, `write` and `readControlChange` allocate nothing once started.
public protocol CameraDriver: AnyObject {
    /// Which camera it is.
    var identity: CameraIdentity { get }

    /// The descriptor that becomes readable when a frame waits; −1 where time is virtual.
    var pollDescriptor: Int32 { get }

    /// What the device offers and how its controls stand.
    func describe() throws(DeviceError) -> CameraDescription

    /// How the controls stand, by id: their ranges may be others after `configure`.
    func controls() throws(DeviceError) -> [ControlDescription]

    /// Sets format, rate and region, and allocates frame buffers.
    ///
    /// - Throws: ``DeviceError`` if the device can't do exactly that; it never takes something near instead.
    func configure(_ configuration: CaptureConfiguration) throws(DeviceError)
        -> AcceptedConfiguration

    /// Writes controls in one call, in this order; the device's codes, already quantised.
    ///
    /// - Returns: 0, or the negative errno.
    func write(_ values: UnsafeBufferPointer<ControlValue>) -> Int32

    /// Reads one control back.
    func read(_ control: CameraControl) -> Result<Int64, DeviceError>

    /// Notices from now on when somebody else changes one of these controls.
    ///
    /// Controls that the camera does not have are passed over.
    func watch(_ controls: [CameraControl])

    /// Takes the oldest change of a watched control that this driver's own writes did not make.
    func readControlChange() -> ControlChange?

    /// Fetches the timestamps of the camera's own clock along with its frames, from the next start on.
    ///
    /// - Returns: how often the clock ticks in a second.
    /// - Throws: ``DeviceError`` if the camera has no readable clock.
    func followCameraClock() throws(DeviceError) -> Int64

    /// Delivers the sensor's embedded data along with each frame, from the next start on.
    ///
    /// - Returns: whether the device has such data and they can be had. Where they can't, or are missing for a frame,
    ///   that frame comes without.
    func followEmbeddedData(_ format: EmbeddedDataFormat) -> Bool

    /// Starts the stream, with all buffers queued.
    func start() throws(DeviceError)

    /// Takes the oldest complete frame.
    func dequeue() -> DequeueResult

    /// The bytes of a frame that was dequeued and not yet requeued; its layout is the accepted one.
    func bytes(of frame: DequeuedFrame) -> UnsafeRawBufferPointer

    /// Gives a buffer back to the driver.
    ///
    /// - Returns: 0, or the negative errno.
    func requeue(_ frame: DequeuedFrame) -> Int32

    /// Stops the stream and frees the buffers; harmless if it never started or the device is gone.
    func stop()

    /// Why no frame may come although the stream was started: what the device waits for, one sentence each.
    func whyNoFrames() -> [String]

    /// What people should know of the camera's set-up: what could not be had, and what could not be put back.
    var notices: [String] { get }
}

extension CameraDriver {
    /// The controls of the whole description.
    public func controls() throws(DeviceError) -> [ControlDescription] { try describe().controls }

    /// Watches nothing: for cameras that nobody else can reach.
    public func watch(_ controls: [CameraControl]) {}

    /// Most cameras have no readable clock.
    public func followCameraClock() throws(DeviceError) -> Int64 {
        throw DeviceError(
            .unsupported,
            "camera \(identity.id) has no readable clock: leave `camera_clock` out of its profile"
        )
    }

    /// Most cameras send nothing but pixels.
    public func followEmbeddedData(_ format: EmbeddedDataFormat) -> Bool { false }

    /// Nothing is known.
    public func whyNoFrames() -> [String] { [] }

    /// Nothing.
    public var notices: [String] { [] }

    /// Nothing changes unnoticed.
    public func readControlChange() -> ControlChange? { nil }
}

/// A frame as the driver delivered it.
public struct DequeuedFrame: BitwiseCopyable, Hashable, Sendable {
    /// The buffer it lies in.
    public var buffer: Int32
    /// The device's own count of frames; gaps mean that frames are missing.
    public var sequence: UInt32
    /// The driver's timestamp, untouched: on the monotonic clock, unless the driver uses another one.
    public var timestamp: Instant<Monotonic>
    /// The timestamp by the camera's own clock; nil if there is none, or the clock is not followed.
    public var cameraTimestamp: CameraTimestamp?
    /// The settings that the sensor reports for it; nil if it reports none, or they are not followed.
    public var embedded: EmbeddedData?
    /// Bytes that were filled.
    public var byteCount: Int
    /// Whether the driver marked the frame as damaged, or delivered fewer bytes than a frame has.
    public var isDamaged: Bool

    /// Creates a frame.
    public init(
        buffer: Int32, sequence: UInt32, timestamp: Instant<Monotonic>,
        cameraTimestamp: CameraTimestamp? = nil, embedded: EmbeddedData? = nil, byteCount: Int,
        isDamaged: Bool
    ) {
        self.buffer = buffer
        self.sequence = sequence
        self.timestamp = timestamp
        self.cameraTimestamp = cameraTimestamp
        self.embedded = embedded
        self.byteCount = byteCount
        self.isDamaged = isDamaged
    }
}

/// What asking for a frame can give.
public enum DequeueResult: BitwiseCopyable, Hashable, Sendable {
    /// A frame.
    case frame(DequeuedFrame)
    /// No frame waits.
    case empty
    /// The stream is broken for good: a positive errno (ENODEV: the device is gone).
    case failed(errno: Int32)
}
