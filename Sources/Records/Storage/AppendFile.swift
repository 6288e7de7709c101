/// A text file that only grows: bytes are collected, written in one piece, and hashed on the way.
///
/// After a failed write the bytes stay and are tried again, so that a disk with room again loses nothing.
///
/// Ledger and log are such files. Collecting never fails and never waits for the disk; only ``write()`` and ``sync()``
/// do.
final class AppendFile {
    /// Bytes that may wait for a disk that refuses: more would eat the machine's memory.
    static let maximumPendingBytes = 64 << 20

    let path: String
    let file: OpenFile
    /// Bytes that were appended and not written yet.
    private var pending: [UInt8] = []
    private var written: Int64 = 0
    /// Of what was written, so that the file need not be read again for `checksums`.
    private var hash = SHA256()
    private var isSynced = true
    /// Bytes that had to be given up because the disk refused for too long.
    private(set) var lostByteCount = 0

    init(creating path: String) throws(StorageError) {
        self.path = path
        file = try OpenFile.create(path)
        pending.reserveCapacity(1 << 16)
    }

    /// Adds bytes to what will be written next.
    ///
    /// With too much waiting, just these bytes are given up and counted: the record can't be finalised then.
    ///
    /// - Parameter fill: appends to what it is given, and changes nothing else of it.
    func append(_ fill: (inout [UInt8]) -> Void) {
        let before = pending.count
        fill(&pending)
        guard pending.count > Self.maximumPendingBytes else { return }
        lostByteCount += pending.count - before
        pending.removeLast(pending.count - before)
    }

    /// Whether enough has been collected to be written before its second is over.
    var isFull: Bool { pending.count >= 1 << 20 }

    /// Writes what was collected.
    ///
    /// - Throws: ``StorageError``; the bytes are written again at the same place by the next call.
    func write() throws(StorageError) {
        guard !pending.isEmpty else { return }
        try file.write(pending, at: written)
        pending.withUnsafeBytes { hash.update($0) }
        written += Int64(pending.count)
        pending.removeAll(keepingCapacity: true)
        isSynced = false
    }

    /// Waits until what was written is on the disk.
    func sync() throws(StorageError) {
        guard !isSynced else { return }
        try file.sync()
        isSynced = true
    }

    /// The SHA-256 of everything written so far.
    var digest: FileDigest { FileDigest(bytes: hash.finalize()) }
}
