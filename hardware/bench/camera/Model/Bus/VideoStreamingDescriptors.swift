/// The streaming interface: its formats, sizes and rates, and one alternate setting for each bandwidth.
enum VideoStreamingDescriptors {
    static func bytes(_ speed: BusSpeed, _ catalog: StreamCatalog) -> [UInt8] {
        var builder = ByteBuilder()
        builder.append(interface(alternate: 0, endpoints: 0))
        builder.append(formats(catalog))
        for (index, alternate) in speed.alternates.enumerated() {
            builder.append(interface(alternate: UInt8(index + 1), endpoints: 1))
            builder.append(endpoint(alternate, speed))
        }
        return builder.bytes
    }

    private static func interface(alternate: UInt8, endpoints: UInt8) -> [UInt8] {
        [9, 4, DescriptorSet.streamingInterface, alternate, endpoints, 0x0E, 2, 0, 0]
    }

    private static func formats(_ catalog: StreamCatalog) -> [UInt8] {
        var body: [UInt8] = []
        for (index, format) in catalog.formats.enumerated() {
            body += self.format(format, index: UInt8(index + 1))
        }
        let count = catalog.formats.count
        var builder = ByteBuilder()
        builder.append([UInt8(13 + count), 0x24, 0x01, UInt8(count)])
        builder.littleEndian(13 + count + body.count, bytes: 2)
        builder.append([
            0x80 | DescriptorSet.videoEndpoint, 0, UVCControl.outputTerminal, 0, 0, 0, 1,
        ])
        builder.append([UInt8](repeating: 0, count: count))
        builder.append(body)
        return builder.bytes
    }

    private static func format(_ format: StreamCatalog.Format, index: UInt8) -> [UInt8] {
        var builder = ByteBuilder()
        builder.append([27, 0x24, 0x04, index, UInt8(format.frames.count)])
        builder.append(format.layout.guid)
        builder.append([UInt8(8 * format.layout.bytesPerPixel), 1, 0, 0, 0, 0])
        for (index, frame) in format.frames.enumerated() {
            builder.append(self.frame(frame, format.layout, index: UInt8(index + 1)))
        }
        // Colour matching: BT.709 primaries and transfer, SMPTE 170M matrix.
        builder.append([6, 0x24, 0x0D, 1, 1, 4])
        return builder.bytes
    }

    private static func frame(
        _ frame: StreamCatalog.Frame, _ layout: PixelLayout, index: UInt8
    ) -> [UInt8] {
        let frameBytes = frame.size.width * frame.size.height * layout.bytesPerPixel
        let bitRates = frame.intervals.map { frameBytes * 8 * 10_000_000 / $0 }
        var builder = ByteBuilder()
        builder.append([UInt8(26 + 4 * frame.intervals.count), 0x24, 0x05, index, 0])
        builder.littleEndian(frame.size.width, bytes: 2)
        builder.littleEndian(frame.size.height, bytes: 2)
        // A bit rate is a 32-bit field; 1080p60 at 16 bits a pixel (1.99e9) still fits.
        builder.littleEndian(min(bitRates.min() ?? 0, Int(UInt32.max)), bytes: 4)
        builder.littleEndian(min(bitRates.max() ?? 0, Int(UInt32.max)), bytes: 4)
        builder.littleEndian(frameBytes, bytes: 4)
        builder.littleEndian(frame.intervals[0], bytes: 4)
        builder.byte(UInt8(frame.intervals.count))
        for interval in frame.intervals { builder.littleEndian(interval, bytes: 4) }
        return builder.bytes
    }

    private static func endpoint(_ alternate: IsochronousAlternate, _ speed: BusSpeed) -> [UInt8] {
        var builder = ByteBuilder()
        builder.append([7, 5, 0x80 | DescriptorSet.videoEndpoint, 0x05])
        // High speed counts the further packets of a microframe in bits 11 and 12.
        let extra = speed == .high ? alternate.multiplier - 1 : 0
        builder.littleEndian(alternate.packetBytes | extra << 11, bytes: 2)
        builder.byte(1)
        if speed == .super {
            builder.append([6, 0x30, UInt8(alternate.burst - 1), UInt8(alternate.multiplier - 1)])
            builder.littleEndian(alternate.bytesPerInterval, bytes: 2)
        }
        return builder.bytes
    }
}
