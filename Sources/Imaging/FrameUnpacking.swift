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
    ///   - source: the frame in this layout, at least ``FrameLayout/byteCount`` bytes.
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
        // Four copies of the low bits, 14 places apart: each lane then finds its own two bits at its bottom.
        let copies: UInt64 = 1 | 1 << 14 | 1 << 28 | 1 << 42
        var input = source
        var output = destination
        for _ in 0..<groups {
            let high = spread(UInt64(littleEndian32(input))) &<< 2
            let low = UInt64(input.load(fromByteOffset: 4, as: UInt8.self)) &* copies
            let samples = high | low & 0x0003_0003_0003_0003
            output.storeBytes(of: samples.littleEndian, as: UInt64.self)
            input += 5
            output += 8
        }
    }

    /// Two samples of 12 bits from 3 bytes: the high eight bits of each, then both low halves, first sample lowest.
    ///
    /// Source: kernel documentation, V4L2_PIX_FMT_SRGGB12P. Two pairs are worked on at once while a word can be read.
    private static func unpack12(
        _ source: UnsafeRawPointer, into destination: UnsafeMutableRawPointer, pairs: Int
    ) {
        var input = source
        var output = destination
        var left = pairs
        while left >= 3 {
            let word = UInt64(littleEndian: input.loadUnaligned(as: UInt64.self))
            let high =
                (word & 0xFF) &<< 4 | (word & 0xFF00_FF00) &<< 12 | (word & 0xFF_0000_0000) &<< 20
            let low =
                word &>> 16 & 0xF | word &>> 4 & 0xF_0000 | word &>> 8 & 0xF_0000_0000
                | word &<< 4 & 0xF_0000_0000_0000
            output.storeBytes(of: (high | low).littleEndian, as: UInt64.self)
            input += 6
            output += 8
            left -= 2
        }
        for _ in 0..<left {
            let first = UInt32(input.load(as: UInt8.self))
            let second = UInt32(input.load(fromByteOffset: 1, as: UInt8.self))
            let low = UInt32(input.load(fromByteOffset: 2, as: UInt8.self))
            let samples = first << 4 | low & 0x0F | second << 20 | (low & 0xF0) << 12
            output.storeBytes(of: samples.littleEndian, as: UInt32.self)
            input += 3
            output += 4
        }
    }

    private static func littleEndian32(_ source: UnsafeRawPointer) -> UInt32 {
        UInt32(littleEndian: source.loadUnaligned(as: UInt32.self))
    }

    /// Four bytes into the low halves of four 16-bit lanes.
    private static func spread(_ bytes: UInt64) -> UInt64 {
        let pairs = (bytes | bytes &<< 16) & 0x0000_FFFF_0000_FFFF
        return (pairs | pairs &<< 8) & 0x00FF_00FF_00FF_00FF
    }
}
