internal import Imaging
internal import Notation
internal import Timebase

/// Writes frames as an OME-Zarr 0.5 image that common tools read, also while it grows and after a power cut.
///
/// Index t of the array is the slot's number: a hole is a chunk that is missing and reads as zeros, nothing is
/// renumbered. A frame is one write of whole blocks past the page cache. It can be read after the next ``flush()``.
///
/// One thread at a time. Nothing here gets stuck on a full disk: every method throws ``StorageError`` and may be
/// called again.
///
/// A planned array has its final length from the start, so that readers need not look at its metadata again. That of an
/// endless plan grows by whole shards and is cut to the run's slots at the end.
final class ZarrFrameStore: FrameStore {
    /// Shards that are complete and wait for their sync; more are synced at once.
    private static let maximumUnsyncedShards = 8

    private let path: String
    private let layout: ZarrLayout
    private let metadata: ZarrMetadata
    private let plannedSlots: Int64?
    private let isDurable: Bool
    private let hashing = HashingThread()
    private var shard: ZarrShard?
    /// Shards whose last frame was written, trimmed and still to be synced, the oldest first.
    private var complete: [ZarrShard] = []
    /// The complete shards, by their numbers in that order, and their digests, as far as these are known.
    private var shards: [(number: Int64, digest: FileDigest?)] = []
    /// The length that the array's metadata has on disk.
    private var describedSlots: Int64 = 0
    /// The file for an endless array's next metadata, with room on the disk that others may fill.
    private var nextDescription: Replacement?
    /// Slots below this have their frame or stay holes.
    private var nextSlot: Int64 = 0

    /// Creates the folder and its metadata.
    ///
    /// - Parameters:
    ///   - path: a folder that does not exist.
    ///   - isDurable: whether to wait for the disk at every ``sync()``.
    init(
        creating path: String, _ frames: FrameSeries, isDurable: Bool = true
    ) throws(StorageError) {
        self.path = path
        self.isDurable = isDurable
        plannedSlots = frames.plannedSlots
        layout = ZarrLayout(pixelFormat: frames.pixelFormat, size: frames.size)
        metadata = ZarrMetadata(layout: layout, frames: frames)
        try Folder.create(path)
        try Folder.create(path + "/0")
        try describe(slots: plannedSlots ?? Int64(layout.framesPerShard))
        try WholeFile.create(
            path + "/zarr.json", metadata.group.utf8(.pretty) + [UInt8(ascii: "\n")],
            isDurable: isDurable)
    }

    var frameByteCount: Int { layout.frameBytes }
    var paddedFrameByteCount: Int { layout.placeBytes }

    /// The first frame of a shard makes its file on the way, for which the file system reserves its space.
    func write(slot: Int64, bytes: UnsafeRawBufferPointer) throws(StorageError) {
        precondition(slot >= nextSlot, "frames come in the order of their slots")
        precondition(bytes.count == layout.placeBytes, "a frame comes padded to whole blocks")
        precondition(
            Int(bitPattern: bytes.baseAddress) % FrameContainer.alignment == 0,
            "a frame starts with a block")
        let shard = try openShard(layout.shard(of: slot))
        try shard.write(position: layout.position(of: slot), bytes: bytes)
        nextSlot = slot + 1
    }

    /// Writes the open shard's index; complete shards have theirs.
    func flush() throws(StorageError) {
        try shard?.writeIndex()
    }

    /// Frees the complete shards from waiting; one that can't be synced stays, and the next call tries it again.
    func sync() throws(StorageError) {
        guard isDurable else { return complete.removeAll() }
        for shard in complete { try shard.sync() }
        complete.removeAll()
        try shard?.sync()
    }

    /// Digests that were not made while writing are made here, by reading those shards once more: holes, a run that
    /// ended early, or a processor without SHA-256.
    func finish(slots: Int64) throws(StorageError) {
        try close()
        try sync()
        try describe(slots: plannedSlots ?? slots)
        nextDescription?.discard()
        nextDescription = nil
        for place in shards.indices where shards[place].digest == nil {
            shards[place].digest = try FileDigest.ofFile(path(of: shards[place].number))
        }
    }

    var digests: [(name: String, digest: FileDigest)] {
        shards.compactMap { shard in
            shard.digest.map { (layout.fileName(ofShard: shard.number), $0) }
        }
    }

    private func path(of shard: Int64) -> String { "\(path)/\(layout.fileName(ofShard: shard))" }

    /// The shard of a number: the open one, or a new one, for which the open one is closed.
    ///
    /// - Throws: ``StorageError`` if the old one can't be closed or the new one not be made; the next frame tries
    ///   again.
    private func openShard(_ number: Int64) throws(StorageError) -> ZarrShard {
        if let shard, shard.number == number { return shard }
        try close()
        let first = number * Int64(layout.framesPerShard)
        let end = first + Int64(layout.framesPerShard)
        let frames = min(end, plannedSlots ?? end) - first
        precondition(frames > 0, "a frame's slot is one of the plan's")
        let file = path(of: number)
        // Nobody gets a folder back that he has taken away.
        guard Folder.exists(path + "/0") else {
            throw StorageError("write", path: path + "/0", errno: 2)
        }
        try Folder.createParents(of: file)
        let opened = try ZarrShard(
            creating: file, number: number, layout: layout, frames: Int(frames), hashing: hashing)
        shard = opened
        if plannedSlots == nil, end > describedSlots { try describe(slots: end) }
        return opened
    }

    /// Ends the open shard: its index is written and its unused space given back.
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

    /// Writes the array's metadata if its length is another now; readers see the old text or the new.
    private func describe(slots: Int64) throws(StorageError) {
        guard slots != describedSlots else { return }
        let text = metadata.array(slots: slots).utf8(.pretty) + [UInt8(ascii: "\n")]
        let prepared = nextDescription
        nextDescription = nil
        try WholeFile.replace(path + "/0/zarr.json", by: prepared, text, isDurable: isDurable)
        describedSlots = slots
        guard isDurable, plannedSlots == nil else { return }
        nextDescription = try? Replacement(of: path + "/0/zarr.json")
        nextDescription?.reserve(Int64(text.count) * 2)
    }
}

extension FrameContainer {
    /// Zarr v3 with OME-Zarr 0.5 metadata.
    static let omeZarr = FrameContainer(
        title: "OME-Zarr", path: "frames.zarr", descriptions: ["0/zarr.json", "zarr.json"],
        create: { path, frames, isDurable throws(StorageError) in
            try ZarrFrameStore(creating: path, frames, isDurable: isDurable)
        },
        open: { ZarrFrameReader($0, $1) },
        recover: { path, frames, recorded, slots throws(StorageError) in
            try ZarrRecovery(path, frames).recover(recorded, slots: slots)
        },
        unrecorded: { path, frames, recorded throws(StorageError) in
            try ZarrRecovery(path, frames).unrecorded(recorded)
        })
}
