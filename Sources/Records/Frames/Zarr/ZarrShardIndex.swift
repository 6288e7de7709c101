/// The index of a shard: for each slot where its frame lies, or that there is none.
///
/// Source: Zarr v3, codec `sharding_indexed`, with `bytes` (little-endian) and `crc32c` as index codecs: pairs of
/// 64-bit offset and length, all ones for a missing chunk, and a CRC-32C of the pairs behind them.
struct ZarrShardIndex: Hashable, Sendable {
    /// Offset and length of a chunk that is not there: all ones.
    static let missing = UInt64.max

    /// An offset from the start of the file, and a length, in bytes.
    struct Entry: Hashable, Sendable {
        var offset = ZarrShardIndex.missing
        var byteCount = ZarrShardIndex.missing
        var isMissing: Bool { self == Entry() }
    }

    /// By position in the shard.
    var entries: [Entry]

    /// An index in which every frame is missing.
    init(frames: Int) {
        entries = Array(repeating: Entry(), count: frames)
    }

    /// Bytes that an index of that many frames takes.
    static func byteCount(frames: Int) -> Int { frames * 16 + 4 }

    /// Writes the index; `block` has room for it, and what lies behind it stays as it is.
    func encode(into block: UnsafeMutableRawBufferPointer) {
        precondition(block.count >= Self.byteCount(frames: entries.count), "the block is too small")
        for (position, entry) in entries.enumerated() {
            block.storeBytes(
                of: entry.offset.littleEndian, toByteOffset: position * 16, as: UInt64.self)
            block.storeBytes(
                of: entry.byteCount.littleEndian, toByteOffset: position * 16 + 8, as: UInt64.self)
        }
        let crc = CRC32C.checksum(of: .init(rebasing: block[..<(entries.count * 16)]))
        block.storeBytes(
            of: crc.littleEndian, toByteOffset: entries.count * 16, as: UInt32.self)
    }

    /// Reads an index.
    ///
    /// - Parameters:
    ///   - block: the beginning of a shard.
    ///   - frames: places of the shard, which the file itself does not have.
    /// - Returns: nil if it is too short or its checksum is wrong.
    init?(_ block: UnsafeRawBufferPointer, frames: Int) {
        guard block.count >= Self.byteCount(frames: frames) else { return nil }
        let pairs = UnsafeRawBufferPointer(rebasing: block[..<(frames * 16)])
        let crc = UInt32(
            littleEndian: block.loadUnaligned(fromByteOffset: frames * 16, as: UInt32.self))
        guard CRC32C.checksum(of: pairs) == crc else { return nil }
        entries = (0..<frames).map { position in
            Entry(
                offset: UInt64(
                    littleEndian: pairs.loadUnaligned(
                        fromByteOffset: position * 16, as: UInt64.self)),
                byteCount: UInt64(
                    littleEndian: pairs.loadUnaligned(
                        fromByteOffset: position * 16 + 8, as: UInt64.self)))
        }
    }
}
