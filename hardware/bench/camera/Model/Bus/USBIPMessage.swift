/// A request of the host as it arrives over USB/IP (kernel documentation, `usb/usbip_protocol.rst`).
package enum USBIPRequest: Sendable, Equatable {
    case submit(TransferRequest)
    /// Take back the pending transfer `target`; answered under its own number.
    case unlink(number: UInt32, target: UInt32)
}

/// One submitted transfer (URB).
package struct TransferRequest: Sendable, Equatable {
    package var number: UInt32
    package var endpoint: UInt8
    package var isToHost: Bool
    package var byteCount: Int
    /// The packets of an isochronous transfer, all of `packetBytes`; 0 for any other kind.
    package var packetCount = 0
    package var packetBytes = 0
    package var setup: SetupPacket
    /// The data of a transfer to the device.
    package var data: [UInt8] = []

    package init(
        number: UInt32, endpoint: UInt8, isToHost: Bool, byteCount: Int, setup: SetupPacket
    ) {
        self.number = number
        self.endpoint = endpoint
        self.isToHost = isToHost
        self.byteCount = byteCount
        self.setup = setup
    }
}

/// What the peer sent is no USB/IP, or more than a camera can have to do with.
package struct USBIPProtocolError: Error, Equatable, CustomStringConvertible {
    package let description: String
}

/// Cuts the byte stream of the socket into requests.
package struct USBIPParser: Sendable {
    package static let headerBytes = 48
    static let packetDescriptorBytes = 16
    /// Control data of this camera is at most 34 bytes; the kernel's own limit for a control transfer is 4096.
    static let maximumOutBytes = 4096
    static let maximumPackets = 1024

    private var buffer: [UInt8] = []
    private var start = 0

    package init() {}

    package mutating func append(_ bytes: some Collection<UInt8>) {
        if start == buffer.count {
            buffer.removeAll(keepingCapacity: true)
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// The next complete request, or nil until more bytes have come.
    package mutating func next() throws(USBIPProtocolError) -> USBIPRequest? {
        guard buffer.count - start >= Self.headerBytes else { return nil }
        switch word(0) {
        case 1: return try nextSubmit()
        case 2:
            let request = USBIPRequest.unlink(number: word(1), target: word(5))
            start += Self.headerBytes
            return request
        case let command:
            throw USBIPProtocolError(description: "USB/IP command \(command) is not for a device")
        }
    }

    private mutating func nextSubmit() throws(USBIPProtocolError) -> USBIPRequest? {
        let isToHost = word(3) == 1
        let byteCount = Int(Int32(bitPattern: word(6)))
        let packets = max(0, Int(Int32(bitPattern: word(8))))
        let outBytes = isToHost ? 0 : byteCount
        guard byteCount >= 0, outBytes <= Self.maximumOutBytes, packets <= Self.maximumPackets
        else { throw USBIPProtocolError(description: "transfer of \(byteCount) bytes refused") }
        let total = Self.headerBytes + outBytes + packets * Self.packetDescriptorBytes
        guard buffer.count - start >= total else { return nil }
        guard let setup = SetupPacket(buffer[(start + 40)..<(start + 48)]) else { return nil }
        var request = TransferRequest(
            number: word(1), endpoint: UInt8(truncatingIfNeeded: word(4)), isToHost: isToHost,
            byteCount: byteCount, setup: setup)
        let dataStart = start + Self.headerBytes
        request.data = Array(buffer[dataStart..<(dataStart + outBytes)])
        request.packetCount = packets
        if packets > 0 {
            request.packetBytes = try packetBytes(at: dataStart + outBytes, count: packets)
        }
        start += total
        return .submit(request)
    }

    /// The common length of the packets; the host lays them out one after the other.
    private func packetBytes(at position: Int, count: Int) throws(USBIPProtocolError) -> Int {
        let length = Int(bigEndian(at: position + 4))
        for index in 0..<count {
            let descriptor = position + index * Self.packetDescriptorBytes
            guard
                Int(bigEndian(at: descriptor)) == index * length,
                Int(bigEndian(at: descriptor + 4)) == length
            else {
                throw USBIPProtocolError(description: "isochronous packets of unequal length")
            }
        }
        return length
    }

    private func word(_ index: Int) -> UInt32 { bigEndian(at: start + 4 * index) }

    private func bigEndian(at position: Int) -> UInt32 {
        UInt32(buffer[position]) << 24 | UInt32(buffer[position + 1]) << 16
            | UInt32(buffer[position + 2]) << 8 | UInt32(buffer[position + 3])
    }
}
