internal import CStorage

/// An open file; closed when nobody needs it any more.
///
/// Used by one thread at a time. Nothing is buffered here: what a call has written the kernel has.
final class OpenFile {
    let path: String
    /// Whether writes go past the page cache; turns false where the file system refuses it.
    private(set) var isDirect: Bool
    let descriptor: Int32
    /// Why a sync failed: the kernel reports it once, and takes the pages that it lost for written from then on.
    private var syncFailure: StorageError?

    private init(path: String, descriptor: Int32, isDirect: Bool) {
        self.path = path
        self.descriptor = descriptor
        self.isDirect = isDirect
    }

    deinit { _ = fl_close(descriptor) }

    /// Creates a file that must not exist.
    ///
    /// - Parameter direct: asks for O_DIRECT; where the file system refuses, the page cache is used.
    /// - Throws: ``StorageError``, with EEXIST if anything has the name.
    static func create(_ path: String, direct: Bool = false) throws(StorageError) -> OpenFile {
        var isDirect = direct
        var descriptor = fl_create(path, direct)
        if direct, descriptor == -invalidArgument {
            isDirect = false
            // Some kernels create the file before they refuse.
            _ = fl_remove_file(path)
            descriptor = fl_create(path, false)
        }
        try check(descriptor, "create", path)
        return OpenFile(path: path, descriptor: descriptor, isDirect: isDirect)
    }

    /// Opens a file for reading.
    ///
    /// - Throws: ``StorageError``, with ENOENT if there is none.
    static func open(_ path: String) throws(StorageError) -> OpenFile {
        let descriptor = fl_open_for_reading(path)
        try check(descriptor, "open", path)
        return OpenFile(path: path, descriptor: descriptor, isDirect: false)
    }

    /// Opens a file that is there for reading and writing.
    ///
    /// - Throws: ``StorageError``, with ENOENT if there is none.
    static func openForWriting(_ path: String) throws(StorageError) -> OpenFile {
        let descriptor = fl_open_for_writing(path)
        try check(descriptor, "open", path)
        return OpenFile(path: path, descriptor: descriptor, isDirect: false)
    }

    /// Writes all bytes at an offset; offset, length and address are aligned if the file is direct.
    ///
    /// - Throws: ``StorageError``; how many of the bytes are there then is not known.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(StorageError) {
        var result = fl_write_at(descriptor, bytes.baseAddress, bytes.count, offset)
        if result == -invalidArgument, isDirect {
            // Opening direct was allowed and writing is not: file systems over other file systems do that.
            isDirect = false
            try check(fl_use_page_cache(descriptor), "write", path)
            result = fl_write_at(descriptor, bytes.baseAddress, bytes.count, offset)
        }
        try check(result, "write", path)
    }

    /// Reads into a buffer from an offset.
    ///
    /// - Returns: how many bytes there were.
    func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(StorageError) -> Int {
        let count = fl_read_at(descriptor, buffer.baseAddress, buffer.count, offset)
        if count < 0 { throw StorageError("read", path: path, errno: Int32(-count)) }
        return Int(count)
    }

    /// Writes all bytes of an array at an offset; not for direct files.
    func write(_ bytes: [UInt8], at offset: Int64) throws(StorageError) {
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(StorageError) in try write(bytes, at: offset) }
        }
        try result.get()
    }

    /// Reads bytes from an offset into an array, from `start` on.
    ///
    /// - Returns: how many bytes there were.
    func read(
        into buffer: inout [UInt8], from start: Int = 0, at offset: Int64
    ) throws(StorageError) -> Int {
        let result = buffer.withUnsafeMutableBytes { bytes in
            Result { () throws(StorageError) in
                try read(into: .init(rebasing: bytes[start...]), at: offset)
            }
        }
        return try result.get()
    }

    /// How long a file is.
    static func size(of path: String) throws(StorageError) -> Int64 { try open(path).size() }

    /// Bytes of the file now; it may grow.
    func size() throws(StorageError) -> Int64 {
        let size = fl_size(descriptor)
        if size < 0 { throw StorageError("read", path: path, errno: Int32(-size)) }
        return size
    }

    /// Reserves space and makes an empty file that long; a file system that can't, or has too little, leaves it empty.
    func reserve(_ length: Int64) {
        guard fl_reserve(descriptor, length) < 0 else { return }
        // Part of it may have been reserved, and would be missing elsewhere.
        _ = fl_truncate(descriptor, 0)
    }

    /// Reserves space that does not show in the file's length.
    ///
    /// - Returns: whether the file system has promised it.
    func reserve(behind range: Range<Int64>) -> Bool {
        fl_reserve_behind(descriptor, range.lowerBound, range.upperBound - range.lowerBound) == 0
    }

    /// Gives space back where the file system can.
    func release(_ range: Range<Int64>) {
        _ = fl_release(descriptor, range.lowerBound, range.upperBound - range.lowerBound)
    }

    /// Cuts the file off, or lengthens it with zeros.
    func truncate(to length: Int64) throws(StorageError) {
        try check(fl_truncate(descriptor, length), "shorten", path)
    }

    /// Takes the file's name away; what can't be removed stays.
    func remove() { _ = fl_remove_file(path) }

    /// Waits until what was written is on the disk; fails for ever once it has failed.
    ///
    /// The kernel reports a page that it could not write only once: a later success would be no proof.
    func sync() throws(StorageError) {
        if let syncFailure { throw syncFailure }
        do {
            try check(fl_sync_data(descriptor), "sync", path)
        } catch {
            syncFailure = error
            throw error
        }
    }

    /// EINVAL.
    private static let invalidArgument: Int32 = 22
    private var invalidArgument: Int32 { Self.invalidArgument }
}
