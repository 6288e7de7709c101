/// One shard while it is written.
///
/// Its digest is made while frames come, in the order of the file: the index that stands first is that of a shard in
/// which no slot of the plan is missing. If one is, or a run ends early, the file is read once more at the end.
///
/// Made, written and closed by the record thread. A frame that is written can be read after ``writeIndex()`` only, so
/// that no reader takes half a frame for one.
final class ZarrShard {
    /// A shard brings at most so many new folders, and a name in one more.
    private static let folderLevels = 5

    let number: Int64
    private let layout: ZarrLayout
    private let file: OpenFile
    private var index: ZarrShardIndex
    /// Whether the index on disk has every frame that was written.
    private var isIndexWritten = false
    /// Whether everything that was written has been synced (fsync).
    private var isSynced = true
    /// Whether the names of the file and of the folders above it are on the disk.
    private var areNamesSynced = false
    /// Of the first `hashedFrames` frames, behind the index of all that are planned; nil if it can't be that.
    private var hash: SHA256?
    private let hashing: HashingThread
    /// Frames that ``hash`` has taken, which are the first ones.
    private var hashedFrames = 0
    /// Slots of the plan in this shard: fewer than it has places where the plan ends in it.
    private let plannedFrames: Int
    /// One block with the address that direct writes need.
    private let block: UnsafeMutableRawBufferPointer

    /// Creates the file of a shard, with room for `frames` frames where the file system can promise it, and an index
    /// without frames.
    ///
    /// - Parameter hashing: hashes frames while they are written.
    /// - Throws: ``StorageError``; no file is left behind then, so that the next frame may try again.
    init(
        creating path: String, number: Int64, layout: ZarrLayout, frames: Int,
        hashing: HashingThread
    ) throws(StorageError) {
        self.number = number
        self.hashing = hashing
        self.layout = layout
        plannedFrames = frames
        file = try OpenFile.create(path, direct: true)
        index = ZarrShardIndex(frames: layout.framesPerShard)
        block = .allocate(byteCount: ZarrLayout.block, alignment: ZarrLayout.block)
        block.initializeMemory(as: UInt8.self, repeating: 0)
        // Without the promise the disk may turn out full at a frame, which then is a hole.
        file.reserve(layout.offset(ofPosition: frames))
        do {
            try writeIndex()
        } catch {
            // The next frame of this shard starts again.
            file.remove()
            throw error
        }
        if SHA256.isAccelerated { beginHash() }
    }

    /// Begins the digest with the index of a shard in which every planned frame is there.
    private func beginHash() {
        var complete = index
        for position in 0..<plannedFrames { complete.entries[position] = layout.entry(position) }
        var first = [UInt8](repeating: 0, count: ZarrLayout.block)
        var hash = SHA256()
        first.withUnsafeMutableBytes {
            complete.encode(into: $0)
            hash.update(UnsafeRawBufferPointer($0))
        }
        self.hash = hash
    }

    deinit { block.deallocate() }

    /// Writes a frame into its place; `bytes` is padded to whole blocks.
    ///
    /// The digest is given up at the first frame that is not the next one.
    ///
    /// - Throws: ``StorageError``; the place counts as empty then.
    func write(position: Int, bytes: UnsafeRawBufferPointer) throws(StorageError) {
        precondition(bytes.count == layout.placeBytes, "a frame fills its place")
        precondition(index.entries[position].isMissing, "a frame is written once")
        let offset = layout.offset(ofPosition: position)
        isSynced = false
        if hashedFrames != position { hash = nil }
        try hashing.update(&hash, with: bytes) { () throws(StorageError) in
            try file.write(bytes, at: offset)
        }
        hashedFrames += 1
        index.entries[position] = layout.entry(position)
        isIndexWritten = false
    }

    /// The SHA-256 of the file as it will be; nil if that is not known without reading it.
    ///
    /// Asked after ``trim()``: what lies behind the last planned frame is cut off by then.
    var digest: FileDigest? {
        guard let hash, hashedFrames == plannedFrames else { return nil }
        return FileDigest(bytes: hash.finalize())
    }

    /// Makes the frames so far readable.
    ///
    /// One write of one block, so that a power cut leaves the old index or the new.
    func writeIndex() throws(StorageError) {
        guard !isIndexWritten else { return }
        index.encode(into: block)
        isSynced = false
        try file.write(UnsafeRawBufferPointer(block), at: 0)
        isIndexWritten = true
    }

    /// Waits until what was written is on the disk.
    ///
    /// Does nothing where nothing was written since the last call.
    func sync() throws(StorageError) {
        guard !isSynced else { return }
        try file.sync()
        if !areNamesSynced {
            try WholeFile.syncFolders(above: file.path, levels: Self.folderLevels)
            areNamesSynced = true
        }
        isSynced = true
    }

    /// Gives the space behind the last frame and that of holes back.
    func trim() throws(StorageError) {
        try writeIndex()
        isSynced = false
        try layout.trim(file, to: index)
    }
}
