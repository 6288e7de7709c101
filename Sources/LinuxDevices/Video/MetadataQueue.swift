internal import CVideo
internal import Cameras
internal import Glibc

/// The buffers of a metadata node, which a driver fills beside those of the frames, with the same sequence numbers.
///
/// `take` allocates and locks nothing.
final class MetadataQueue {
    private let path: String
    private let descriptor: Int32
    private let buffer: UnsafeMutablePointer<v4l2_buffer>
    private var mappings: [(start: UnsafeMutableRawPointer, byteCount: Int)] = []
    /// The buffer that is being read.
    private var held: UInt32?
    /// A buffer that was taken too early: that of a frame still to come.
    private var waiting: (index: UInt32, sequence: UInt32, byteCount: Int)?

    /// Opens a node and maps its buffers.
    ///
    /// - Throws: ``CameraError`` if it can't be opened, or keeps no headers of USB packets.
    init(path: String, wanted: Int) throws(CameraError) {
        self.path = path
        buffer = .allocate(capacity: 1)
        buffer.initialize(to: v4l2_buffer())
        descriptor = fl_device_open(path)
        guard descriptor >= 0 else {
            let code = -descriptor
            if code == EACCES || code == EPERM {
                throw CameraError(.permission, MissingRight.message(path: path, group: "video"))
            }
            throw failure("open", -code)
        }
        try setFormat()
        try map(wanted)
    }

    deinit {
        stop()
        for mapping in mappings {
            _ = fl_buffer_unmap(mapping.start, UInt64(mapping.byteCount))
        }
        if descriptor >= 0 { _ = close(descriptor) }
        buffer.deallocate()
    }

    /// Queues every buffer and starts; to be done before the frames' own stream starts.
    func start() throws(CameraError) {
        for index in mappings.indices {
            prepare(UInt32(index))
            let result = fl_qbuf(descriptor, buffer)
            guard result >= 0 else { throw failure("queue a buffer of", result) }
        }
        waiting = nil
        held = nil
        var type = Int32(bitPattern: V4L2_BUF_TYPE_META_CAPTURE.rawValue)
        let result = fl_streamon(descriptor, &type)
        guard result >= 0 else { throw failure("start", result) }
    }

    /// Stops; harmless if it is not running.
    func stop() {
        var type = Int32(bitPattern: V4L2_BUF_TYPE_META_CAPTURE.rawValue)
        _ = fl_streamoff(descriptor, &type)
    }

    /// What the driver kept of the frame with a sequence number, to be used before the next call; nil if nothing.
    ///
    /// The driver ends a frame's metadata before the frame itself, so it is there when the frame is.
    func take(_ sequence: UInt32) -> UnsafeRawBufferPointer? {
        giveBack()
        while let next = waiting ?? dequeue() {
            let distance = Int32(bitPattern: next.sequence &- sequence)
            if distance > 0 {
                waiting = next
                return nil
            }
            waiting = nil
            held = next.index
            if distance == 0 {
                let mapping = mappings[Int(next.index)]
                return UnsafeRawBufferPointer(
                    start: mapping.start, count: min(next.byteCount, mapping.byteCount))
            }
            giveBack()
        }
        return nil
    }

    /// Gives the buffer back that was read last: the driver may write into it at once.
    private func giveBack() {
        guard let index = held else { return }
        held = nil
        prepare(index)
        _ = fl_qbuf(descriptor, buffer)
    }

    private func dequeue() -> (index: UInt32, sequence: UInt32, byteCount: Int)? {
        prepare(0)
        guard fl_dqbuf(descriptor, buffer) >= 0, Int(buffer.pointee.index) < mappings.count else {
            return nil
        }
        return (buffer.pointee.index, buffer.pointee.sequence, Int(buffer.pointee.bytesused))
    }

    private func prepare(_ index: UInt32) {
        buffer.pointee = v4l2_buffer()
        buffer.pointee.type = V4L2_BUF_TYPE_META_CAPTURE.rawValue
        buffer.pointee.memory = V4L2_MEMORY_MMAP.rawValue
        buffer.pointee.index = index
    }

    private func setFormat() throws(CameraError) {
        var format = v4l2_format()
        format.type = V4L2_BUF_TYPE_META_CAPTURE.rawValue
        // Usually it is the one that stands, and to set it is refused once the frames have their buffers.
        let asked = fl_g_fmt(descriptor, &format)
        if asked >= 0, format.fmt.meta.dataformat == fl_meta_uvc { return }
        format.fmt.meta.dataformat = fl_meta_uvc
        let result = fl_s_fmt(descriptor, &format)
        guard result >= 0, format.fmt.meta.dataformat == fl_meta_uvc else {
            throw failure("set the format of", result < 0 ? result : -EINVAL)
        }
    }

    private func map(_ wanted: Int) throws(CameraError) {
        var request = v4l2_requestbuffers()
        request.count = UInt32(clamping: wanted)
        request.type = V4L2_BUF_TYPE_META_CAPTURE.rawValue
        request.memory = V4L2_MEMORY_MMAP.rawValue
        let result = fl_reqbufs(descriptor, &request)
        guard result >= 0 else { throw failure("get buffers of", result) }
        for index in 0..<request.count {
            prepare(index)
            let asked = fl_querybuf(descriptor, buffer)
            guard asked >= 0 else { throw failure("describe a buffer of", asked) }
            let length = buffer.pointee.length
            var start: UnsafeMutableRawPointer?
            let mapped = fl_buffer_map(
                descriptor, UInt64(length), UInt64(buffer.pointee.m.offset), &start)
            guard let start else { throw failure("map a buffer of", mapped) }
            mappings.append((start, Int(length)))
        }
    }

    private func failure(_ action: String, _ result: Int32) -> CameraError {
        CameraError(
            result == -EBUSY ? .busy : .failed,
            "could not \(action) the camera's metadata node \(path): \(KernelError(code: -result));"
                + " without it leave `camera_clock` out of the camera's profile")
    }
}
