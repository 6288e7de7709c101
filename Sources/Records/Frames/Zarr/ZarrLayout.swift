internal import Imaging

/// Where each frame lies: which shard, and at which offset in it.
///
/// Everything follows from the frame's size.
///
/// A shard is one file: an index of 4 KiB, then a place of fixed size for each of its slots. Fixed places mean that
/// an index can be made again from the ledger alone. The index of at most 128 slots fits into one block of the disk,
/// so that neither a reader nor a power cut can see half of it.
struct ZarrLayout: Hashable, Sendable {
    /// Blocks of the disk: offsets, lengths and addresses of direct writes are multiples of it.
    static let block = FrameContainer.alignment
    /// Shards are not made larger than this, 256 MiB, as far as a single frame allows.
    static let maximumShardBytes = 256 << 20
    /// More would not fit into the index's block: (4096 − 4) / 16, rounded down to a power of two.
    static let maximumFramesPerShard = 128

    /// What the samples are: their size, and how many channels a pixel has.
    let pixelFormat: PixelFormat
    let size: FrameSize
    /// Bytes of one frame.
    let frameBytes: Int
    /// Bytes of a frame's place.
    let placeBytes: Int
    /// Slots of one shard, a power of two.
    let framesPerShard: Int

    /// Frames in a shard are the largest power of two that keeps within both limits, at least one.
    init(pixelFormat: PixelFormat, size: FrameSize) {
        self.pixelFormat = pixelFormat
        self.size = size
        frameBytes =
            size.width * size.height * pixelFormat.channels * pixelFormat.bytesPerSample
        placeBytes = FrameContainer.paddedByteCount(frameBytes)
        var frames = Self.maximumFramesPerShard
        while frames > 1, frames * placeBytes > Self.maximumShardBytes { frames /= 2 }
        framesPerShard = frames
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
}
