internal import CVideo
internal import Devices
internal import Glibc

/// The buffers of a metadata node, which a driver fills beside those of the frames, with the same sequence numbers.
///
/// `take` allocates and locks nothing.
final class MetadataQueue {
    private let path: String
    private let descriptor: Int32
    private let buffer: UnsafeMutablePointer<v4l2_buffer>
    /// The buffers' memory by their numbers.
    private var mappings: [(start: UnsafeMutableRawPointer, byteCount: Int)] = []
    private var matcher = MetadataMatcher()
    /// The buffer that is being read.
    private var held: UInt32?
    /// Bytes at the start of a buffer that are wiped before the driver gets it, so that one which it hands out without
    /// filling it shows nothing.
    private let wiped: Int
    /// What is to be done without it, for messages.
    private let remedy: String
    /// What the buffers hold.
    private(set) var format: UInt32 = 0

    /// Opens a node and maps its buffers.
    ///
    /// - Parameters:
    ///   - path: the node's device file.
    ///   - wanted: how many buffers to ask for.
    ///   - formats: what they may hold, the best first.
    ///   - remedy: what is to be done without it, for messages.
    ///   - wiped: bytes at the start of a buffer that are wiped before the driver gets it.
    /// - Throws: ``DeviceError`` if it can't be opened, or keeps nothing of that kind.
    init(
        path: String, wanted: Int, formats: [UInt32], remedy: String, wiped: Int = 0
    ) throws(DeviceError) {
        self.path = path
        self.wiped = wiped
        self.remedy = remedy
        buffer = .allocate(capacity: 1)
        buffer.initialize(to: v4l2_buffer())
        descriptor = fl_device_open(path)
        guard descriptor >= 0 else {
            let code = -descriptor
            if code == EACCES || code == EPERM {
                throw DeviceError(.permission, MissingRight.message(path: path, group: "video"))
            }
            throw failure("open", -code)
        }
        format = try setFormat(formats)
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
    ///
    /// - Throws: ``DeviceError``: the driver refuses, as it does for a node that no link leads to.
    func start() throws(DeviceError) {
        for index in mappings.indices {
            prepare(UInt32(index))
            wipe(index)
            let result = fl_qbuf(descriptor, buffer)
            guard result >= 0 else { throw failure("queue a buffer of", result) }
        }
        matcher = MetadataMatcher()
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
    ///
    /// - Parameters:
    ///   - sequence: the frame's number.
    ///   - nanoseconds: the frame's timestamp; a buffer of another time is not this frame's. Nil uses the number
    ///     alone.
    func take(_ sequence: UInt32, at nanoseconds: Int64? = nil) -> UnsafeRawBufferPointer? {
        giveBack()
        let found = matcher.take(sequence, next: dequeue) { giveBack($0.index) }
        guard let found else { return nil }
        held = found.index
        if let nanoseconds, !found.isOf(nanoseconds: nanoseconds) { return nil }
        let mapping = mappings[Int(found.index)]
        return UnsafeRawBufferPointer(
            start: mapping.start, count: min(found.byteCount, mapping.byteCount))
    }

    /// Gives the buffer back that was read last: the driver may write into it at once.
    private func giveBack() {
        guard let index = held else { return }
        held = nil
        giveBack(index)
    }

    /// Zeroes the start of a buffer, so that what an earlier frame left can't be read as a new one's.
    private func wipe(_ index: Int) {
        let mapping = mappings[index]
        mapping.start.initializeMemory(
            as: UInt8.self, repeating: 0, count: min(wiped, mapping.byteCount))
    }

    /// Queues a buffer again; a refusal is let be, since the stream goes on with one buffer less.
    private func giveBack(_ index: UInt32) {
        prepare(index)
        wipe(Int(index))
        _ = fl_qbuf(descriptor, buffer)
    }

    /// The node's oldest filled buffer; nil if none waits, or the device is gone.
    private func dequeue() -> MetadataBuffer? {
        prepare(0)
        guard fl_dqbuf(descriptor, buffer) >= 0, Int(buffer.pointee.index) < mappings.count else {
            return nil
        }
        return MetadataBuffer(
            index: buffer.pointee.index, sequence: buffer.pointee.sequence,
            byteCount: Int(buffer.pointee.bytesused),
            nanoseconds: Int64(buffer.pointee.timestamp.tv_sec) &* 1_000_000_000
                &+ Int64(buffer.pointee.timestamp.tv_usec) &* 1_000)
    }

    private func prepare(_ index: UInt32) {
        buffer.pointee = v4l2_buffer()
        buffer.pointee.type = V4L2_BUF_TYPE_META_CAPTURE.rawValue
        buffer.pointee.memory = V4L2_MEMORY_MMAP.rawValue
        buffer.pointee.index = index
    }

    /// Sets the first of these formats that the node takes, unless it has one of them already.
    ///
    /// - Parameter wanted: four-character codes, the best first.
    /// - Returns: the format that the node has now.
    private func setFormat(_ wanted: [UInt32]) throws(DeviceError) -> UInt32 {
        var format = v4l2_format()
        format.type = V4L2_BUF_TYPE_META_CAPTURE.rawValue
        // Usually it is the one that stands, and to set it is refused once the frames have their buffers.
        var result = fl_g_fmt(descriptor, &format)
        if result >= 0, wanted.contains(format.fmt.meta.dataformat) {
            return format.fmt.meta.dataformat
        }
        for code in wanted {
            format.fmt.meta.dataformat = code
            result = fl_s_fmt(descriptor, &format)
            if result >= 0, format.fmt.meta.dataformat == code { return code }
        }
        throw failure("set the format of", result < 0 ? result : -EINVAL)
    }

    /// Asks for buffers and maps them; how many the driver grants is up to it.
    private func map(_ wanted: Int) throws(DeviceError) {
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

    /// The message for a request on the node that failed, with what is to be done without it.
    private func failure(_ action: String, _ result: Int32) -> DeviceError {
        DeviceError(
            result == -EBUSY ? .busy : .failed,
            "could not \(action) the camera's metadata node \(path): \(KernelError(code: -result));"
                + " \(remedy)")
    }
}

extension MetadataQueue {
    /// The device files of the metadata nodes beside a capture node, also of those that may not be opened.
    ///
    /// The node has to be opened to see what it is; one whose rights are missing may be one.
    static func nodes(beside node: VideoNode, in tree: SystemTree) -> [String] {
        let siblings = tree.names(in: node.devicePath + "/video4linux").filter { $0 != node.name }
        return siblings.map { tree.path("/dev/\($0)") }.filter(isMetadataNode)
    }

    private static func isMetadataNode(_ path: String) -> Bool {
        let descriptor = fl_device_open(path)
        guard descriptor >= 0 else { return descriptor == -EACCES || descriptor == -EPERM }
        defer { close(descriptor) }
        guard case .success(let capability) = VideoCapability.ask(descriptor: descriptor) else {
            return false
        }
        return capability.flags & UInt32(V4L2_CAP_META_CAPTURE) != 0
    }
}
