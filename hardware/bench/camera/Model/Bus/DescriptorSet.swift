/// Everything the camera says about itself while it enumerates.
package struct DescriptorSet: Sendable {
    package static let controlInterface: UInt8 = 0
    package static let streamingInterface: UInt8 = 1
    package static let videoEndpoint: UInt8 = 1
    package static let statusEndpoint: UInt8 = 2
    static let statusBytes = 16

    package let device: [UInt8]
    package let configuration: [UInt8]
    package let binaryObjectStore: [UInt8]
    private let texts: [String]

    package init(speed: BusSpeed, catalog: StreamCatalog, product: String, serial: String) {
        device = Self.device(speed)
        configuration = Self.configuration(speed, catalog)
        binaryObjectStore = Self.binaryObjectStore
        texts = ["framelock", product, serial]
    }

    /// The descriptor that GET_DESCRIPTOR asks for, or nil if the camera has none.
    package func descriptor(type: UInt8, index: UInt8) -> [UInt8]? {
        switch type {
        case 1: device
        case 2: index == 0 ? configuration : nil
        case 3: string(index)
        case 15: binaryObjectStore
        default: nil
        }
    }

    private func string(_ index: UInt8) -> [UInt8]? {
        if index == 0 { return [4, 3, 0x09, 0x04] }
        guard index <= texts.count else { return nil }
        // A descriptor's length is one byte: 126 UTF-16 units at most.
        let units = texts[Int(index) - 1].utf16.prefix(126)
        var builder = ByteBuilder()
        builder.byte(UInt8(2 + 2 * units.count))
        builder.byte(3)
        for unit in units { builder.littleEndian(Int(unit), bytes: 2) }
        return builder.bytes
    }

    private static func device(_ speed: BusSpeed) -> [UInt8] {
        var builder = ByteBuilder()
        builder.append([18, 1])
        builder.littleEndian(speed == .super ? 0x0300 : 0x0200, bytes: 2)
        // A device whose functions are told apart by interface association.
        builder.append([0xEF, 2, 1, speed == .super ? 9 : 64])
        // 1209:0001 is pid.codes' identity for private testing.
        builder.littleEndian(0x1209, bytes: 2)
        builder.littleEndian(0x0001, bytes: 2)
        builder.littleEndian(0x0100, bytes: 2)
        builder.append([1, 2, 3, 1])
        return builder.bytes
    }

    /// USB 2.0 extension and SuperSpeed capability, which a SuperSpeed device must have.
    private static let binaryObjectStore: [UInt8] = [
        5, 15, 22, 0, 2,
        7, 16, 2, 0, 0, 0, 0,
        10, 16, 3, 0, 0x0E, 0, 3, 0, 0, 0,
    ]

    private static func configuration(_ speed: BusSpeed, _ catalog: StreamCatalog) -> [UInt8] {
        var body = ByteBuilder()
        body.append([8, 11, controlInterface, 2, 0x0E, 3, 0, 0])
        body.append(VideoControlDescriptors.bytes(speed))
        body.append(VideoStreamingDescriptors.bytes(speed, catalog))
        var builder = ByteBuilder()
        builder.append([9, 2])
        builder.littleEndian(9 + body.bytes.count, bytes: 2)
        // Bus powered: 100 mA at High speed (unit 2 mA), 400 mA at SuperSpeed (8 mA).
        builder.append([2, 1, 0, 0x80, 50])
        builder.append(body.bytes)
        return builder.bytes
    }
}
