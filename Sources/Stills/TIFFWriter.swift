internal import CStills

/// Writes one TIFF into memory, little-endian: an EXIF directory, then the main one.
///
/// Order of calls: ``begin(exif:)``, ``set(_:)`` for the main directory, ``write(_:)`` unless only the directories are
/// wanted, ``finish()``. Not copyable, since it owns libtiff's handle: a writer that is not finished is freed with what
/// it wrote.
struct TIFFWriter: ~Copyable {
    private let file: OpaquePointer

    private init(_ file: OpaquePointer) { self.file = file }

    /// Begins a file with its EXIF directory; tags that are set from then on go into the main one.
    ///
    /// EXIF comes first so that the main directory can point at it when it is written: nothing has to be rewritten
    /// later.
    ///
    /// - Throws: ``StillError`` without memory, and for a tag that libtiff does not take.
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
    ///
    /// libtiff wants each tag's value in the type that it declares for it; ``TIFFValue`` has which.
    ///
    /// - Throws: ``StillError`` with the tag's number and libtiff's reason, at the first that fails.
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

    /// Leaves a tag out that libtiff would write by itself.
    func unset(_ tag: TIFFTag) throws(StillError) {
        try check(fl_tiff_unset(file, tag.rawValue), "leave out tag \(tag.rawValue)")
    }

    /// Writes the image as one strip; see the other ``write(_:)``.
    func write(_ samples: [UInt8]) throws(StillError) {
        let result = samples.withUnsafeBytes { bytes in
            Result { () throws(StillError) in try write(bytes) }
        }
        try result.get()
    }

    /// Writes the image as one strip; size, depth and `RowsPerStrip` are set before.
    ///
    /// - Parameter samples: all rows without padding; samples of two bytes are little-endian.
    /// - Throws: ``StillError`` if libtiff writes another number of bytes.
    func write(_ samples: UnsafeRawBufferPointer) throws(StillError) {
        try check(
            fl_tiff_write_image(
                file, samples.baseAddress?.assumingMemoryBound(to: UInt8.self), samples.count),
            "write the image")
    }

    /// Ends the file and gives its bytes; the handle is freed, also where this throws.
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

    /// Turns libtiff's status into an error with its message; it keeps the first message, which is the cause.
    private func check(_ status: Int32, _ what: String) throws(StillError) {
        guard status != 0 else { return }
        throw StillError("libtiff can't \(what): \(String(cString: fl_tiff_message(file)))")
    }
}

/// The bytes of a finished file, copied; the C side's memory is freed, so this is called once.
func taken(_ file: fl_bytes) -> [UInt8] {
    let bytes = Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
    fl_free_bytes(file)
    return bytes
}

/// A C string in a buffer of fixed size, up to its zero byte; bytes that are not UTF-8 are replaced.
func text(_ message: [CChar]) -> String {
    String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
