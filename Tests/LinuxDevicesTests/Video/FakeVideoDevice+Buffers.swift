import CVideo
import Glibc

extension FakeVideoDevice {
    func answerBuffer(_ request: UInt, _ argument: UnsafeMutableRawPointer) -> Int32 {
        let buffer = argument.assumingMemoryBound(to: v4l2_buffer.self)
        switch request {
        case Request.requestBuffers:
            let wanted = argument.assumingMemoryBound(to: v4l2_requestbuffers.self)
            wanted.pointee.count = min(wanted.pointee.count, bufferCountLimit)
            queued = []
        case Request.queryBuffer:
            buffer.pointee.flags = bufferFlags
            let offset = buffer.pointee.index * bufferStride
            if isMultiplanar {
                buffer.pointee.m.planes?.pointee.length = imageBytesSet
                buffer.pointee.m.planes?.pointee.m.mem_offset = offset
            } else {
                buffer.pointee.length = imageBytesSet
                buffer.pointee.m.offset = offset
            }
        case Request.queueBuffer: queued.append(buffer.pointee.index)
        case Request.dequeueBuffer: return deliver(buffer)
        case Request.streamOn: isStreaming = true
        case Request.streamOff: isStreaming = false
        default: return ENOTTY
        }
        return 0
    }

    private func deliver(_ buffer: UnsafeMutablePointer<v4l2_buffer>) -> Int32 {
        guard isStreaming, !frames.isEmpty, !queued.isEmpty else { return EAGAIN }
        let frame = frames.removeFirst()
        buffer.pointee.index = queued.removeFirst()
        buffer.pointee.sequence = frame.sequence
        buffer.pointee.timestamp = timeval(
            tv_sec: frame.seconds, tv_usec: frame.microseconds)
        buffer.pointee.flags = frame.flags
        if isMultiplanar {
            buffer.pointee.m.planes?.pointee.bytesused = frame.bytes
            buffer.pointee.m.planes?.pointee.data_offset = dataOffset
        } else {
            buffer.pointee.bytesused = frame.bytes
        }
        return 0
    }
}
