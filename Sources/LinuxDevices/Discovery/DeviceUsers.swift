internal import Glibc

/// Finds the processes that have a device file open, so that "busy" can name them.
enum DeviceUsers {
    /// One process.
    struct User: Hashable, Sendable, CustomStringConvertible {
        /// The process number.
        var process: Int32
        /// What the kernel calls the program (`/proc/<number>/comm`, 15 characters); `a program` where it does not name
        /// it.
        var name: String

        var description: String { "\(name) (process \(process))" }
    }

    /// Other processes that have a file open, by process number; those of other users are seen by root only.
    ///
    /// Looks at every open file of every process that may be seen, so it is for messages only.
    static func of(_ path: String) -> [User] {
        let tree = SystemTree(root: "/")
        let target = tree.resolved(path) ?? path
        return tree.names(in: "/proc").compactMap { Int32($0) }.sorted().compactMap { process in
            guard process != getpid(), holds(tree, process, target) else { return nil }
            let name = tree.line("/proc/\(process)/comm") ?? "a program"
            return User(process: process, name: name)
        }
    }

    /// Whether one of a process's descriptors leads to a file; false where its descriptors may not be seen.
    private static func holds(_ tree: SystemTree, _ process: Int32, _ target: String) -> Bool {
        let folder = "/proc/\(process)/fd"
        return tree.names(in: folder).contains { link(to: "\(folder)/\($0)") == target }
    }

    /// Where a link leads, not followed further; nil if it can't be read.
    private static func link(to path: String) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &bytes, bytes.count - 1)
        guard count > 0 else { return nil }
        return String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
