public import Imaging
internal import Notation
public import Timebase

/// Writes frames as an OME-Zarr 0.5 image that common tools read, also while it grows and after a power cut.
///
/// Index t of the array is the slot's number: a hole is a chunk that is missing and reads as zeros, nothing is
/// renumbered. A frame is one write of whole blocks past the page cache. It can be read after the next ``flush()``.
///
/// One thread at a time. Nothing here gets stuck on a full disk: every method throws ``StorageError`` and may be
/// called again.
public final class ZarrFrameStore {
    /// Alignment in bytes of the address and length of what ``write(slot:bytes:)`` takes.
    public static let alignment = ZarrLayout.block
    /// Shards that are complete and wait for their sync; more are synced at once.
    private static let maximumUnsyncedShards = 8

    /// The folder of the image.
    public let path: String
    private let layout: ZarrLayout
    private let metadata: ZarrMetadata
    private let plannedSlots: Int64?
    private let isDurable: Bool
    private var shard: ZarrShard?
    private var complete: [ZarrShard] = []
    /// The complete shards, by their numbers in that order, and their digests, as far as these are known.
    private var shards: [(number: Int64, digest: FileDigest?)] = []
    private var describedSlots: Int64 = 0
    private var nextSlot: Int64 = 0

    /// Creates the folder and its metadata.
    ///
    /// - Parameters:
    ///   - path: a folder that does not exist.
    ///   - name: what the images are called, usually the recipe's name.
    ///   - pixelFormat: what the samples are.
    ///   - size: pixels and rows of a frame.
    ///   - plannedSlots: slots of the plan; nil for an endless one, whose array grows.
    ///   - period: time from slot to slot, for the scale of t; nil if it is not known, or not the same for all.
    ///   - isDurable: whether to wait for the disk at every ``sync()``.
    public init(
        creating path: String, name: String, pixelFormat: PixelFormat, size: FrameSize,
        plannedSlots: Int64?, period: Interval?, isDurable: Bool = true
    ) throws(StorageError) {
        self.path = path
        self.plannedSlots = plannedSlots
        self.isDurable = isDurable
        layout = ZarrLayout(pixelFormat: pixelFormat, size: size)
        metadata = ZarrMetadata(layout: layout, name: name, period: period)
        try Folder.create(path)
        try Folder.create(path + "/0")
        try describe(slots: plannedSlots ?? Int64(layout.framesPerShard))
        try WholeFile.create(
            path + "/zarr.json", metadata.group.utf8(.pretty) + [UInt8(ascii: "\n")],
            isDurable: isDurable)
    }

    /// Bytes of one frame in the record.
    public var frameByteCount: Int { layout.frameBytes }
    /// Bytes that ``write(slot:bytes:)`` takes: a frame and what fills its last block.
    public var paddedFrameByteCount: Int { layout.placeBytes }

    /// Bytes that a frame takes in memory that is to be written: the frame rounded up to whole blocks.
    public static func paddedByteCount(_ frameByteCount: Int) -> Int {
        ZarrLayout.padded(frameByteCount)
    }

    /// Writes the frame of a slot.
    ///
    /// - Parameters:
    ///   - slot: later than every slot written before.
    ///   - bytes: the frame in the record's layout at its start; ``paddedFrameByteCount`` bytes in all, at an address
    ///     that is a multiple of ``alignment``. What lies behind the frame goes to the disk and means nothing.
    /// - Throws: ``StorageError``; the slot stays without a frame then.
    public func write(slot: Int64, bytes: UnsafeRawBufferPointer) throws(StorageError) {
        precondition(slot >= nextSlot, "frames come in the order of their slots")
        precondition(bytes.count == layout.placeBytes, "a frame comes padded to whole blocks")
        precondition(
            Int(bitPattern: bytes.baseAddress) % Self.alignment == 0, "a frame starts with a block")
        let shard = try openShard(layout.shard(of: slot))
        try shard.write(position: layout.position(of: slot), bytes: bytes)
        nextSlot = slot + 1
    }

    /// Makes all frames so far readable.
    public func flush() throws(StorageError) {
        try shard?.writeIndex()
    }

    /// Waits until all that was written is on the disk.
    public func sync() throws(StorageError) {
        guard isDurable else { return complete.removeAll() }
        for shard in complete { try shard.sync() }
        complete.removeAll()
        try shard?.sync()
    }

    /// Ends the image: gives unused space back and says how many slots there are.
    ///
    /// - Parameter slots: slots of the run, holes included; a planned array keeps its planned length.
    public func finish(slots: Int64) throws(StorageError) {
        try close()
        try sync()
        try describe(slots: plannedSlots ?? slots)
        for place in shards.indices where shards[place].digest == nil {
            shards[place].digest = try FileDigest.ofFile(path(of: shards[place].number))
        }
    }

    /// The SHA-256 of every file with frames, by its path in the image, as ``finish(slots:)`` left it.
    var digests: [(name: String, digest: FileDigest)] {
        shards.compactMap { shard in
            shard.digest.map { (layout.fileName(ofShard: shard.number), $0) }
        }
    }

    private func path(of shard: Int64) -> String { "\(path)/\(layout.fileName(ofShard: shard))" }

    private func openShard(_ number: Int64) throws(StorageError) -> ZarrShard {
        if let shard, shard.number == number { return shard }
        try close()
        let first = number * Int64(layout.framesPerShard)
        let end = first + Int64(layout.framesPerShard)
        let frames = min(end, plannedSlots ?? end) - first
        precondition(frames > 0, "a frame's slot is one of the plan's")
        let file = path(of: number)
        try Folder.createParents(of: file)
        let opened = try ZarrShard(
            creating: file, number: number, layout: layout, frames: Int(frames))
        shard = opened
        if plannedSlots == nil, end > describedSlots { try describe(slots: end) }
        return opened
    }

    private func close() throws(StorageError) {
        guard let shard else { return }
        try shard.trim()
        complete.append(shard)
        shards.append((shard.number, shard.digest))
        self.shard = nil
        guard complete.count > Self.maximumUnsyncedShards else { return }
        // One that can't be synced stays, so that it is not forgotten at the end.
        if isDurable { try complete[0].sync() }
        complete.removeFirst()
    }

    private func describe(slots: Int64) throws(StorageError) {
        guard slots != describedSlots else { return }
        let text = metadata.array(slots: slots).utf8(.pretty) + [UInt8(ascii: "\n")]
        try WholeFile.replace(path + "/0/zarr.json", text, isDurable: isDurable)
        describedSlots = slots
    }
}
