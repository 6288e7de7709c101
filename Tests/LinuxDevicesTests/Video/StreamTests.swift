import Devices
import Foundation
import Imaging
import LinuxDevices
import Testing
import Timebase

@Suite struct StreamTests {
    let fake = FakeCamera()
    let frameBytes: UInt32 = 64 * 2 * 48

    func frame(_ sequence: UInt32, bytes: UInt32? = nil, flags: UInt32 = 0x2000)
        -> FakeVideoDevice.Frame
    {
        FakeVideoDevice.Frame(
            sequence: sequence, seconds: 12, microseconds: 345_678, bytes: bytes ?? frameBytes,
            flags: flags)
    }

    func delivered(_ camera: V4L2Camera) throws -> DequeuedFrame {
        guard case .frame(let frame) = camera.dequeue() else {
            throw DeviceError(.failed, "no frame")
        }
        return frame
    }

    @Test func `a stream starts with every buffer queued`() throws {
        try fake.stream { _ in
            #expect(fake.device.queued == [0, 1, 2, 3, 4, 5, 6, 7])
            #expect(fake.device.isStreaming)
        }
        #expect(!fake.device.isStreaming)
    }

    @Test func `a frame comes with its own number, timestamp and bytes`() throws {
        fake.device.frames = [frame(41)]
        try fake.stream { camera in
            let frame = try delivered(camera)
            #expect(frame.sequence == 41)
            #expect(frame.timestamp == Instant(nanoseconds: 12_345_678_000))
            #expect(frame.byteCount == Int(frameBytes))
            #expect(!frame.isDamaged)
            #expect(camera.bytes(of: frame).count == Int(frameBytes))
            #expect(camera.dequeue() == .empty)
        }
    }

    @Test func `a buffer holds the bytes that the device put there`() throws {
        fake.device.frames = [frame(0), frame(1)]
        try fake.stream { camera in
            _ = try delivered(camera)
            let second = try delivered(camera)
            let file = try #require(FileHandle(forWritingAtPath: fake.root.path + "/dev/video0"))
            try file.seek(toOffset: UInt64(fake.device.bufferStride))
            try file.write(contentsOf: Data([7, 8, 9]))
            #expect(Array(camera.bytes(of: second).prefix(4)) == [7, 8, 9, 0])
        }
    }

    @Test func `a requeued buffer is filled again`() throws {
        fake.device.frames = (0..<20).map { frame($0) }
        try fake.stream { camera in
            for sequence in UInt32(0)..<20 {
                let frame = try delivered(camera)
                #expect(frame.sequence == sequence)
                #expect(frame.buffer == Int32(sequence % 8))
                #expect(camera.requeue(frame) == 0)
            }
        }
    }

    @Test func `a frame that the driver marked is damaged`() throws {
        fake.device.frames = [frame(0, flags: 0x2040)]
        #expect(try fake.stream { try delivered($0).isDamaged })
    }

    @Test func `a frame that lacks a byte is damaged`() throws {
        fake.device.frames = [frame(0, bytes: frameBytes - 1)]
        try fake.stream { camera in
            let frame = try delivered(camera)
            #expect(frame.isDamaged)
            // Whoever looks at it all the same finds memory for a whole frame.
            #expect(camera.bytes(of: frame).count == Int(frameBytes))
        }
    }

    @Test func `rows need no padding after the last one`() throws {
        fake.device.rowPadding = 32
        fake.device.frames = [frame(0, bytes: 160 * 48 - 32)]
        #expect(try fake.stream { try !delivered($0).isDamaged })
    }

    @Test(arguments: [Int32(19), 5]) func `a broken stream is reported once and for all`(
        code: Int32
    ) throws {
        fake.device.failures[FakeVideoDevice.Request.dequeueBuffer] = code
        try fake.stream { camera in
            #expect(camera.dequeue() == .failed(errno: code))
            camera.stop()
            camera.stop()
        }
    }

    @Test func `a timestamp of another clock in mid-stream breaks the stream`() throws {
        fake.device.frames = [frame(0, flags: 0)]
        #expect(try fake.stream { $0.dequeue() } == .failed(errno: 71))
    }

    @Test func `an interrupted request is made again`() throws {
        fake.device.interruptions[FakeVideoDevice.Request.dequeueBuffer] = 3
        fake.device.frames = [frame(5)]
        #expect(try fake.stream { try delivered($0).sequence } == 5)
    }

    @Test func `a descriptor in error does not look like an empty queue for ever`() throws {
        try fake.stream { camera in
            // The poll of a pipe whose writer is gone reports POLLHUP, as that of a lost device does.
            var ends: [Int32] = [0, 0]
            #expect(pipe(&ends) == 0)
            close(ends[1])
            #expect(dup2(ends[0], camera.pollDescriptor) == camera.pollDescriptor)
            close(ends[0])
            #expect(camera.dequeue() == .empty)
            #expect(camera.dequeue() == .failed(errno: 19))
        }
    }

    @Test func `an empty queue asked twice is still only empty`() throws {
        try fake.stream { camera in
            #expect(camera.dequeue() == .empty)
            #expect(camera.dequeue() == .empty)
            #expect(camera.dequeue() == .empty)
        }
    }

    @Test func `what lies before a multi-planar frame is skipped`() throws {
        fake.device.capabilities = 0x0400_1000
        fake.device.imageBytes = frameBytes + 64
        fake.device.dataOffset = 64
        fake.device.frames = [frame(0, bytes: frameBytes + 64), frame(1, bytes: frameBytes + 63)]
        let file = try #require(FileHandle(forWritingAtPath: fake.root.path + "/dev/video0"))
        try file.seek(toOffset: 64)
        try file.write(contentsOf: Data([1, 2, 3]))
        try fake.stream { camera in
            let whole = try delivered(camera)
            #expect(!whole.isDamaged)
            #expect(whole.byteCount == Int(frameBytes))
            #expect(Array(camera.bytes(of: whole).prefix(3)) == [1, 2, 3])
            #expect(try delivered(camera).isDamaged)
        }
    }

    @Test func `a camera that is not configured neither starts nor delivers`() throws {
        try fake.use { camera in
            #expect(camera.dequeue() == .empty)
            let error = try cameraError { try camera.start() }
            #expect(error.message.contains("before it was configured"))
        }
    }
}
