internal import Devices
internal import Imaging
internal import Timebase

/// A camera whose next frame is always there: it delivers frames made beforehand as fast as they are taken.
///
/// By its own clock it makes 30 of them a second. Four frames of noise in turn, so that neither a cache nor a disk that
/// compresses has an easy life.
final class ReadyCamera: CameraDriver {
    let identity = CameraIdentity(
        id: "benchmark:ready", name: "frames in memory", driver: "benchmark", bus: "none",
        backend: "simulated", path: "")
    let pollDescriptor: Int32 = -1

    private static let frameCount = 4

    private static let period = Interval.nanoseconds(33_333_333)

    /// Virtual time, away from zero so that nothing takes it for none.
    var now = Instant<Monotonic>(nanoseconds: 1_000_000_000_000)
    /// Is told of each frame before it is delivered, with its number.
    private let observe: (Int64) -> Void
    private var frames: [UnsafeMutableRawBufferPointer] = []
    private var next: Int64 = 0

    init(observe: @escaping (Int64) -> Void = { _ in }) {
        self.observe = observe
    }

    deinit {
        for frame in frames { frame.deallocate() }
    }

    func describe() throws(DeviceError) -> CameraDescription {
        CameraDescription(identity: identity, formats: [], controls: [])
    }

    func configure(
        _ configuration: CaptureConfiguration
    ) throws(DeviceError) -> AcceptedConfiguration {
        guard
            let layout = FrameLayout(
                pixelFormat: configuration.pixelFormat, size: configuration.size)
        else { throw DeviceError(.unsupported, "a row is too short for its pixels") }
        var noise = UInt64(layout.byteCount)
        for _ in 0..<Self.frameCount {
            let frame = UnsafeMutableRawBufferPointer.allocate(
                byteCount: layout.byteCount, alignment: 4096)
            for offset in frame.indices {
                // xorshift64: any cheap noise will do.
                noise ^= noise << 13
                noise ^= noise >> 7
                noise ^= noise << 17
                frame[offset] = UInt8(truncatingIfNeeded: noise >> 24)
            }
            frames.append(frame)
        }
        return AcceptedConfiguration(layout: layout, rate: nil, bufferCount: Self.frameCount)
    }

    func write(_ values: UnsafeBufferPointer<ControlValue>) -> Int32 { 0 }

    func read(_ control: CameraControl) -> Result<Int64, DeviceError> {
        .failure(DeviceError(.unsupported, "frames in memory have no controls"))
    }

    func start() throws(DeviceError) { next = 0 }

    func dequeue() -> DequeueResult {
        let number = next
        observe(number)
        next += 1
        now = now + Self.period
        let buffer = Int32(number % Int64(Self.frameCount))
        return .frame(
            DequeuedFrame(
                buffer: buffer, sequence: UInt32(truncatingIfNeeded: number), timestamp: now,
                byteCount: frames[Int(buffer)].count, isDamaged: false))
    }

    func bytes(of frame: DequeuedFrame) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(frames[Int(frame.buffer)])
    }

    func requeue(_ frame: DequeuedFrame) -> Int32 { 0 }

    func stop() {}
}
