internal import Glibc
package import Notation

/// Reads whole files for the command line.
package enum TextFile {
    /// More than this is no recipe, rig or profile.
    package static let maximumBytes = 4 << 20

    /// Reads a file of at most ``maximumBytes``.
    ///
    /// - Throws: ``Failure`` naming the file and why, with exit code 64 if it is not there or a folder, 77 without the
    ///   right to read it, 65 if it is too long, 74 otherwise.
    package static func read(_ path: String) throws -> SourceFile {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw unreadable(path, errno) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var hasWaited = false
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= maximumBytes {
            let count = chunk.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0 {
                if errno == EINTR { continue }
                if errno == EAGAIN {
                    // Somebody writes to the pipe, and is waited for as long as it takes.
                    _ = waitForBytes(descriptor, milliseconds: -1)
                    continue
                }
                throw unreadable(path, errno)
            }
            // Of a pipe it may mean that nobody writes to it yet.
            if count == 0, bytes.isEmpty, !hasWaited, isPipe(descriptor) {
                hasWaited = true
                if waitForBytes(descriptor, milliseconds: 2_000) { continue }
            }
            if count == 0 { return SourceFile(name: path, bytes: bytes) }
            bytes += chunk[..<count]
        }
        throw Failure.recipe("\(path) is longer than \(maximumBytes) bytes, which no recipe is")
    }

    private static func isPipe(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    }

    /// Whether bytes came in time; −1 waits for ever.
    private static func waitForBytes(_ descriptor: Int32, milliseconds: Int32) -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, milliseconds) > 0 && request.revents & Int16(POLLIN) != 0
    }

    /// Writes a file, in the place of one that may be there: readers see the old one or the new.
    ///
    /// A device or a pipe of that name is written to, and stays what it is.
    ///
    /// - Throws: ``Failure`` naming the file and why.
    package static func write(_ text: String, to path: String) throws {
        var status = stat()
        let isSpecial = stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
        let temporary = isSpecial ? path : path + ".new"
        let descriptor = open(
            temporary, O_WRONLY | (isSpecial ? 0 : O_CREAT | O_TRUNC) | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw unwritable(path, errno) }
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let error = errno
                close(descriptor)
                if !isSpecial { unlink(temporary) }
                throw unwritable(path, error)
            }
            bytes = bytes.dropFirst(count)
        }
        // Some file systems report only now that they are full.
        guard close(descriptor) == 0, isSpecial || rename(temporary, path) == 0 else {
            let error = errno
            if !isSpecial { unlink(temporary) }
            throw unwritable(path, error)
        }
    }

    /// Whether there is something of that name: what is there and can't be read must not be passed over in silence.
    package static func exists(_ path: String) -> Bool {
        access(path, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR)
    }

    /// Refuses what is not a folder.
    ///
    /// - Parameter argument: what named it, for the message.
    /// - Throws: ``Failure`` with exit code 64.
    package static func requireFolder(_ path: String, of argument: String) throws {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw Failure.usage("\(argument): \(path): \(String(cString: strerror(errno)))")
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw Failure.usage("\(argument): \(path) is not a folder")
        }
    }

    private static func unwritable(_ path: String, _ error: Int32) -> Failure {
        let reason = String(cString: strerror(error))
        return Failure(
            exitCode: error == EACCES ? 77 : 74, message: "can't write \(path): \(reason)")
    }

    private static func unreadable(_ path: String, _ error: Int32) -> Failure {
        let reason = String(cString: strerror(error))
        let code: Int32 = error == EACCES ? 77 : error == ENOENT || error == EISDIR ? 64 : 74
        return Failure(exitCode: code, message: "can't read \(path): \(reason)")
    }
}
