import Foundation
import Synchronization

/// What this program asks the kernel to bring to the disk, call by call.
///
/// The functions below take the place of the C library's in the whole test program, and pass every call on to them.
enum SyncLog {
    private static let paths = Mutex<[String]>([])

    /// The files and folders under a folder that some work synced, in its order, by their paths from there.
    ///
    /// Tests beside this one sync in folders of their own.
    static func synced(under folder: String, during work: () throws -> Void) rethrows -> [String] {
        let before = paths.withLock { $0.count }
        try work()
        return paths.withLock { paths in
            paths[before...].compactMap { path in
                if path == folder { return "." }
                return path.hasPrefix(folder + "/") ? String(path.dropFirst(folder.count + 1)) : nil
            }
        }
    }

    fileprivate static func note(_ descriptor: Int32) {
        let link = "/proc/self/fd/\(descriptor)"
        guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: link) else {
            return
        }
        paths.withLock { $0.append(path) }
    }

    /// The C library's own function.
    fileprivate static func next(_ name: String, _ descriptor: Int32) -> Int32 {
        typealias Sync = @convention(c) (Int32) -> Int32
        // RTLD_NEXT
        guard let symbol = dlsym(UnsafeMutableRawPointer(bitPattern: -1), name) else { return -1 }
        return unsafeBitCast(symbol, to: Sync.self)(descriptor)
    }
}

/// In place of the C library's `fsync`.
@_cdecl("fsync")
public func loggedSync(_ descriptor: Int32) -> Int32 {
    SyncLog.note(descriptor)
    return SyncLog.next("fsync", descriptor)
}

/// In place of the C library's `fdatasync`.
@_cdecl("fdatasync")
public func loggedDataSync(_ descriptor: Int32) -> Int32 {
    SyncLog.note(descriptor)
    return SyncLog.next("fdatasync", descriptor)
}
