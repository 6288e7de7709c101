internal import CVideo
internal import Devices
internal import Glibc

/// Frame buffers that a driver fills and that are mapped into this process.
///
/// Streaming I/O with memory that the driver allocates (V4L2_MEMORY_MMAP). A buffer belongs to the driver from
/// ``requeue(_:)`` to ``dequeue()``, and to us from there on; nothing may be read of one that the driver has.
///
/// `dequeue` and `requeue` allocate and lock nothing: the kernel's structures live in memory of their own.
final class FrameQueue {
    /// A buffer's memory.
    struct Mapping {
        var start: UnsafeMutableRawPointer
        var byteCount: Int
        /// Bytes before the frame, which the driver may leave (multi-planar only).
        var offset: Int
    }

    /// What asking for a frame gave, in plain numbers.
    struct Delivery {
        /// Why there is a frame or none: `failed` is for good, `empty` is for now.
        enum Kind { case frame, empty, failed }
        var kind: Kind
        /// Positive, for a failure.
        var errno: Int32 = 0
        /// The buffer's number, below ``FrameQueue/count``.
        var buffer: UInt32 = 0
        /// The driver's count of frames; gaps mean lost ones, and the first need not be 0.
        var sequence: UInt32 = 0
        /// The driver's timestamp on CLOCK_MONOTONIC, in whole microseconds.
        var nanoseconds: Int64 = 0
        /// Bytes of the frame, without what precedes it in the buffer.
        var byteCount: Int = 0
        /// Whether the driver marked it (V4L2_BUF_FLAG_ERROR), or filled less than a frame.
        var isDamaged = false
    }

    /// Buffers that the driver granted.
    let count: Int
    /// What the timestamps of this queue are.
    let timestampSource: TimestampSource

    private let device: VideoDevice
    private let descriptor: Int32
    private let bufferType: UInt32
    private let isMultiplanar: Bool
    /// Bytes of a complete frame.
    private let frameBytes: Int
    private let buffer: UnsafeMutablePointer<v4l2_buffer>
    /// What a multi-planar request points to; only the first is used.
    private let plane: UnsafeMutablePointer<v4l2_plane>
    /// The buffers' memory by their numbers; VIDEO_MAX_FRAME places, of which ``count`` are used.
    private let mappings: UnsafeMutablePointer<Mapping>
    /// Whether the last answer was "no frame"; see ``emptyOrBroken()``.
    private let wasEmpty: UnsafeMutablePointer<Bool>

    /// Asks the driver for buffers and maps them.
    ///
    /// - Parameters:
    ///   - device: the node, with its format set.
    ///   - wanted: how many buffers; the driver may grant more or fewer.
    ///   - frameBytes: bytes of a complete frame; fewer mean a damaged one.
    /// - Throws: ``DeviceError``, with all memory given back.
    init(device: VideoDevice, wanted: Int, frameBytes: Int) throws(DeviceError) {
        self.device = device
        descriptor = device.descriptor
        bufferType = device.bufferType
        isMultiplanar = device.isMultiplanar
        self.frameBytes = frameBytes
        buffer = .allocate(capacity: 1)
        plane = .allocate(capacity: Int(VIDEO_MAX_PLANES))
        mappings = .allocate(capacity: Int(VIDEO_MAX_FRAME))
        wasEmpty = .allocate(capacity: 1)
        wasEmpty.initialize(to: false)
        var granted: [Mapping] = []
        var flags: UInt32 = 0
        do throws(DeviceError) {
            let count = try FrameQueue.requestBuffers(device, wanted)
            for index in 0..<count {
                let (mapping, bufferFlags) = try FrameQueue.map(device, index, frameBytes)
                granted.append(mapping)
                flags = bufferFlags
            }
            timestampSource = try TimestampSource(bufferFlags: flags, device: device)
        } catch {
            FrameQueue.giveBack(device, granted)
            buffer.deallocate()
            plane.deallocate()
            mappings.deallocate()
            wasEmpty.deallocate()
            throw error
        }
        count = granted.count
        for (index, mapping) in granted.enumerated() {
            (mappings + index).initialize(to: mapping)
        }
    }

    deinit {
        FrameQueue.giveBack(device, (0..<count).map { mappings[$0] })
        buffer.deallocate()
        plane.deallocate()
        mappings.deallocate()
        wasEmpty.deallocate()
    }

    /// Queues every buffer and starts the stream.
    ///
    /// - Parameter sensor: the raw sensor that starts with it, for messages; nil for a camera that is one device.
    /// - Throws: ``DeviceError``: ENOSPC is a USB bus without bandwidth, EPIPE formats of a media graph that do not
    ///   match.
    func start(sensor: String? = nil) throws(DeviceError) {
        for index in 0..<count {
            let result = requeue(UInt32(index))
            guard result >= 0 else { throw device.failure(result, "queue frame buffer \(index)") }
        }
        wasEmpty.pointee = false
        var type = Int32(bitPattern: bufferType)
        let result = fl_streamon(descriptor, &type)
        guard result >= 0 else {
            throw device.failure(result, "start the stream", advice: startAdvice(-result, sensor))
        }
    }

    /// Stops the stream, which empties the driver's queue; harmless if it is not running.
    ///
    /// Frames that were not taken are lost with it (VIDIOC_STREAMOFF).
    func stop() {
        var type = Int32(bitPattern: bufferType)
        _ = fl_streamoff(descriptor, &type)
    }

    /// Takes the oldest complete frame.
    ///
    /// A frame whose timestamp is not monotonic, or whose buffer nobody granted, is a failure (EPROTO): the driver
    /// broke its contract. Otherwise the errno is the driver's, or stands for what poll shows. ENODEV means that the
    /// camera was unplugged.
    @_noLocks
    func dequeue() -> Delivery {
        prepare()
        let result = fl_dqbuf(descriptor, buffer)
        if result < 0 { return result == -EAGAIN ? emptyOrBroken() : failure(-result) }
        wasEmpty.pointee = false
        let flags = buffer.pointee.flags
        guard flags & fl_timestamp_mask == fl_timestamp_monotonic,
            Int(buffer.pointee.index) < count
        else { return failure(EPROTO) }
        let index = Int(buffer.pointee.index)
        var filled = Int(buffer.pointee.bytesused)
        if isMultiplanar {
            mappings[index].offset = Int(plane[0].data_offset)
            filled = Int(plane[0].bytesused) - Int(plane[0].data_offset)
        }
        let timestamp = buffer.pointee.timestamp
        // No `||`: its right side is a closure, which would retain self.
        let isShort = filled < frameBytes
        let isMarked = flags & UInt32(V4L2_BUF_FLAG_ERROR) != 0
        return Delivery(
            kind: .frame, buffer: buffer.pointee.index, sequence: buffer.pointee.sequence,
            nanoseconds: nanoseconds(seconds: timestamp.tv_sec, microseconds: timestamp.tv_usec),
            byteCount: filled, isDamaged: isMarked || isShort)
    }

    /// Gives a buffer to the driver.
    ///
    /// - Parameter index: a buffer that was dequeued, or any before the stream starts.
    /// - Returns: 0, or the negative errno.
    @_noLocks
    func requeue(_ index: UInt32) -> Int32 {
        prepare()
        buffer.pointee.index = index
        let result = fl_qbuf(descriptor, buffer)
        return result < 0 ? result : 0
    }

    /// The memory of a whole frame in a buffer, whatever part of it was filled.
    ///
    /// - Parameter index: a buffer that was dequeued and not given back yet.
    @_noLocks
    func bytes(_ index: Int) -> UnsafeRawBufferPointer {
        let mapping = mappings[index]
        let room = max(0, mapping.byteCount - mapping.offset)
        let length = room < frameBytes ? room : frameBytes
        return UnsafeRawBufferPointer(
            start: UnsafeRawPointer(mapping.start) + mapping.offset, count: length)
    }

    /// Fills in what every request of a buffer needs; the kernel wants all the rest to be zero.
    @_noLocks
    private func prepare() {
        buffer.pointee = v4l2_buffer()
        buffer.pointee.type = bufferType
        buffer.pointee.memory = V4L2_MEMORY_MMAP.rawValue
        if isMultiplanar {
            plane[0] = v4l2_plane()
            buffer.pointee.m.planes = plane
            buffer.pointee.length = 1
        }
    }

    /// Distinguishes "no frame yet" from "never again": poll reports the second as an error while dequeueing returns
    /// EAGAIN.
    ///
    /// Asked only from the second empty answer on, so that the usual rhythm of frame, empty, wait costs no call more.
    @_noLocks
    private func emptyOrBroken() -> Delivery {
        if wasEmpty.pointee {
            let events = fl_device_poll(descriptor)
            if events < 0 { return failure(-events) }
            if events & Int32(POLLHUP | POLLNVAL) != 0 { return failure(ENODEV) }
            if events & Int32(POLLERR) != 0 { return failure(EIO) }
        }
        wasEmpty.pointee = true
        return Delivery(kind: .empty)
    }

    @_noLocks
    private func failure(_ code: Int32) -> Delivery {
        Delivery(kind: .failed, errno: code)
    }

    /// What a person can do about a stream that does not start; empty where the error itself states it.
    private func startAdvice(_ code: Int32, _ sensor: String?) -> String {
        switch code {
        case ENOSPC:
            return
                "the USB bus has no bandwidth left; ask for a smaller format or a lower rate, or use "
                + "another port"
        case EPIPE: return "the formats along its media graph do not match"
        case EIO, ENXIO, EREMOTEIO:
            guard let sensor else { return "" }
            return
                "the sensor `\(sensor)` does not answer on its I²C bus, or refused to start: look at its"
                + " ribbon cable and its power, and at what its driver reports in `dmesg`"
        default: return ""
        }
    }
}

/// A driver's time value in nanoseconds.
@_noLocks
func nanoseconds(seconds: Int, microseconds: Int) -> Int64 {
    Int64(seconds) &* 1_000_000_000 &+ Int64(microseconds) &* 1_000
}
