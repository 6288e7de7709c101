internal import Notation

/// Ends the Zarr image of a run that was cut, so that it has the frames that the ledger has, and no others.
///
/// Each shard's index is made anew from the rows: a frame's place follows from its slot. May be called any number of
/// times: a second cut in the middle of it does no harm.
struct ZarrRecovery {
    private let path: String
    private let frames: FrameSeries
    private let layout: ZarrLayout

    init(_ path: String, _ frames: FrameSeries) {
        self.path = path
        self.frames = frames
        layout = ZarrLayout(pixelFormat: frames.pixelFormat, size: frames.size)
    }

    /// - Parameters:
    ///   - recorded: the slots that have frames by their rows.
    ///   - slots: slots of the run, holes included.
    /// - Throws: ``StorageError`` where a file can't be read or written.
    /// - Returns: the SHA-256 of every file with frames, by its path in the container.
    func recover(
        _ recorded: SlotSet, slots: Int64
    ) throws(StorageError) -> [(name: String, digest: FileDigest)] {
        var digests: [(name: String, digest: FileDigest)] = []
        for (number, name) in try shards() {
            try recover(shard: number, "\(path)/\(name)", recorded)
            digests.append((name, try FileDigest.ofFile("\(path)/\(name)")))
        }
        let array = ZarrMetadata(layout: layout, frames: frames)
            .array(slots: frames.plannedSlots ?? slots)
        try WholeFile.replace(
            path + "/0/zarr.json", array.utf8(.pretty) + [UInt8(ascii: "\n")])
        return digests
    }

    /// Frames that can be read and have no row.
    func unrecorded(_ recorded: SlotSet) throws(StorageError) -> Int64 {
        var count: Int64 = 0
        for (number, name) in try shards() {
            let (_, index) = try index(OpenFile.open("\(path)/\(name)"))
            let first = number * Int64(layout.framesPerShard)
            for (position, entry) in (index?.entries ?? []).enumerated()
            where !entry.isMissing && !recorded.contains(first + Int64(position)) {
                count += 1
            }
        }
        return count
    }

    /// The first block of a shard, and the index in it; nil for one that is damaged.
    private func index(
        _ file: OpenFile
    ) throws(StorageError) -> (block: [UInt8], index: ZarrShardIndex?) {
        var block = [UInt8](repeating: 0, count: ZarrLayout.block)
        _ = try file.read(into: &block, at: 0)
        return (
            block, block.withUnsafeBytes { ZarrShardIndex($0, frames: layout.framesPerShard) }
        )
    }

    /// The shards that are there, in order, with their paths in the container.
    private func shards() throws(StorageError) -> [(number: Int64, name: String)] {
        guard Folder.exists(path + "/0/c") else { return [] }
        return try Folder.names(in: path + "/0/c").compactMap { Int64($0) }.sorted()
            .map { ($0, layout.fileName(ofShard: $0)) }
            .filter { WholeFile.exists("\(path)/\($0.1)") }
    }

    private func recover(
        shard number: Int64, _ path: String, _ recorded: SlotSet
    ) throws(StorageError) {
        let file = try OpenFile.openForWriting(path)
        var (block, _) = try index(file)
        var index = ZarrShardIndex(frames: layout.framesPerShard)
        let first = number * Int64(layout.framesPerShard)
        for position in index.entries.indices
        where recorded.contains(first + Int64(position)) {
            index.entries[position] = layout.entry(position)
        }
        block.withUnsafeMutableBytes { index.encode(into: $0) }
        try file.write(block, at: 0)
        try layout.trim(file, to: index)
        try file.sync()
    }
}

/// Slots, a bit for each: a million take 125 kB.
package struct SlotSet: Sendable {
    private var words: [UInt64] = []

    /// Adds a slot, which is 0 or more.
    mutating func insert(_ slot: Int64) {
        let word = Int(slot >> 6)
        while words.count <= word { words.append(0) }
        words[word] |= 1 << UInt64(slot & 63)
    }

    func contains(_ slot: Int64) -> Bool {
        let word = Int(slot >> 6)
        return slot >= 0 && word < words.count && words[word] & 1 << UInt64(slot & 63) != 0
    }
}
