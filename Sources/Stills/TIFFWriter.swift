internal import CStills

/// Writes one TIFF into memory: an EXIF directory, then the main one.
struct TIFFWriter: ~Copyable {
    private let file: OpaquePointer

    private init(_ file: OpaquePointer) { self.file = file }

    /// Begins a file with its EXIF directory.
    static func begin(exif: [(TIFFTag, TIFFValue)]) throws(StillError) -> TIFFWriter {
        guard let file = fl_tiff_create() else { throw StillError("no memory for a TIFF") }
        let writer = TIFFWriter(file)
        try writer.check(fl_tiff_begin_exif(file), "begin EXIF")
        try writer.set(exif)
        try writer.check(fl_tiff_end_exif(file), "write EXIF")
        return writer
    }

    deinit { fl_tiff_abandon(file) }

    /// Sets tags of the directory that is open.
    func set(_ tags: [(TIFFTag, TIFFValue)]) throws(StillError) {
        for (tag, value) in tags {
            let number = tag.rawValue
            let status =
                switch value {
                case .short(let value): fl_tiff_set_short(file, number, value)
                case .long(let value): fl_tiff_set_long(file, number, value)
                case .real(let value): fl_tiff_set_real(file, number, value)
                case .text(let text): fl_tiff_set_text(file, number, text)
                case .bytes(let list): fl_tiff_set_bytes(file, number, list, list.count)
                case .shorts(let list): fl_tiff_set_shorts(file, number, list, list.count)
                case .longs(let list): fl_tiff_set_longs(file, number, list, list.count)
                case .reals(let list): fl_tiff_set_reals(file, number, list, list.count)
                }
            try check(status, "set tag \(number)")
        }
    }

    /// Writes the image.
    func write(_ samples: [UInt8]) throws(StillError) {
        let result = samples.withUnsafeBytes { bytes in
            Result { () throws(StillError) in try write(bytes) }
        }
        try result.get()
    }

    /// Writes the image.
    func write(_ samples: UnsafeRawBufferPointer) throws(StillError) {
        try check(
            fl_tiff_write_image(
                file, samples.baseAddress?.assumingMemoryBound(to: UInt8.self), samples.count),
            "write the image")
    }

    /// Ends the file.
    consuming func finish() throws(StillError) -> [UInt8] {
        let file = file
        discard self
        var bytes = fl_bytes(bytes: nil, count: 0)
        var message = [CChar](repeating: 0, count: Int(fl_message_size))
        guard fl_tiff_finish(file, &bytes, &message) == 0 else {
            throw StillError("libtiff can't end a file: \(text(message))")
        }
        return taken(bytes)
    }

    private func check(_ status: Int32, _ what: String) throws(StillError) {
        guard status != 0 else { return }
        throw StillError("libtiff can't \(what): \(String(cString: fl_tiff_message(file)))")
    }
}

/// The bytes of a finished file, which is freed.
func taken(_ file: fl_bytes) -> [UInt8] {
    let bytes = Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
    fl_free_bytes(file)
    return bytes
}

/// A message that a library wrote.
func text(_ message: [CChar]) -> String {
    String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
