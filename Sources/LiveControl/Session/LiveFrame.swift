internal import Devices
public import Imaging
internal import Synchronization
public import Timebase

/// A frame in memory of the session's own, with unpacked samples and rows without padding.
///
/// The memory goes back to the session's pool with the last reference. Whoever keeps frames makes others miss some,
/// which is counted; it never holds the camera up.
///
/// Shared without a lock: the bytes are written before the frame is handed out and never after.
public final class LiveFrame: @unchecked Sendable {
    /// The device's count; gaps are frames that were lost or not copied.
    public let sequence: UInt32
    /// The driver's timestamp.
    public let deviceTime: Instant<Monotonic>
    /// What the samples are.
    public let pixelFormat: PixelFormat
    /// Pixels and rows.
    public let size: FrameSize
    /// What was known of the camera when the frame came; whether the frame shows it,
    /// ``ManualState/Control/isAdjusting`` shows.
    public let state: ManualState

    private let pool: LiveFramePool
    private let buffer: Int
    private let byteCount: Int

    /// Takes over a buffer that has been filled; it goes back to the pool when the frame is gone.
    init(
        _ frame: DequeuedFrame, layout: FrameLayout, state: ManualState, pool: LiveFramePool,
        buffer: Int
    ) {
        sequence = frame.sequence
        deviceTime = frame.timestamp
        pixelFormat = layout.pixelFormat
        size = layout.size
        byteCount = layout.recordedByteCount
        self.state = state
        self.pool = pool
        self.buffer = buffer
    }

    deinit {
        pool.giveBack(buffer)
    }

    /// Lends the samples, rows without padding, little-endian; the pointer is good only inside the call.
    public func withBytes<Result>(
        _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        try body(UnsafeRawBufferPointer(rebasing: pool.bytes(buffer)[..<byteCount]))
    }
}

/// A fixed number of frame buffers, made at the start.
///
/// Unsafe memory: a buffer belongs to whoever took its number until it is given back.
final class LiveFramePool: @unchecked Sendable {
    private let byteCount: Int
    private let storage: UnsafeMutableRawPointer
    private let free: Mutex<[Int]>

    init(count: Int, byteCount: Int) {
        self.byteCount = byteCount
        storage = .allocate(byteCount: max(1, count * byteCount), alignment: 64)
        free = Mutex(Array((0..<count).reversed()))
    }

    deinit {
        storage.deallocate()
    }

    /// Takes a free buffer; nil if consumers hold them all.
    func take() -> Int? { free.withLock { $0.popLast() } }

    /// Gives a buffer back; called once for each that was taken, from any thread.
    func giveBack(_ number: Int) { free.withLock { $0.append(number) } }

    /// The bytes of a buffer; only whoever took its number may touch them.
    func bytes(_ number: Int) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(start: storage + number * byteCount, count: byteCount)
    }
}
