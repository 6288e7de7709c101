internal import CExports

/// Lossless compression, by libzstd.
enum Zstandard {
    /// What the library itself takes where nobody asks: quick, and near what it can do.
    static let level: Int32 = 3

    /// Compresses bytes into one frame that says how long they are.
    ///
    /// - Throws: ``ExportError`` without memory.
    static func compressed(_ bytes: [UInt8]) throws(ExportError) -> [UInt8] {
        var result = fl_export_bytes()
        guard fl_zstandard(bytes, bytes.count, level, &result) == 0 else {
            throw .inputOutput("there is no memory to compress a frame")
        }
        defer { fl_free_export_bytes(result) }
        return Array(UnsafeBufferPointer(start: result.bytes, count: result.count))
    }
}
