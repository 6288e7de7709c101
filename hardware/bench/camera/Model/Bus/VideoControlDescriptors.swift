/// The control interface: camera terminal → processing unit → output terminal, and the status endpoint.
enum VideoControlDescriptors {
    static func bytes(_ speed: BusSpeed) -> [UInt8] {
        var builder = ByteBuilder()
        builder.append([9, 4, DescriptorSet.controlInterface, 0, 1, 0x0E, 1, 0, 0])
        let units = cameraTerminal + processingUnit + outputTerminal
        builder.append([13, 0x24, 0x01])
        builder.littleEndian(0x0110, bytes: 2)
        builder.littleEndian(13 + units.count, bytes: 2)
        builder.littleEndian(Int(DeviceClock.ticksPerSecond), bytes: 4)
        builder.append([1, DescriptorSet.streamingInterface])
        builder.append(units)
        // Interrupt, to the host, polled every 2^(8-1) microframes = 16 ms.
        let statusBytes = UInt8(DescriptorSet.statusBytes)
        builder.append([7, 5, 0x80 | DescriptorSet.statusEndpoint, 3, statusBytes, 0, 8])
        if speed == .super { builder.append([6, 0x30, 0, 0, statusBytes, 0]) }
        builder.append([5, 0x25, 3, statusBytes, 0])
        return builder.bytes
    }

    private static var cameraTerminal: [UInt8] {
        [18, 0x24, 2, UVCControl.cameraTerminal, 0x01, 0x02, 0, 0, 0, 0, 0, 0, 0, 0, 3]
            + UVCControl.bitmap(unit: UVCControl.cameraTerminal, bytes: 3)
    }

    private static var processingUnit: [UInt8] {
        [12, 0x24, 5, UVCControl.processingUnit, UVCControl.cameraTerminal, 0, 0, 2]
            + UVCControl.bitmap(unit: UVCControl.processingUnit, bytes: 2) + [0, 0]
    }

    private static var outputTerminal: [UInt8] {
        [9, 0x24, 3, UVCControl.outputTerminal, 0x01, 0x01, 0, UVCControl.processingUnit, 0]
    }
}
