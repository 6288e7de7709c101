internal import CExports

/// A FITS file in memory that is being written.
///
/// Not copyable, since it owns the library's handle.
struct FITSFile: ~Copyable {
    private let file: OpaquePointer

    /// - Throws: ``ExportError`` without memory.
    init() throws(ExportError) {
        guard let file = fl_fits_create() else {
            throw .inputOutput("there is no memory for a FITS file")
        }
        self.file = file
    }

    deinit { fl_fits_abandon(file) }

    private func check(_ status: Int32) throws(ExportError) {
        guard status != 0 else { return }
        throw .inputOutput("can't make a FITS file: \(String(cString: fl_fits_message(file)))")
    }

    /// Adds an image of unsigned samples, one plane after the other; keys that follow are its own.
    func addImage(
        bytesPerSample: Int, width: Int, height: Int, planes: Int, _ samples: [UInt8]
    ) throws(ExportError) {
        try check(
            fl_fits_add_image(
                file, Int32(bytesPerSample), UInt32(width), UInt32(height), UInt32(planes),
                samples))
    }

    /// Sets a key; of a text, what is no printable ASCII becomes `?`, since FITS has nothing else.
    func set(_ key: String, _ text: String, _ comment: String) throws(ExportError) {
        let plain = String(
            text.unicodeScalars.map { scalar -> Character in
                (0x20...0x7E).contains(scalar.value) ? Character(scalar) : "?"
            })
        try check(fl_fits_set_text(file, key, plain, comment))
    }

    func set(_ key: String, _ value: Int64, _ comment: String) throws(ExportError) {
        try check(fl_fits_set_integer(file, key, value, comment))
    }

    /// A number with as many decimals.
    func set(
        _ key: String, _ value: Double, decimals: Int, _ comment: String
    ) throws(ExportError) {
        try check(fl_fits_set_real(file, key, value, Int32(decimals), comment))
    }

    /// The file, with the checksums of its parts.
    consuming func finish() throws(ExportError) -> [UInt8] {
        let file = file
        discard self
        var message = [CChar](repeating: 0, count: Int(fl_export_message_size))
        var result = fl_export_bytes()
        guard fl_fits_finish(file, &result, &message) == 0 else {
            throw .inputOutput("can't make a FITS file", message)
        }
        defer { fl_free_export_bytes(result) }
        return Array(UnsafeBufferPointer(start: result.bytes, count: result.count))
    }
}
