public import Imaging

/// The `stills` folder of a run: a picture file for each slot that asks for one.
///
/// The record is the truth and a still is a rendering of it: a missing one is a finding, never a hole.
///
/// Unchecked sendability: used by one thread at a time, first the one that makes stills; the record asks for the hashes
/// after that thread has ended.
public final class StillFolder: @unchecked Sendable {
    private let path: String
    /// Whether a still waits for the disk before its name is listed.
    private let isDurable: Bool
    /// The lines of `checksums`, in the order of slots.
    private(set) var checksums = ""

    init(creating folder: RunFolder, isDurable: Bool) throws(StorageError) {
        path = folder.stills
        self.isDurable = isDurable
        try Folder.create(path)
    }

    /// Writes a still.
    ///
    /// On the stills' thread, in the order of slots.
    ///
    /// - Throws: ``StorageError``; nothing of the still is left behind then, and a file that was there stays.
    public func write(
        slot: Int64, _ format: StillFormat, _ bytes: [UInt8]
    ) throws(StorageError) {
        let name = Self.name(slot: slot, format)
        let file = "\(path)/\(name)"
        // EEXIST: what is there is not ours.
        if WholeFile.exists(file) || Folder.exists(file) {
            throw StorageError("create", path: file, errno: 17)
        }
        let new = try Replacement(of: file)
        do {
            try new.file.write(bytes, at: 0)
            if isDurable { try new.file.sync() }
            // Its name comes last, so that half a still is never taken for one.
            try WholeFile.rename(new.file.path, to: file, isDurable: false)
        } catch {
            new.discard()
            throw error
        }
        checksums += "\(FileDigest(of: bytes))  stills/\(name)\n"
    }

    /// Waits until the names are on the disk.
    func finish() throws(StorageError) {
        if isDurable { try WholeFile.syncFolders(above: "\(path)/.", levels: 1) }
    }

    /// The file of a slot: its number with at least six digits, for example `000012.dng`.
    static func name(slot: Int64, _ format: StillFormat) -> String {
        let digits = "\(slot)"
        let zeros = String(repeating: "0", count: max(0, 6 - digits.utf8.count))
        return "\(zeros)\(digits).\(format.fileExtension)"
    }
}
