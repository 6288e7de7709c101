/// A text file that only grows: bytes are collected, written in one piece, and hashed on the way.
///
/// After a failed write the bytes stay and are tried again, so that a disk with room again loses nothing.
///
/// Ledger and log are such files. Collecting never fails and never waits for the disk; only ``write()`` and ``sync()``
/// do.
package final class AppendFile {
    /// Bytes that may wait for a disk that refuses: more would eat the machine's memory.
    static let maximumPendingBytes = 64 << 20

    let path: String
    private(set) var file: OpenFile
    /// Bytes that were appended and not written yet.
    private var pending: [UInt8] = []
    /// Bytes that were written.
    private(set) var written: Int64 = 0
    /// Of what was written, so that the file need not be read again for `checksums`.
    private var hash = SHA256()
    private var isSynced = true
    /// Bytes from the start on that the file system has promised room for, beyond the end too.
    private var reserved: Int64 = 0
    /// Whether room is kept ahead of what was written.
    private let isReserving: Bool
    /// Bytes that had to be given up because the disk refused for too long.
    private(set) var lostByteCount = 0

    /// - Parameter isReserving: keeps room ahead of what was written, where the file system can, so that a disk that
    ///   others fill takes what is appended next.
    package convenience init(creating path: String, reserving isReserving: Bool = false)
        throws(StorageError)
    {
        self.init(filling: try OpenFile.create(path), reserving: isReserving)
        reserveAhead()
    }

    /// - Parameter file: an empty one.
    private init(filling file: OpenFile, reserving isReserving: Bool = false) {
        path = file.path
        self.file = file
        self.isReserving = isReserving
        pending.reserveCapacity(1 << 16)
    }

    /// Room that is kept ahead: some thousand rows.
    static let headroom: Int64 = 1 << 20

    /// Keeps room for what comes next; without it the disk may refuse that, and it is tried again.
    private func reserveAhead() {
        guard isReserving, reserved - written < Self.headroom / 2 else { return }
        let end = written + Self.headroom
        if file.reserve(behind: max(reserved, written)..<end) { reserved = end }
    }

    /// Gives the room back that was kept; nothing is appended any more.
    func releaseRoom() throws(StorageError) {
        guard reserved > written else { return }
        try file.truncate(to: written)
        reserved = 0
    }

    /// Adds bytes to what will be written next.
    ///
    /// With too much waiting, just these bytes are given up and counted: the record can't be finalised then.
    ///
    /// - Parameter fill: appends to what it is given, and changes nothing else of it.
    package func append(_ fill: (inout [UInt8]) -> Void) {
        let before = pending.count
        fill(&pending)
        guard pending.count > Self.maximumPendingBytes else { return }
        lostByteCount += pending.count - before
        pending.removeLast(pending.count - before)
    }

    /// Whether enough has been collected to be written before its second is over.
    package var isFull: Bool { pending.count >= 1 << 20 }

    /// Writes what was collected.
    ///
    /// - Throws: ``StorageError``; the bytes are written again at the same place by the next call.
    package func write() throws(StorageError) {
        guard !pending.isEmpty else { return }
        try file.write(pending, at: written)
        pending.withUnsafeBytes { hash.update($0) }
        written += Int64(pending.count)
        pending.removeAll(keepingCapacity: true)
        isSynced = false
        reserveAhead()
    }

    /// Waits until what was written is on the disk.
    func sync() throws(StorageError) {
        guard !isSynced else { return }
        try file.sync()
        isSynced = true
    }

    /// Replaces the file by another one, made line by line; readers see the old file or the new.
    ///
    /// What was collected has to be written before.
    ///
    /// - Parameters:
    ///   - prepared: a file that was made before and has kept its room; nil for a new one.
    ///   - isDurable: whether to wait until the new file is on the disk.
    ///   - line: appends what stands for a line, which comes without its end.
    /// - Throws: ``StorageError``; the old file stays then.
    func rewrite(
        by prepared: Replacement?, isDurable: Bool,
        _ line: (ArraySlice<UInt8>, inout [UInt8]) throws(StorageError) -> Void
    ) throws(StorageError) {
        let replacement = try Replacement.of(path, prepared)
        let new = AppendFile(filling: replacement.file)
        let reader = try LineReader(path)
        var bytes: [UInt8] = []
        while let next = try reader.next() {
            bytes.removeAll(keepingCapacity: true)
            try line(next.bytes, &bytes)
            new.append { $0 += bytes }
            if new.isFull { try new.write() }
        }
        try new.write()
        try replacement.takePlace(byteCount: new.written, isDurable: isDurable)
        (file, written, hash, isSynced) = (new.file, new.written, new.hash, isDurable)
        reserved = 0
    }

    /// The SHA-256 of everything written so far.
    var digest: FileDigest { FileDigest(bytes: hash.finalize()) }
}
