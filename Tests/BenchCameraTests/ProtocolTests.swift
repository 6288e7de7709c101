import BenchCameraModel
import Testing

@Suite struct ProtocolTests {
    /// Read device descriptor, as the kernel's vhci sends it.
    private static let submit: [UInt8] = [
        0, 0, 0, 1, 0, 0, 0, 7, 0, 1, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0,
        0, 0, 2, 0, 0, 0, 0, 18, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0x80, 6, 0, 1, 0, 0, 18, 0,
    ]

    @Test func `requests are cut from the stream wherever it breaks`() throws {
        let unlink: [UInt8] =
            [0, 0, 0, 2, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7]
            + [UInt8](repeating: 0, count: 24)
        let stream = Self.submit + unlink + Self.submit
        for size in [1, 7, 48, 50, 144] {
            var parser = USBIPParser()
            var requests: [USBIPRequest] = []
            for start in stride(from: 0, to: stream.count, by: size) {
                parser.append(stream[start..<min(start + size, stream.count)])
                while let request = try parser.next() { requests.append(request) }
            }
            let transfer = TransferRequest(
                number: 7, endpoint: 0, isToHost: true, byteCount: 18,
                setup: SetupPacket(requestType: 0x80, request: 6, value: 0x0100, length: 18))
            #expect(
                requests == [.submit(transfer), .unlink(number: 8, target: 7), .submit(transfer)])
        }
    }

    @Test func `what is no request ends the connection instead of being guessed at`() {
        var foreign = Self.submit
        foreign[3] = 9
        var tooLong = Self.submit
        tooLong[15] = 0
        tooLong[24] = 0x70
        var tooManyPackets = Self.submit
        tooManyPackets[33] = 1
        for bytes in [foreign, tooLong, tooManyPackets] {
            var parser = USBIPParser()
            parser.append(bytes)
            #expect(throws: USBIPProtocolError.self) { try parser.next() }
        }
    }

    @Test func `every prefix and every damaged byte is survived`() {
        for position in Self.submit.indices {
            for value in [0, 1, 0x7F, 0x80, 0xFF] as [UInt8] {
                var bytes = Self.submit
                bytes[position] = value
                var parser = USBIPParser()
                parser.append(bytes)
                // Whether it is taken or refused, it must come back.
                _ = try? parser.next()
            }
        }
    }

    @Test(arguments: [BusSpeed.high, .super])
    func `descriptors chain up to their announced lengths`(speed: BusSpeed) throws {
        let catalog = try StreamCatalog(
            layouts: [.yuyv, .grey],
            sizes: [PictureSize(width: 640, height: 480), PictureSize(width: 320, height: 240)],
            rates: [30, 60], speed: speed)
        let set = DescriptorSet(speed: speed, catalog: catalog, product: "p", serial: "s")
        let bytes = try #require(set.descriptor(type: 2, index: 0))
        #expect(Int(bytes[2]) | Int(bytes[3]) << 8 == bytes.count)
        var position = 0
        var alternates = 0
        var formats = 0
        while position < bytes.count {
            let length = Int(bytes[position])
            try #require(length >= 2 && position + length <= bytes.count)
            if bytes[position + 1] == 4, bytes[position + 2] == 1 { alternates += 1 }
            if bytes[position + 1] == 0x24, bytes[position + 2] == 4 { formats += 1 }
            position += length
        }
        #expect(alternates == speed.alternates.count + 1)
        #expect(formats == 2)
        #expect(set.descriptor(type: 1, index: 0)?.count == 18)
        #expect(set.descriptor(type: 3, index: 3) == [4, 3, UInt8(ascii: "s"), 0])
        #expect(set.descriptor(type: 3, index: 4) == nil)
    }

    @Test func `a mode that the bus cannot carry is not offered`() throws {
        let sizes = [PictureSize(width: 640, height: 480), PictureSize(width: 320, height: 240)]
        let high = try StreamCatalog(
            layouts: [.yuyv, .grey], sizes: sizes, rates: [60], speed: .high)
        // 640 × 480 × 2 bytes × 60 is more than the 24 MB/s of High speed; half of it is not.
        #expect(high.formats[0].frames.map(\.size) == [sizes[1]])
        #expect(high.formats[1].frames.map(\.size) == sizes)
        #expect(throws: EmptyCatalog.self) {
            try StreamCatalog(
                layouts: [.yuyv], sizes: [PictureSize(width: 1920, height: 1080)], rates: [60],
                speed: .high)
        }
        let fast = try StreamCatalog(
            layouts: [.yuyv], sizes: [PictureSize(width: 1920, height: 1080)], rates: [60],
            speed: .super)
        #expect(fast.formats[0].frames[0].intervals == [166_666])
    }

    @Test func `a proposal is answered with the nearest mode, its sizes and its bandwidth`() throws
    {
        let catalog = try StreamCatalog(
            layouts: [.yuyv],
            sizes: [PictureSize(width: 640, height: 480), PictureSize(width: 320, height: 240)],
            rates: [15, 30], speed: .high)
        var wanted = [UInt8](repeating: 0, count: 34)
        wanted[2] = 7
        wanted[3] = 2
        wanted[4...7] = [0x40, 0x0D, 0x03, 0]
        let agreed = try #require(StreamingControl(wanted)).negotiated(catalog)
        let bytes = agreed.encoded(catalog)
        #expect(bytes.count == 34)
        #expect(bytes[2] == 1 && bytes[3] == 2)
        #expect(bytes[4...7].reversed().reduce(0) { $0 << 8 | Int($1) } == 333_333)
        #expect(bytes[18...21].reversed().reduce(0) { $0 << 8 | Int($1) } == 153_600)
        // 153600 bytes in 0.9 of 266 microframes, and 12 bytes of header: the bus needs the 1024-byte setting.
        let payload = bytes[22...25].reversed().reduce(0) { $0 << 8 | Int($1) }
        #expect(payload == 655)
        #expect(StreamingControl([1, 2, 3]) == nil)
    }

    @Test(arguments: [
        "drop", "drop@", "drop@-1", "drop@9-3", "drop@1/0", "melt@3", "overrun@3", "drop@1@2",
        "forget@x", "@4",
    ])
    func `a fault that cannot be read is named`(text: String) {
        #expect(throws: FaultSyntaxError(text: text)) { try FaultSchedule("err@1," + text) }
    }

    @Test func `a schedule strikes single frames, ranges and series`() throws {
        let schedule = try FaultSchedule("drop@3,lose@10-12,err@20/5,short@40-50/4,forget")
        let struck = (0..<60).filter { schedule.fault(at: $0) != nil }
        #expect(struck == [3, 10, 11, 12, 20, 25, 30, 35, 40, 44, 45, 48, 50, 55])
        #expect(schedule.fault(at: 40) == .error)
        #expect(schedule.fault(at: 44) == .short)
        #expect(schedule.forgetsAtStart)
    }
}
