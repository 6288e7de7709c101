internal import CStorage

/// Room on the disk that a folder is on, or will be on.
package struct DiskRoom: Hashable, Sendable {
    /// Bytes that this user may still write there.
    package let freeBytes: Int64

    /// Asks the file system of a path, or of the nearest folder above it that exists.
    ///
    /// - Returns: nil where that does not tell.
    package init?(at path: String) {
        var folder = path
        while fl_kind(folder) == 0 {
            let parent = Folder.parent(of: folder)
            guard parent != folder else { return nil }
            folder = parent
        }
        let free = fl_free_space(folder)
        guard free >= 0 else { return nil }
        freeBytes = free
    }
}
