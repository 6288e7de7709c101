internal import CExports

/// An HDF5 file that is being written.
///
/// One that is not finished leaves its file half-written.
final class HDF5File {
    /// The library's handle; nil once it is finished.
    private var file: OpaquePointer?
    private let path: String

    /// Creates the file; one that is there is emptied.
    ///
    /// - Throws: ``ExportError`` with the library's reason, as all that follows.
    init(_ path: String) throws(ExportError) {
        var message = [CChar](repeating: 0, count: Int(fl_export_message_size))
        guard let file = fl_hdf5_create(path, &message) else {
            throw .inputOutput("can't write \(path)", message)
        }
        (self.file, self.path) = (file, path)
    }

    deinit { if let file { fl_hdf5_abandon(file) } }

    private func check(_ status: Int32) throws(ExportError) {
        guard status != 0 else { return }
        throw .inputOutput("can't write \(path): \(String(cString: fl_hdf5_message(file)))")
    }

    /// Adds a group of a NeXus class.
    func addGroup(_ path: String, _ nexusClass: String) throws(ExportError) {
        try check(fl_hdf5_add_group(file, path))
        try set("NX_class", nexusClass, of: path)
    }

    func add(_ path: String, _ text: String) throws(ExportError) {
        try check(fl_hdf5_add_text(file, path, text))
    }

    func add(_ path: String, _ value: Int64, unit: String? = nil) throws(ExportError) {
        try check(fl_hdf5_add_integers(file, path, [value], 1, true))
        if let unit { try set("units", unit, of: path) }
    }

    func add(_ path: String, _ value: Double, unit: String? = nil) throws(ExportError) {
        try check(fl_hdf5_add_reals(file, path, [value], 1, true))
        if let unit { try set("units", unit, of: path) }
    }

    func add(_ path: String, list: [Int64]) throws(ExportError) {
        try check(fl_hdf5_add_integers(file, path, list, list.count, false))
    }

    func add(_ path: String, list: [Double]) throws(ExportError) {
        try check(fl_hdf5_add_reals(file, path, list, list.count, false))
    }

    func add(_ path: String, list: [String]) throws(ExportError) {
        let (texts, width) = Self.padded(list)
        try check(fl_hdf5_add_texts(file, path, texts, width, list.count))
    }

    func set(_ name: String, _ text: String, of path: String) throws(ExportError) {
        try check(fl_hdf5_set_text(file, path, name, text))
    }

    func set(_ name: String, _ texts: [String], of path: String) throws(ExportError) {
        let (bytes, width) = Self.padded(texts)
        try check(fl_hdf5_set_texts(file, path, name, bytes, width, texts.count))
    }

    func set(_ name: String, _ value: Int64, of path: String) throws(ExportError) {
        try check(fl_hdf5_set_integer(file, path, name, value))
    }

    /// Gives a dataset a second name, and notes its first one as NeXus wants it.
    func link(_ target: String, as path: String) throws(ExportError) {
        try set("target", target, of: target)
        try check(fl_hdf5_link(file, target, path))
    }

    /// Begins an array whose first dimension counts frames; those that are never written read as zeros.
    func beginFrames(
        _ path: String, bytesPerSample: Int, _ lengths: [Int64], isDeflated: Bool
    ) throws(ExportError) {
        try check(
            fl_hdf5_begin_frames(
                file, path, Int32(bytesPerSample), Int32(lengths.count),
                lengths.map { UInt64($0) }, isDeflated))
    }

    /// Writes a frame of the array that was begun last.
    func write(frame: Int64, _ samples: UnsafeRawBufferPointer) throws(ExportError) {
        let bytes = samples.baseAddress?.assumingMemoryBound(to: UInt8.self)
        try check(fl_hdf5_write_frame(file, UInt64(frame), bytes))
    }

    /// Waits until the file is on the disk; nothing may follow.
    func finish() throws(ExportError) {
        var message = [CChar](repeating: 0, count: Int(fl_export_message_size))
        let status = fl_hdf5_finish(file, &message)
        file = nil
        guard status == 0 else { throw .inputOutput("can't write \(path)", message) }
    }

    /// Texts one behind the other, equally far apart, with a zero behind each.
    private static func padded(_ texts: [String]) -> (bytes: [CChar], width: Int) {
        let width = 1 + (texts.lazy.map(\.utf8.count).max() ?? 0)
        var bytes = [CChar](repeating: 0, count: width * texts.count)
        for (place, text) in texts.enumerated() {
            for (offset, byte) in text.utf8.enumerated() {
                bytes[place * width + offset] = CChar(bitPattern: byte)
            }
        }
        return (bytes, width)
    }
}
