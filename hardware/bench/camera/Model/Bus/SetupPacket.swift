/// The eight bytes that open a control transfer.
package struct SetupPacket: Sendable, Equatable {
    package var requestType: UInt8
    package var request: UInt8
    package var value: UInt16
    package var index: UInt16
    package var length: UInt16

    package init(
        requestType: UInt8, request: UInt8, value: UInt16 = 0, index: UInt16 = 0, length: UInt16 = 0
    ) {
        self.requestType = requestType
        self.request = request
        self.value = value
        self.index = index
        self.length = length
    }

    /// Reads a setup packet; nil unless there are exactly eight bytes.
    package init?(_ bytes: some Collection<UInt8>) {
        let fields = Array(bytes)
        guard fields.count == 8 else { return nil }
        self.init(
            requestType: fields[0], request: fields[1],
            value: UInt16(fields[2...3].littleEndianUnsigned),
            index: UInt16(fields[4...5].littleEndianUnsigned),
            length: UInt16(fields[6...7].littleEndianUnsigned))
    }

    package var isToHost: Bool { requestType & 0x80 != 0 }

    /// Standard, class or vendor: bits 5 and 6 of the request type.
    package var kind: Kind { Kind(rawValue: requestType >> 5 & 3) ?? .vendor }

    package enum Kind: UInt8, Sendable {
        case standard = 0
        case `class` = 1
        case vendor = 2
    }
}
