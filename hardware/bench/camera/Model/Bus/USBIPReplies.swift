/// Answers to the host, written one after the other into one buffer that is sent as a whole.
package struct USBIPReplies: Sendable {
    /// `-EPIPE`, how a host controller reports a stall.
    static let stalled: Int32 = -32
    /// `-ECONNRESET`, the status of a transfer that was taken back.
    static let unlinked: Int32 = -104

    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    /// Completes a control or interrupt transfer.
    ///
    /// - Parameter count: bytes transferred; the data itself goes along only to the host.
    mutating func complete(_ number: UInt32, count: Int, data: [UInt8] = []) {
        appendHeader(number, status: 0, count: count, packets: 0)
        bytes.append(contentsOf: data)
    }

    mutating func stall(_ number: UInt32) {
        appendHeader(number, status: Self.stalled, count: 0, packets: 0)
    }

    mutating func unlink(_ number: UInt32, wasPending: Bool) {
        words([4, number, 0, 0, 0, UInt32(bitPattern: wasPending ? Self.unlinked : 0)])
        bytes.append(contentsOf: repeatElement(0, count: USBIPParser.headerBytes - 24))
    }

    /// Completes an isochronous transfer whose packets `fill` appends one by one.
    ///
    /// - Parameter fill: appends the bytes of the packet with the given index.
    mutating func completeIsochronous(
        _ request: TransferRequest, startFrame: UInt32, fill: (Int, inout [UInt8]) -> Void
    ) {
        let header = bytes.count
        appendHeader(
            request.number, status: 0, count: 0, packets: request.packetCount,
            startFrame: startFrame)
        let dataStart = bytes.count
        var lengths: [Int] = []
        lengths.reserveCapacity(request.packetCount)
        for index in 0..<request.packetCount {
            let before = bytes.count
            fill(index, &bytes)
            lengths.append(bytes.count - before)
        }
        patch(UInt32(bytes.count - dataStart), at: header + 24)
        for (index, length) in lengths.enumerated() {
            words([
                UInt32(index * request.packetBytes), UInt32(request.packetBytes), UInt32(length), 0,
            ])
        }
    }

    private mutating func appendHeader(
        _ number: UInt32, status: Int32, count: Int, packets: Int, startFrame: UInt32 = 0
    ) {
        words([
            3, number, 0, 0, 0, UInt32(bitPattern: status), UInt32(count), startFrame,
            UInt32(packets), 0, 0, 0,
        ])
    }

    private mutating func words(_ values: [UInt32]) {
        for value in values {
            withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
        }
    }

    private mutating func patch(_ value: UInt32, at position: Int) {
        for index in 0..<4 {
            bytes[position + index] = UInt8(truncatingIfNeeded: value >> UInt32(24 - 8 * index))
        }
    }
}
