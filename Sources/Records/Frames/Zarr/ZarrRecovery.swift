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
    func recover(_ recorded: SlotSet, slots: Int64) throws(StorageError) -> RecoveredFrames {
        var result = RecoveredFrames()
        for number in try shards() {
            let name = layout.fileName(ofShard: number)
            guard WholeFile.exists("\(path)/\(name)") else { continue }
            result.unrecorded += try recover(shard: number, "\(path)/\(name)", recorded)
            result.digests.append((name, try FileDigest.ofFile("\(path)/\(name)")))
        }
        let array = ZarrMetadata(layout: layout, frames: frames)
            .array(slots: frames.plannedSlots ?? slots)
        try WholeFile.replace(
            path + "/0/zarr.json", array.utf8(.pretty) + [UInt8(ascii: "\n")])
        return result
    }

    /// The numbers of the shards that have a folder, in order.
    private func shards() throws(StorageError) -> [Int64] {
        guard Folder.exists(path + "/0/c") else { return [] }
        return try Folder.names(in: path + "/0/c").compactMap { Int64($0) }.sorted()
    }

    /// - Returns: how many frames its index had that no row has.
    private func recover(
        shard number: Int64, _ path: String, _ recorded: SlotSet
    ) throws(StorageError) -> Int64 {
        let file = try OpenFile.openForWriting(path)
        var block = [UInt8](repeating: 0, count: ZarrLayout.block)
        _ = try file.read(into: &block, at: 0)
        let before = block.withUnsafeBytes {
            ZarrShardIndex($0, frames: layout.framesPerShard)
        }
        var index = ZarrShardIndex(frames: layout.framesPerShard)
        let first = number * Int64(layout.framesPerShard)
        var unrecorded: Int64 = 0
        for position in index.entries.indices {
            if recorded.contains(first + Int64(position)) {
                index.entries[position] = layout.entry(position)
            } else if let entry = before?.entries[position], !entry.isMissing {
                unrecorded += 1
            }
        }
        block.withUnsafeMutableBytes { index.encode(into: $0) }
        try file.write(block, at: 0)
        try layout.trim(file, to: index)
        try file.sync()
        return unrecorded
    }
}

/// What was made of the frames of a run that was cut.
package struct RecoveredFrames {
    /// The SHA-256 of every file with frames, by its path in the container.
    var digests: [(name: String, digest: FileDigest)] = []
    /// Frames that could be read and have no row.
    var unrecorded: Int64 = 0
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
