/// One shard while it is written.
///
/// Its digest is made while frames come, in the order of the file: the index that stands first is that of a shard in
/// which no slot of the plan is missing. If one is, or a run ends early, the file is read once more at the end.
final class ZarrShard {
    /// A shard brings at most so many new folders, and a name in one more.
    private static let folderLevels = 5

    let number: Int64
    private let layout: ZarrLayout
    private let file: OpenFile
    private var index: ZarrShardIndex
    private var isIndexWritten = false
    private var isSynced = true
    private var areNamesSynced = false
    /// Bytes up to the end of the last frame; an index alone is one block.
    private var usedBytes = Int64(ZarrLayout.block)
    /// Of the first `hashedFrames` frames, behind the index of all that are planned; nil if it can't be that.
    private var hash: SHA256?
    private var hashedFrames = 0
    private let plannedFrames: Int
    /// One block with the address that direct writes need.
    private let block: UnsafeMutableRawBufferPointer

    /// Creates the file of a shard, with room for `frames` frames where the file system can promise it, and an index
    /// without frames.
    init(
        creating path: String, number: Int64, layout: ZarrLayout, frames: Int
    ) throws(StorageError) {
        self.number = number
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
            // The next frame of this shard starts anew.
            file.remove()
            throw error
        }
        if SHA256.isAccelerated { beginHash() }
    }

    private func beginHash() {
        var complete = index
        for position in 0..<plannedFrames { complete.entries[position] = entry(position) }
        var first = [UInt8](repeating: 0, count: ZarrLayout.block)
        var hash = SHA256()
        first.withUnsafeMutableBytes {
            complete.encode(into: $0)
            hash.update(UnsafeRawBufferPointer($0))
        }
        self.hash = hash
    }

    private func entry(_ position: Int) -> ZarrShardIndex.Entry {
        ZarrShardIndex.Entry(
            offset: UInt64(layout.offset(ofPosition: position)),
            byteCount: UInt64(layout.frameBytes))
    }

    deinit { block.deallocate() }

    /// Writes a frame into its place; `bytes` is padded to whole blocks.
    func write(position: Int, bytes: UnsafeRawBufferPointer) throws(StorageError) {
        precondition(bytes.count == layout.placeBytes, "a frame fills its place")
        precondition(index.entries[position].isMissing, "a frame is written once")
        let offset = layout.offset(ofPosition: position)
        isSynced = false
        try file.write(bytes, at: offset)
        index.entries[position] = entry(position)
        usedBytes = max(usedBytes, offset + Int64(layout.placeBytes))
        isIndexWritten = false
        if hashedFrames == position {
            hash?.update(bytes)
            hashedFrames += 1
        } else {
            hash = nil
        }
    }

    /// The SHA-256 of the file as it will be; nil if that can't be told without reading it.
    var digest: FileDigest? {
        guard let hash, hashedFrames == plannedFrames else { return nil }
        return FileDigest(bytes: hash.finalize())
    }

    /// Makes the frames so far readable.
    func writeIndex() throws(StorageError) {
        guard !isIndexWritten else { return }
        index.encode(into: block)
        isSynced = false
        try file.write(UnsafeRawBufferPointer(block), at: 0)
        isIndexWritten = true
    }

    /// Waits until what was written is on the disk.
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
        try file.truncate(to: usedBytes)
        isSynced = false
        for position in index.entries.indices where index.entries[position].isMissing {
            let offset = layout.offset(ofPosition: position)
            guard offset < usedBytes else { break }
            file.release(offset..<offset + Int64(layout.placeBytes))
        }
    }
}
