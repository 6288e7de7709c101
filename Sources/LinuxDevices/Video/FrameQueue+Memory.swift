internal import CVideo
internal import Devices
internal import Glibc

extension FrameQueue {
    /// Asks for buffers (VIDIOC_REQBUFS); the driver answers with how many there are.
    ///
    /// Two is the least that a stream can go on with: one is filled while the other is read.
    ///
    /// - Throws: ``DeviceError`` if the driver refuses, or grants fewer than 2 or more than VIDEO_MAX_FRAME.
    static func requestBuffers(_ device: VideoDevice, _ wanted: Int) throws(DeviceError) -> Int {
        var request = v4l2_requestbuffers()
        request.count = UInt32(clamping: wanted)
        request.type = device.bufferType
        request.memory = V4L2_MEMORY_MMAP.rawValue
        let result = fl_reqbufs(device.descriptor, &request)
        guard result >= 0 else { throw device.failure(result, "get \(wanted) frame buffers") }
        guard (2...Int(VIDEO_MAX_FRAME)).contains(Int(request.count)) else {
            throw DeviceError(
                .failed,
                "\(device.subject) granted \(request.count) frame buffers; at least 2 are needed, "
                    + "so free memory (CMA on a board) or ask for a smaller format")
        }
        return Int(request.count)
    }

    /// Maps one buffer.
    ///
    /// - Parameters:
    ///   - device: the node that granted it.
    ///   - index: its number.
    ///   - frameBytes: bytes of a complete frame; a shorter buffer is refused, since frames would be read past its end.
    /// - Returns: its memory and the flags that the driver keeps for it.
    static func map(_ device: VideoDevice, _ index: Int, _ frameBytes: Int) throws(DeviceError)
        -> (Mapping, flags: UInt32)
    {
        var plane = v4l2_plane()
        var buffer = v4l2_buffer()
        buffer.index = UInt32(index)
        buffer.type = device.bufferType
        buffer.memory = V4L2_MEMORY_MMAP.rawValue
        let result = withUnsafeMutablePointer(to: &plane) { plane in
            if device.isMultiplanar {
                buffer.m.planes = plane
                buffer.length = 1
            }
            return fl_querybuf(device.descriptor, &buffer)
        }
        guard result >= 0 else { throw device.failure(result, "describe frame buffer \(index)") }
        let length = device.isMultiplanar ? plane.length : buffer.length
        let offset = device.isMultiplanar ? plane.m.mem_offset : buffer.m.offset
        guard Int(length) >= frameBytes else {
            throw DeviceError(
                .failed,
                "\(device.subject) gave a buffer of \(length) bytes for frames "
                    + "of \(frameBytes): its driver is broken")
        }
        var start: UnsafeMutableRawPointer?
        let mapped = fl_buffer_map(device.descriptor, UInt64(length), UInt64(offset), &start)
        guard let start else { throw device.failure(mapped, "map frame buffer \(index)") }
        return (Mapping(start: start, byteCount: Int(length), offset: 0), buffer.flags)
    }

    /// Unmaps buffers and frees them in the driver; harmless if the device is gone.
    ///
    /// In this order: VIDIOC_REQBUFS with a count of 0 may refuse buffers that are still mapped (EBUSY).
    static func giveBack(_ device: VideoDevice, _ mappings: [Mapping]) {
        for mapping in mappings {
            _ = fl_buffer_unmap(mapping.start, UInt64(mapping.byteCount))
        }
        var request = v4l2_requestbuffers()
        request.type = device.bufferType
        request.memory = V4L2_MEMORY_MMAP.rawValue
        _ = fl_reqbufs(device.descriptor, &request)
    }
}
