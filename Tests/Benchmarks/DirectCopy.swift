internal import Glibc

/// What `dd` reaches when it writes past the page cache: the disk's own figure to compare with.
struct DirectCopy {
    let path: String
    let byteCount: Int64

    private static let blockBytes: Int64 = 4 << 20

    /// Runs `dd if=/dev/zero of=… bs=4M oflag=direct` for at least so many bytes.
    ///
    /// - Returns: bytes per second, by the clock of this process.
    func bytesPerSecond() throws -> Double {
        let blocks = (byteCount + Self.blockBytes - 1) / Self.blockBytes
        let arguments = [
            "dd", "if=/dev/zero", "of=\(path)", "bs=4M", "count=\(blocks)", "oflag=direct",
            "status=none",
        ]
        defer { unlink(path) }
        let elapsed = try ContinuousClock().measure { try run(arguments) }
        return Double(blocks * Self.blockBytes) / elapsed.seconds
    }

    private func run(_ arguments: [String]) throws {
        guard try ChildProcess.run(arguments) == 0 else {
            throw BenchmarkProblem(
                "`\(arguments.joined(separator: " "))` failed: the folder has to be on a disk that"
                    + " takes O_DIRECT and has room")
        }
    }
}
