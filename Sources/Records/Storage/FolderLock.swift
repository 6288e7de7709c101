internal import CStorage

/// Keeps the folder of a run for one program, as long as it lives: an flock(2), which ends with the process that has
/// it, however that ends.
final class FolderLock {
    private let descriptor: Int32

    /// - Returns: nil where another program has it.
    /// - Throws: ``StorageError`` where the folder can't be opened, or its file system knows no locks.
    init?(_ folder: RunFolder) throws(StorageError) {
        let result = fl_lock_folder(folder.path)
        // EWOULDBLOCK
        if result == -11 { return nil }
        try check(result, "lock", folder.path)
        descriptor = result
    }

    deinit { _ = fl_close(descriptor) }
}
