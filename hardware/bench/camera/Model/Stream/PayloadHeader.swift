/// The twelve bytes before the picture data of each packet (UVC 1.5, section 2.4.3.3).
package struct PayloadHeader: Sendable, Equatable {
    package static let byteCount = 12

    package var frameIdentifier: UInt8
    package var endsFrame: Bool
    package var hasError: Bool
    /// Device clock at the start of the frame's readout.
    package var presentationTicks: UInt32
    /// Device clock when the bus frame `busFrame` began.
    package var sourceTicks: UInt32
    /// Number of the 1 ms bus frame, 11 bits.
    package var busFrame: UInt16

    func append(to bytes: inout [UInt8]) {
        var flags: UInt8 = 0x80 | 0x08 | 0x04 | frameIdentifier
        if endsFrame { flags |= 0x02 }
        if hasError { flags |= 0x40 }
        bytes.append(UInt8(Self.byteCount))
        bytes.append(flags)
        withUnsafeBytes(of: presentationTicks.littleEndian) { bytes.append(contentsOf: $0) }
        withUnsafeBytes(of: sourceTicks.littleEndian) { bytes.append(contentsOf: $0) }
        withUnsafeBytes(of: busFrame.littleEndian) { bytes.append(contentsOf: $0) }
    }
}
