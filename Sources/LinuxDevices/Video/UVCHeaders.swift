/// The headers of a frame's packets as `uvcvideo` keeps them in its metadata buffers (`V4L2_META_FMT_UVC`).
///
/// A block for each header that differs from the one before: 8 bytes of host time in nanoseconds, 2 of the host's bus
/// frame (both in the host's byte order), then the header: its length, its flags and, by the flags, PTS (4) and SCR (6,
/// little-endian). Whatever the bytes are, reading ends and never leaves them.
struct UVCHeaders {
    /// A header and when its packet had reached the host.
    struct Block: Hashable {
        /// The host's clock when the driver looked at the packet, on the clock that it timestamps frames with.
        var hostNanoseconds: Int64
        /// The host's bus frame then; 0 where the host controller counts none.
        var hostFrame: UInt16
        /// PTS: the camera's clock when the frame was captured.
        var presentation: UInt32?
        /// SCR: the camera's clock when a bus frame began, and the 11 bits of that frame's number.
        var source: Source?
    }

    /// A reading of the camera's clock.
    struct Source: Hashable {
        /// The camera's clock in ticks, modulo 2³².
        var ticks: UInt32
        /// Milliseconds of the bus, modulo 2048.
        var busFrame: UInt16
    }

    /// Bytes before the header's own.
    private static let prefix = 10
    /// Bit 2 of the header's flags (UVC 1.5, 2.4.3.3): PTS follows.
    private static let hasPresentation: UInt8 = 0x04
    /// Bit 3: SCR follows.
    private static let hasSource: UInt8 = 0x08

    private let bytes: UnsafeRawBufferPointer
    /// Where the next block begins.
    private var position = 0

    /// - Parameter bytes: what the driver filled of a metadata buffer; must outlive this.
    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// The next block; nil at the end, and where a block is cut or can't be one.
    mutating func next() -> Block? {
        let start = position
        guard bytes.count - start >= Self.prefix + 2 else { return nil }
        let length = Int(bytes[start + Self.prefix])
        guard length >= 2, bytes.count - start >= Self.prefix + length else { return nil }
        position = start + Self.prefix + length
        let flags = bytes[start + Self.prefix + 1]
        let host = bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self)
        var block = Block(
            hostNanoseconds: Int64(clamping: host),
            hostFrame: bytes.loadUnaligned(fromByteOffset: start + 8, as: UInt16.self))
        var field = start + Self.prefix + 2
        if flags & Self.hasPresentation != 0 {
            guard field + 4 <= position else { return block }
            block.presentation = ticks(at: field)
            field += 4
        }
        if flags & Self.hasSource != 0, field + 6 <= position {
            let frame = UInt16(bytes[field + 4]) | UInt16(bytes[field + 5]) << 8
            block.source = Source(ticks: ticks(at: field), busFrame: frame & 0x7FF)
        }
        return block
    }

    /// Four bytes, little-endian, at any address.
    private func ticks(at offset: Int) -> UInt32 {
        UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
}
