internal import Imaging

/// Where each frame lies: which shard, and at which offset in it.
///
/// Everything follows from the frame's size.
///
/// A shard is one file: a block with its index, then a place of fixed size for each of its slots. Fixed places mean
/// that an index can be made again from the ledger alone. The index is written again while the shard grows, with frames
/// in it that are long on the disk: that of at most 31 slots fits into one sector, which a disk writes as a whole or
/// not at all, so that a power cut leaves the old index or the new one.
struct ZarrLayout: Hashable, Sendable {
    /// Blocks of the disk: offsets, lengths and addresses of direct writes are multiples of it.
    static let block = FrameContainer.alignment
    /// Shards are not made larger than this, 256 MiB, as far as a single frame allows.
    static let maximumShardBytes = 256 << 20
    /// What a disk writes as a whole, however large its blocks are: the least logical sector that Linux knows.
    static let sector = 512
    /// 31; more would not fit into the index's sector.
    static let maximumFramesPerShard = (sector - 4) / 16

    /// What the samples are: their size, and how many channels a pixel has.
    let pixelFormat: PixelFormat
    let size: FrameSize
    /// Bytes of one frame.
    let frameBytes: Int
    /// Bytes of a frame's place.
    let placeBytes: Int
    /// Slots of one shard.
    let framesPerShard: Int

    /// A shard has as many frames as keep within both limits, at least one.
    init(pixelFormat: PixelFormat, size: FrameSize) {
        self.pixelFormat = pixelFormat
        self.size = size
        frameBytes =
            size.width * size.height * pixelFormat.channels * pixelFormat.bytesPerSample
        placeBytes = FrameContainer.paddedByteCount(frameBytes)
        framesPerShard = min(
            Self.maximumFramesPerShard, max(1, Self.maximumShardBytes / placeBytes))
    }

    /// The number of the shard that holds a slot, from 0.
    func shard(of slot: Int64) -> Int64 { slot / Int64(framesPerShard) }

    /// A slot's place among those of its shard, from 0.
    func position(of slot: Int64) -> Int { Int(slot % Int64(framesPerShard)) }

    /// Where in its shard a frame begins.
    func offset(ofPosition position: Int) -> Int64 {
        Int64(Self.block) + Int64(position) * Int64(placeBytes)
    }

    /// The file of a shard, by its path in the image.
    ///
    /// As Zarr v3's default key encoding names the chunk: one index for each dimension, of which only the first is not
    /// 0.
    func fileName(ofShard shard: Int64) -> String {
        pixelFormat.channels > 1 ? "0/c/\(shard)/0/0/0" : "0/c/\(shard)/0/0"
    }

    /// Where the frame of a position lies; nothing about it depends on what was written.
    func entry(_ position: Int) -> ZarrShardIndex.Entry {
        ZarrShardIndex.Entry(
            offset: UInt64(offset(ofPosition: position)), byteCount: UInt64(frameBytes))
    }

    /// Gives the space behind a shard's last frame and that of holes back.
    ///
    /// Holes then take no space where the file system knows sparse files; they read as zeros all the same.
    func trim(_ file: OpenFile, to index: ZarrShardIndex) throws(StorageError) {
        let frames = (index.entries.lastIndex { !$0.isMissing } ?? -1) + 1
        try file.truncate(to: offset(ofPosition: frames))
        for position in 0..<frames where index.entries[position].isMissing {
            file.release(offset(ofPosition: position)..<offset(ofPosition: position + 1))
        }
    }
}
