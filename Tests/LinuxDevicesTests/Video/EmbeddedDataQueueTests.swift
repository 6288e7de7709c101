import CVideo
import Devices
import Foundation
import Glibc
import Testing

@testable import LinuxDevices

/// A metadata node played by the test: buffers of a page each in a file, filled when they are handed out.
private final class FakeMetadataNode {
    let path = FileManager.default.temporaryDirectory
        .appendingPathComponent("framelock-metadata-\(UUID().uuidString)").path
    /// Format codes that the node takes; it begins with another.
    var formats: [String]
    /// What is handed out next.
    var deliveries: [(sequence: UInt32, bytes: [UInt8])] = []
    /// Frames whose buffers are handed out as full, without anything written into them.
    var unfilled: Set<UInt32> = []
    /// The timestamps of buffers in nanoseconds; 0 for all others.
    var times: [UInt32: Int] = [:]
    /// What starting it answers.
    var startErrno: Int32 = 0
    private(set) var queued: [UInt32] = []
    private var format: UInt32 = 0

    init(_ formats: [String]) {
        self.formats = formats
        _ = FileManager.default.createFile(
            atPath: path, contents: Data(count: 16 * 4_096))
    }

    deinit { unlink(path) }

    static func code(_ name: String) -> UInt32 {
        name.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    func attached<Result>(_ body: () throws -> Result) rethrows -> Result {
        let installed = fl_set_ioctl_hook(
            { context, descriptor, request, argument in
                guard let context else { return -1 }
                let node = Unmanaged<FakeMetadataNode>.fromOpaque(context).takeUnretainedValue()
                let code = node.answer(descriptor, request, argument)
                if code == 0 { return 0 }
                errno = code
                return -1
            }, Unmanaged.passUnretained(self).toOpaque())
        precondition(installed == 1, "tests of the device need a debug build")
        defer { fl_set_ioctl_hook(nil, nil) }
        return try body()
    }

    private func answer(
        _ descriptor: Int32, _ request: UInt, _ argument: UnsafeMutableRawPointer
    ) -> Int32 {
        typealias Request = FakeVideoDevice.Request
        let buffer = argument.assumingMemoryBound(to: v4l2_buffer.self)
        switch request {
        case Request.getFormat: argument.storeBytes(of: format, toByteOffset: 8, as: UInt32.self)
        case Request.setFormat:
            let asked = argument.load(fromByteOffset: 8, as: UInt32.self)
            if formats.contains(where: { Self.code($0) == asked }) { format = asked }
            argument.storeBytes(of: format, toByteOffset: 8, as: UInt32.self)
        case Request.requestBuffers: break
        case Request.queryBuffer:
            buffer.pointee.length = 4_096
            buffer.pointee.m.offset = buffer.pointee.index * 4_096
        case Request.queueBuffer: queued.append(buffer.pointee.index)
        case Request.dequeueBuffer:
            guard !deliveries.isEmpty, !queued.isEmpty else { return EAGAIN }
            let next = deliveries.removeFirst()
            buffer.pointee.index = queued.removeFirst()
            buffer.pointee.sequence = next.sequence
            buffer.pointee.bytesused = UInt32(next.bytes.count)
            let time = times[next.sequence] ?? 0
            (buffer.pointee.timestamp.tv_sec, buffer.pointee.timestamp.tv_usec) =
                (time / 1_000_000_000, time % 1_000_000_000 / 1_000)
            if unfilled.contains(next.sequence) { return 0 }
            pwrite(descriptor, next.bytes, next.bytes.count, off_t(buffer.pointee.index) * 4_096)
        case Request.streamOn: return startErrno
        case Request.streamOff: break
        default: return ENOTTY
        }
        return 0
    }
}

/// What a raw sensor says of its frames, through the kernel's interface.
@Suite struct EmbeddedDataQueueTests {
    /// A line that says how many lines a frame was exposed for, with a dummy after so many bytes.
    private static func line(_ exposure: UInt16, dummyEvery place: Int) -> [UInt8] {
        let bytes: [UInt8] = [
            0x0a, 0xaa, 0x02, 0xa5, 0x02, 0x5a, UInt8(exposure >> 8), 0x5a,
            UInt8(exposure & 0xff), 0x07, 0x07,
        ]
        var line: [UInt8] = []
        for byte in bytes {
            if line.count % place == place - 1 { line.append(0x55) }
            line.append(byte)
        }
        // The rest of a buffer is whatever was there.
        return line + [0x5a, 0x33, 0xff]
    }

    @Test(arguments: [("SENS", 5), ("SENS", 3), ("MC1A", 5), ("MC1C", 3)])
    func `each frame gets what the sensor said of it, by its number`(
        format: String, place: Int
    ) throws {
        let node = FakeMetadataNode([format])
        try node.attached {
            let queue = try #require(EmbeddedDataQueue([node.path], bufferCount: 4))
            try queue.start()
            let all = node.queued.count
            // That of frame 7 is lost, and frame 9 never comes.
            node.deliveries = [6, 8, 9, 10].map {
                ($0, Self.line(UInt16($0) * 100, dummyEvery: place))
            }
            #expect(
                [6, 7, 8, 10, 11].map { queue.data(of: $0)?.exposureLines }
                    == [600, nil, 800, 1_000, nil])
            queue.stop()
            // What was read and what was passed over went back to the driver.
            #expect(node.queued.count == all && Set(node.queued).count == all)
        }
    }

    @Test func `a buffer that the receiver did not fill says nothing, whatever it held before`()
        throws
    {
        let node = FakeMetadataNode(["MC1A"])
        try node.attached {
            let queue = try #require(EmbeddedDataQueue([node.path], bufferCount: 2))
            try queue.start()
            // Every buffer has been used by then.
            node.deliveries = (0..<12).map { ($0, Self.line(UInt16($0) + 100, dummyEvery: 5)) }
            node.unfilled = [9, 10]
            let said = (0..<12).map { queue.data(of: $0)?.exposureLines }
            #expect(said.prefix(9) == ArraySlice((100..<109).map { UInt16($0) }))
            #expect(said.suffix(3) == [nil, nil, 111])
            queue.stop()
        }
    }

    @Test func `a buffer of another time is not the frame's`() throws {
        let node = FakeMetadataNode(["MC1A"])
        try node.attached {
            let queue = try #require(EmbeddedDataQueue([node.path], bufferCount: 4))
            try queue.start()
            node.deliveries = (0..<3).map { ($0, Self.line(500, dummyEvery: 5)) }
            node.times = [0: 1_000_000_000, 1: 1_033_000_000, 2: 1_034_000_000]
            let frames: [Int64] = [1_000_004_000, 1_033_000_000, 1_066_000_000]
            let said = frames.enumerated().map { number, time in
                queue.data(of: UInt32(number), at: time)?.exposureLines
            }
            #expect(said == [500, 500, nil])
            queue.stop()
        }
    }

    @Test func `the packing that a format names is the only one that is believed`() throws {
        let node = FakeMetadataNode(["MC1C"])
        try node.attached {
            let queue = try #require(EmbeddedDataQueue([node.path], bufferCount: 4))
            try queue.start()
            node.deliveries = [(1, Self.line(100, dummyEvery: 5)), (2, []), (3, [0, 1, 2])]
            #expect([1, 2, 3].allSatisfy { queue.data(of: $0) == nil })
        }
    }

    @Test func `a node of another kind is none`() {
        let node = FakeMetadataNode(["UVCH", "VIVD"])
        node.attached {
            #expect(EmbeddedDataQueue([node.path], bufferCount: 4) == nil)
            #expect(EmbeddedDataQueue([], bufferCount: 4) == nil)
            #expect(EmbeddedDataQueue(["/dev/framelock-no-such-node"], bufferCount: 4) == nil)
        }
    }
}
