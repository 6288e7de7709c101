import BenchCameraModel

/// A host for tests: enumerates nothing, asks and streams as uvcvideo does, and decodes what comes back.
///
/// Its decoder follows the driver's rules for payload headers and shares no code with the camera.
struct FakeHost {
    var machine: CameraMachine
    var now: Int64
    private(set) var frames: [ReceivedFrame] = []
    private var replies = USBIPReplies()
    private var number: UInt32 = 0
    private var pending: Set<UInt32> = []
    private var decoder = PayloadDecoder()
    private(set) var statusPackets: [[UInt8]] = []
    let packetBytes: Int

    init(_ options: CameraOptions, packetBytes: Int = 3072, now: Int64 = 1_000_000_000) {
        machine = CameraMachine(options: options)
        self.packetBytes = packetBytes
        self.now = now
    }

    /// A control transfer; the data of a read, nil for a stall or silence.
    mutating func control(
        _ type: UInt8, _ request: UInt8, value: UInt16, index: UInt16, _ data: [UInt8] = [],
        length: Int = 0
    ) -> [UInt8]? {
        number += 1
        let toHost = type & 0x80 != 0
        let count = toHost ? length : data.count
        var transfer = TransferRequest(
            number: number, endpoint: 0, isToHost: toHost, byteCount: count,
            setup: SetupPacket(
                requestType: type, request: request, value: value, index: index,
                length: UInt16(count)))
        transfer.data = data
        machine.handle(.submit(transfer), now: now, &replies)
        var answer: [UInt8]?
        for reply in takeReplies() where reply.number == number && reply.status == 0 {
            answer = reply.data
        }
        return answer
    }

    mutating func write(unit: UInt8, selector: UInt8, _ bytes: [UInt8]) -> Bool {
        control(0x21, 0x01, value: UInt16(selector) << 8, index: UInt16(unit) << 8, bytes) != nil
    }

    mutating func read(_ request: UInt8, unit: UInt8, selector: UInt8, length: Int) -> [UInt8]? {
        control(
            0xA1, request, value: UInt16(selector) << 8, index: UInt16(unit) << 8, length: length)
    }

    /// Why the last control request was stalled.
    mutating func errorCode() -> UInt8? { read(0x81, unit: 0, selector: 2, length: 1)?.first }

    /// Every automatic off, so that values can be written.
    mutating func goManual() {
        precondition(write(unit: 1, selector: 2, [1]), "manual exposure")
        precondition(write(unit: 1, selector: 8, [0]), "manual focus")
        precondition(write(unit: 2, selector: 0x0B, [0]), "manual white balance")
    }

    mutating func startStream(alternate: UInt16 = 6) {
        decoder = PayloadDecoder()
        frames.removeAll()
        precondition(control(0x01, 0x0B, value: alternate, index: 1) != nil, "SET_INTERFACE")
        for _ in 0..<5 { submitVideo() }
    }

    mutating func submitStatus() {
        number += 1
        let transfer = TransferRequest(
            number: number, endpoint: 2, isToHost: true, byteCount: 16,
            setup: SetupPacket(requestType: 0, request: 0))
        statusNumber = number
        machine.handle(.submit(transfer), now: now, &replies)
        collect()
    }

    private var statusNumber: UInt32 = 0

    private mutating func submitVideo() {
        number += 1
        pending.insert(number)
        var transfer = TransferRequest(
            number: number, endpoint: 1, isToHost: true, byteCount: 32 * packetBytes,
            setup: SetupPacket(requestType: 0, request: 0))
        transfer.packetCount = 32
        transfer.packetBytes = packetBytes
        machine.handle(.submit(transfer), now: now, &replies)
    }

    /// Lets time pass up to the given instant.
    mutating func run(until end: Int64) {
        while let next = machine.nextEventNanoseconds, next <= end {
            now = max(now, next)
            machine.advance(to: now, &replies)
            collect()
            if machine.takePlugChange() != nil { return }
        }
        now = max(now, end)
    }

    private mutating func collect() {
        for reply in takeReplies() {
            if reply.number == statusNumber {
                statusPackets.append(reply.data)
                statusNumber = 0
                submitStatus()
            } else if pending.remove(reply.number) != nil {
                for packet in reply.packets {
                    if let frame = decoder.decode(packet, at: now) { frames.append(frame) }
                }
                submitVideo()
            }
        }
    }

    private mutating func takeReplies() -> [Reply] {
        defer { replies.removeAll() }
        return Reply.all(in: replies.bytes)
    }
}

/// One answer on the wire.
struct Reply {
    let number: UInt32
    let status: Int32
    let data: [UInt8]
    var packets: [[UInt8]] = []

    static func all(in bytes: [UInt8]) -> [Reply] {
        var replies: [Reply] = []
        var position = 0
        func word(_ index: Int) -> UInt32 {
            bytes[(position + 4 * index)..<(position + 4 * index + 4)]
                .reduce(0) { $0 << 8 | UInt32($1) }
        }
        while position < bytes.count {
            let number = word(1)
            let status = Int32(bitPattern: word(5))
            guard word(0) == 3 else {
                replies.append(Reply(number: number, status: status, data: []))
                position += 48
                continue
            }
            // Only answers to reads carry data; the control writes of these tests are told apart by the sum.
            let count = Int(word(6))
            let packetCount = Int(word(8))
            let isRead = position + 48 + count + 16 * packetCount <= bytes.count
            var reply = Reply(
                number: number, status: status,
                data: isRead ? Array(bytes[(position + 48)..<(position + 48 + count)]) : [])
            position += 48 + (isRead ? count : 0)
            var offset = 0
            for _ in 0..<packetCount {
                let length = Int(word(2))
                reply.packets.append(Array(reply.data[offset..<(offset + length)]))
                offset += length
                position += 16
            }
            replies.append(reply)
        }
        return replies
    }
}

/// A frame as the driver would hand it to an application.
struct ReceivedFrame {
    var sequence: Int
    var bytes: [UInt8] = []
    var hasError = false
    let arrivalNanoseconds: Int64
    let presentationTicks: UInt32
}

/// Puts payloads together by frame identifier and end-of-frame bit.
struct PayloadDecoder {
    private var lastIdentifier: UInt8?
    private var sequence = -1
    private var current: ReceivedFrame?

    mutating func decode(_ packet: [UInt8], at now: Int64) -> ReceivedFrame? {
        guard packet.count >= 12, packet[0] == 12 else { return nil }
        let identifier = packet[1] & 1
        var finished: ReceivedFrame?
        if identifier != lastIdentifier {
            finished = current
            sequence += 1
            let ticks = packet[2..<6].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            current = ReceivedFrame(
                sequence: sequence, arrivalNanoseconds: now, presentationTicks: ticks)
        }
        lastIdentifier = identifier
        // Without a frame to add to, this payload is out of step and dropped.
        guard current != nil else { return finished }
        if packet[1] & 0x40 != 0 { current?.hasError = true }
        current?.bytes += packet[12...]
        if packet[1] & 2 != 0 {
            finished = current
            current = nil
        }
        return finished
    }
}
