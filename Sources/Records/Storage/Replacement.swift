/// A file that will take another one's place, made beside it as `PATH.new`: readers see the old content or the new,
/// also after a power cut.
///
/// It is left behind only by a cut. Made early it keeps room for what will be written, whoever fills the disk
/// meanwhile.
final class Replacement {
    /// Room is kept in steps of so many bytes, since keeping it costs as much as a small write.
    private static let step: Int64 = 1 << 18

    let file: OpenFile
    private let path: String
    private var reserved: Int64 = 0

    /// - Parameter path: of the file whose place it will take; what a cut left beside it goes.
    init(of path: String) throws(StorageError) {
        self.path = path
        let temporary = path + ".new"
        WholeFile.remove(temporary)
        file = try OpenFile.create(temporary)
    }

    /// The one that was made before, or a new one.
    static func of(_ path: String, _ prepared: Replacement?) throws(StorageError) -> Replacement {
        if let prepared { return prepared }
        return try Replacement(of: path)
    }

    /// Keeps room for so many bytes; what the file system can't promise the disk may refuse later.
    func reserve(_ byteCount: Int64) {
        guard byteCount > reserved else { return }
        let end = byteCount + Self.step
        if file.reserve(behind: reserved..<end) { reserved = end }
    }

    /// Takes the place, with the bytes that were written.
    ///
    /// - Parameters:
    ///   - byteCount: of them; room behind them is given back.
    ///   - isDurable: whether to wait until content and name are on the disk.
    func takePlace(byteCount: Int64, isDurable: Bool) throws(StorageError) {
        if reserved > byteCount { try file.truncate(to: byteCount) }
        if isDurable { try file.sync() }
        try WholeFile.rename(file.path, to: path, isDurable: isDurable)
    }

    /// Takes it away again: half a file helps nobody, and takes the room of a full disk.
    func discard() { file.remove() }
}
