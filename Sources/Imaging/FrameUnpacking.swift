/// Copies frames from a camera's memory into the layout of the record: rows without padding, one little-endian sample
/// after the other.
///
/// A value of a few words; unpacking allocates nothing, so that the capture thread can do it.
public struct FrameUnpacking: Hashable, Sendable {
    /// How frames lie in the camera's memory.
    public let layout: FrameLayout

    /// Creates the unpacking for a layout.
    ///
    /// - Returns: nil if the format is packed and a row is not a whole number of its groups (4 pixels of 10 bits in 5
    ///   bytes, 2 pixels of 12 bits in 3): such rows have no defined place for their last low bits.
    public init?(_ layout: FrameLayout) {
        if layout.pixelFormat.packing == .csi2 {
            switch layout.pixelFormat.bitsPerSample {
            case 10: guard layout.size.width % 4 == 0 else { return nil }
            case 12: guard layout.size.width % 2 == 0 else { return nil }
            default: return nil
            }
        }
        self.layout = layout
    }

    /// Unpacks one frame.
    ///
    /// - Parameters:
    ///   - source: the frame as the layout says, at least ``FrameLayout/byteCount`` bytes.
    ///   - destination: at least ``FrameLayout/recordedByteCount`` bytes; what lies behind those is left alone.
    public func unpack(
        _ source: UnsafeRawBufferPointer, into destination: UnsafeMutableRawBufferPointer
    ) {
        precondition(source.count >= layout.byteCount, "a whole frame is unpacked")
        precondition(destination.count >= layout.recordedByteCount, "the record's frame has room")
        guard var input = source.baseAddress, var output = destination.baseAddress else { return }
        let packed = layout.pixelFormat.bytesPerRow(width: layout.size.width)
        let unpacked = layout.recordedByteCount / layout.size.height
        if packed == unpacked, layout.bytesPerRow == packed {
            output.copyMemory(from: input, byteCount: layout.recordedByteCount)
            return
        }
        for _ in 0..<layout.size.height {
            switch (layout.pixelFormat.packing, layout.pixelFormat.bitsPerSample) {
            case (.csi2, 10): Self.unpack10(input, into: output, groups: packed / 5)
            case (.csi2, _): Self.unpack12(input, into: output, pairs: packed / 3)
            case (.unpacked, _): output.copyMemory(from: input, byteCount: packed)
            }
            input += layout.bytesPerRow
            output += unpacked
        }
    }

    /// Four samples of 10 bits from 5 bytes: the high eight bits of each, then all low bits, first sample lowest.
    ///
    /// Source: kernel documentation, V4L2_PIX_FMT_SRGGB10P. Four samples are worked on at once in the lanes of a word.
    private static func unpack10(
        _ source: UnsafeRawPointer, into destination: UnsafeMutableRawPointer, groups: Int
    ) {
        for group in 0..<groups {
            let input = source + group * 5
            let high = UInt64(littleEndian32(input))
            let low = UInt64(input.load(fromByteOffset: 4, as: UInt8.self))
            let samples =
                spread(high) << 2 | low & 0x03 | (low & 0x0C) << 14 | (low & 0x30) << 28
                | (low & 0xC0) << 42
            destination.storeBytes(
                of: samples.littleEndian, toByteOffset: group * 8, as: UInt64.self)
        }
    }

    /// Two samples of 12 bits from 3 bytes: the high eight bits of each, then both low halves, first sample lowest.
    ///
    /// Source: kernel documentation, V4L2_PIX_FMT_SRGGB12P.
    private static func unpack12(
        _ source: UnsafeRawPointer, into destination: UnsafeMutableRawPointer, pairs: Int
    ) {
        for pair in 0..<pairs {
            let input = source + pair * 3
            let first = UInt32(input.load(as: UInt8.self))
            let second = UInt32(input.load(fromByteOffset: 1, as: UInt8.self))
            let low = UInt32(input.load(fromByteOffset: 2, as: UInt8.self))
            let samples = first << 4 | low & 0x0F | second << 20 | (low & 0xF0) << 12
            destination.storeBytes(
                of: samples.littleEndian, toByteOffset: pair * 4, as: UInt32.self)
        }
    }

    private static func littleEndian32(_ source: UnsafeRawPointer) -> UInt32 {
        UInt32(littleEndian: source.loadUnaligned(as: UInt32.self))
    }

    /// Four bytes into the low halves of four 16-bit lanes.
    private static func spread(_ bytes: UInt64) -> UInt64 {
        let pairs = (bytes | bytes << 16) & 0x0000_FFFF_0000_FFFF
        return (pairs | pairs << 8) & 0x00FF_00FF_00FF_00FF
    }
}
