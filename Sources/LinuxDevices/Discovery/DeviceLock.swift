internal import Devices
internal import Glibc

/// Keeps a second framelock away from a camera: an flock on a file named after it, with our process number inside.
///
/// The kernel gives the lock back when the process ends, however it ends; the file stays and means nothing by itself.
final class DeviceLock {
    /// The open lock file; to close it is to give the lock back.
    private let descriptor: Int32

    /// Takes the lock of a camera.
    ///
    /// - Parameters:
    ///   - id: the camera's stable id.
    ///   - folders: where lock files may lie; the first that can be used is taken.
    /// - Throws: ``DeviceError`` `busy` that names the process which has it; `failed` if a file can be opened in none
    ///   of the folders.
    init(id: String, folders: [String]) throws(DeviceError) {
        let name = "framelock-\(DeviceLock.fileName(id)).lock"
        var opened: Int32 = -1
        for folder in folders where opened < 0 {
            opened = DeviceLock.openFile("\(folder)/\(name)")
        }
        guard opened >= 0 else {
            throw DeviceError(
                .failed,
                "no lock file for camera \(id) could be made in "
                    + folders.joined(separator: " or ")
                    + "; set TMPDIR to a folder that can be written")
        }
        guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
            let owner = DeviceLock.readOwner(opened)
            _ = close(opened)
            let who = owner.map { "process \($0)" } ?? "another framelock"
            throw DeviceError(.busy, "camera \(id) is in use by \(who); wait for it, or end it")
        }
        descriptor = opened
        DeviceLock.writeOwner(opened)
    }

    deinit {
        _ = close(descriptor)
    }

    /// Where lock files may lie: `/run/lock` below the root that devices are looked for in, `$TMPDIR`, `/tmp`.
    ///
    /// The first is the same for all users of the machine, so that a lock also keeps other users' framelocks away.
    static func folders(_ tree: SystemTree) -> [String] {
        let own = getenv("TMPDIR").map { [String(cString: $0)] } ?? []
        return [tree.path("/run/lock")] + own + ["/tmp"]
    }

    /// An id as a file name: everything but letters, digits, `.`, `_` and `-` becomes `_`.
    static func fileName(_ id: String) -> String {
        String(
            id.unicodeScalars.map { scalar in
                let isPlain = scalar.isASCII && scalar.properties.isAlphabetic
                let isDigit = ("0"..."9").contains(scalar)
                return isPlain || isDigit || "._-".unicodeScalars.contains(scalar)
                    ? Character(scalar) : "_"
            })
    }

    /// Opens or makes the file.
    ///
    /// An existing one is opened without O_CREAT first: the kernel refuses O_CREAT on other people's files in shared
    /// folders (fs.protected_regular). One that may only be read will do, since flock(2) asks for no right to write.
    /// Symbolic links are refused, so that nobody can lead the file elsewhere.
    ///
    /// - Returns: the descriptor, or −1.
    private static func openFile(_ path: String) -> Int32 {
        let flags = O_CLOEXEC | O_NOFOLLOW
        for access in [O_RDWR, O_RDONLY] {
            let existing = open(path, access | flags)
            if existing >= 0 { return existing }
            if errno == ENOENT { break }
        }
        return open(path, O_RDWR | O_CREAT | flags, 0o666)
    }

    /// Writes our process number for whoever finds the lock taken; in vain in a file that may only be read.
    private static func writeOwner(_ descriptor: Int32) {
        guard ftruncate(descriptor, 0) == 0 else { return }
        var text = "\(getpid())\n"
        _ = text.withUTF8 { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    }

    /// The number of the process that has the lock, for messages; nil if it could not write it.
    private static func readOwner(_ descriptor: Int32) -> Int32? {
        var text = [UInt8](repeating: 0, count: 16)
        let count = pread(descriptor, &text, text.count, 0)
        guard count > 0 else { return nil }
        return Int32(String(decoding: text.prefix(count).prefix { $0 != 10 }, as: UTF8.self))
    }
}
