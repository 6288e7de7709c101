internal import CStorage
internal import Glibc

/// Files that are read and written in one piece.
public enum WholeFile {
    /// Files larger than this are not read into memory (recipes, plans and manifests are far smaller).
    static let maximumBytes: Int64 = 1 << 30

    /// Creates a file that must not exist.
    ///
    /// The name is on the disk only after ``syncFolders(above:levels:)``.
    ///
    /// - Throws: ``StorageError``, with EEXIST if anything has the name; a file that was begun may be left behind.
    package static func create(
        _ path: String, _ bytes: [UInt8], isDurable: Bool = true
    ) throws(StorageError) {
        try create(path, isDurable: isDurable) { take throws(StorageError) in try take(bytes) }
    }

    /// Creates a file that must not exist, piece by piece.
    ///
    /// - Parameter make: hands over the bytes in order.
    static func create(
        _ path: String, isDurable: Bool = true, from make: Pieces
    ) throws(StorageError) {
        let file = try OpenFile.create(path)
        try fill(file, from: make)
        if isDurable { try file.sync() }
    }

    /// Makes the bytes of a file and hands them over in order.
    typealias Pieces = (
        (_ take: ([UInt8]) throws(StorageError) -> Void) throws(StorageError) -> Void
    )

    /// - Returns: how many bytes that are.
    @discardableResult
    private static func fill(
        _ file: OpenFile, from make: Pieces
    ) throws(StorageError) -> Int64 {
        var offset: Int64 = 0
        try make { bytes throws(StorageError) in
            try file.write(bytes, at: offset)
            offset += Int64(bytes.count)
        }
        return offset
    }

    /// Replaces a file: readers see the old content or the new, also after a power cut.
    ///
    /// Goes by a file beside it, `PATH.new`, which is left behind only by a cut.
    ///
    /// - Throws: ``StorageError`` where the file beside it can't be made, written or renamed.
    public static func replace(
        _ path: String, _ bytes: [UInt8], isDurable: Bool = true
    ) throws(StorageError) {
        try replace(path, by: nil, bytes, isDurable: isDurable)
    }

    /// The same by a file that was made before and has kept its room; nil for a new one.
    static func replace(
        _ path: String, by prepared: Replacement?, _ bytes: [UInt8], isDurable: Bool
    ) throws(StorageError) {
        try replace(path, by: prepared, isDurable: isDurable) { take throws(StorageError) in
            try take(bytes)
        }
    }

    /// Replaces a file piece by piece.
    ///
    /// - Parameters:
    ///   - prepared: a file that was made before and has kept its room; nil for a new one.
    ///   - make: hands over the bytes in order.
    static func replace(
        _ path: String, by prepared: Replacement? = nil, isDurable: Bool = true, from make: Pieces
    ) throws(StorageError) {
        let new = try Replacement.of(path, prepared)
        do throws(StorageError) {
            try new.takePlace(byteCount: try fill(new.file, from: make), isDurable: isDurable)
        } catch {
            new.discard()
            throw error
        }
    }

    /// Gives a file the name of another one, which is gone then.
    static func rename(
        _ from: String, to path: String, isDurable: Bool = true
    ) throws(StorageError) {
        try check(fl_rename(from, path), "replace", path)
        if isDurable { try syncFolders(above: path) }
    }

    /// Reads a file.
    ///
    /// - Throws: ``StorageError``, with EFBIG (27) above ``maximumBytes``.
    static func read(_ path: String) throws(StorageError) -> [UInt8] {
        let file = try OpenFile.open(path)
        let size = try file.size()
        guard size <= maximumBytes else { throw StorageError("read", path: path, errno: 27) }
        var bytes = [UInt8](repeating: 0, count: Int(size))
        let count = try file.read(into: &bytes, at: 0)
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    /// Takes a file's name away; what can't be removed stays.
    static func remove(_ path: String) { _ = fl_remove_file(path) }

    /// Whether a file has this name; a folder is none.
    package static func exists(_ path: String) -> Bool { fl_kind(path) == 1 }

    /// Whether anything has this name, or can't be seen for want of rights.
    static func isThere(_ path: String) -> Bool { fl_kind(path) != 0 }

    /// Waits until the names of a file and of the folders above it are on the disk.
    ///
    /// - Parameters:
    ///   - path: of the file.
    ///   - levels: folders from the file upwards.
    static func syncFolders(above path: String, levels: Int = 1) throws(StorageError) {
        var folder = path
        for _ in 0..<levels {
            folder = Folder.parent(of: folder)
            try check(fl_sync_folder(folder), "sync", folder)
        }
    }
}

/// Folders.
package enum Folder {
    /// Makes a folder that must not exist; its parents are made where they are missing, and their names are on the disk
    /// then.
    ///
    /// - Returns: the parents that were made, the outermost first.
    @discardableResult
    package static func create(_ path: String) throws(StorageError) -> [String] {
        let made = try createParents(of: path)
        for folder in made { try WholeFile.syncFolders(above: folder) }
        try check(fl_make_folder(path), "create", path)
        return made
    }

    /// The names in a folder, in no order.
    ///
    /// - Throws: ``StorageError`` if it can't be read.
    package static func names(in folder: String) throws(StorageError) -> [String] {
        guard let stream = opendir(folder) else {
            throw StorageError("read", path: folder, errno: errno)
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Bytes that this user may still write to the disk that a folder is on, or will be on; nil where that does not
    /// tell.
    package static func freeBytes(at path: String) -> Int64? {
        var folder = path
        while fl_kind(folder) == 0 {
            let parent = parent(of: folder)
            guard parent != folder else { return nil }
            folder = parent
        }
        let free = fl_free_space(folder)
        return free < 0 ? nil : free
    }

    /// Takes a folder away with all that is in it, as far as that can be; what a link points at stays.
    package static func remove(_ folder: String) {
        for name in (try? names(in: folder)) ?? [] {
            let path = "\(folder)/\(name)"
            // A folder can't be unlinked, and a link to one can.
            if unlink(path) != 0 { remove(path) }
        }
        rmdir(folder)
    }

    /// Whether a path, of which the last part need not be there, lies in a folder, links followed.
    package static func isInside(_ path: String, _ folder: String) -> Bool {
        guard let whole = realpath(folder, nil) else { return false }
        defer { free(whole) }
        var parent = parent(of: path)
        while fl_kind(parent) == 0, parent != Folder.parent(of: parent) {
            parent = Folder.parent(of: parent)
        }
        guard let above = realpath(parent, nil) else { return false }
        defer { free(above) }
        return (String(cString: above) + "/").hasPrefix(String(cString: whole) + "/")
    }

    /// Whether there is a folder of that name.
    static func exists(_ path: String) -> Bool { fl_kind(path) == 2 }

    /// Makes the folders above a path, as far as they are missing.
    ///
    /// - Throws: ``StorageError``, with ENOTDIR where something else has the name of one.
    /// - Returns: those that were made, the outermost first.
    @discardableResult
    package static func createParents(of path: String) throws(StorageError) -> [String] {
        let parent = parent(of: path)
        guard parent != path else { return [] }
        let kind = fl_kind(parent)
        if kind == 1 || kind == 3 { throw StorageError("create", path: path, errno: 20) }
        guard kind == 0 else { return [] }
        let made = try createParents(of: parent)
        let result = fl_make_folder(parent)
        // Somebody else may have made it just now.
        if result != -17 { try check(result, "create", parent) }
        return made + [parent]
    }

    /// Makes a folder that must not exist, with an empty file in it: nobody ever finds it without.
    ///
    /// Goes by a folder beside it, which is left behind only by a cut.
    ///
    /// - Throws: ``StorageError``, with EEXIST if anything has the name.
    static func create(_ path: String, with name: String) throws(StorageError) {
        let taken = StorageError("create", path: path, errno: 17)
        guard fl_kind(path) == 0 else { throw taken }
        let temporary = "\(path).new-\(getpid())"
        do throws(StorageError) {
            try create(temporary)
            try WholeFile.create("\(temporary)/\(name)", [], isDurable: false)
        } catch {
            throw StorageError(
                "create", path: error.path.hasPrefix(temporary) ? path : error.path,
                errno: error.errno)
        }
        let result = fl_rename(temporary, path)
        guard result < 0 else { return }
        WholeFile.remove("\(temporary)/\(name)")
        rmdir(temporary)
        // ENOTEMPTY: somebody else was quicker.
        if result == -39 { throw taken }
        try check(result, "create", path)
    }

    /// The folder that a path lies in, by its text alone.
    static func parent(of path: String) -> String {
        var parts = path.split(separator: "/", omittingEmptySubsequences: true)
        if !parts.isEmpty { parts.removeLast() }
        let joined = parts.joined(separator: "/")
        if path.hasPrefix("/") { return "/" + joined }
        return joined.isEmpty ? "." : joined
    }
}
