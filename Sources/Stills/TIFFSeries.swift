internal import CStills
package import Imaging

/// A BigTIFF of many images, written to the disk one by one, in which no image can be larger than memory.
///
/// Not copyable, since it owns libtiff's handle. A series that is not finished leaves its file half-written.
package struct TIFFSeries: ~Copyable {
    /// The most images that libtiff 4.5 reads from a file.
    package static let most = 1_000_000

    private let file: OpaquePointer
    private let isDeflated: Bool

    /// Creates the file; one that is there is emptied.
    ///
    /// - Parameter isDeflated: whether images are compressed, without a loss.
    /// - Throws: ``StillError`` with the reason.
    package init(_ path: String, isDeflated: Bool) throws(StillError) {
        var message = [CChar](repeating: 0, count: Int(fl_message_size))
        guard let file = fl_tiff_series_create(path, &message) else {
            throw StillError(text(message))
        }
        (self.file, self.isDeflated) = (file, isDeflated)
    }

    deinit { fl_tiff_series_abandon(file) }

    /// Adds an image.
    ///
    /// - Parameters:
    ///   - channels: 1 for grey, 3 for red, green, blue.
    ///   - bitsPerSample: 8 or 16 (little-endian).
    ///   - description: goes into the image's ImageDescription, in UTF-8.
    ///   - samples: rows without padding.
    /// - Throws: ``StillError`` with libtiff's reason, for example that the disk is full.
    package func add(
        _ size: FrameSize, channels: Int, bitsPerSample: Int, description: String? = nil,
        _ samples: UnsafeRawBufferPointer
    ) throws(StillError) {
        let bytes = samples.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let status = fl_tiff_series_add(
            file, UInt32(size.width), UInt32(size.height), Int32(channels), Int32(bitsPerSample),
            isDeflated, description, bytes, samples.count)
        guard status == 0 else {
            throw StillError(String(cString: fl_tiff_series_message(file)))
        }
    }

    /// Waits until the file is on the disk.
    package consuming func finish() throws(StillError) {
        let file = file
        discard self
        var message = [CChar](repeating: 0, count: Int(fl_message_size))
        guard fl_tiff_series_finish(file, &message) == 0 else {
            throw StillError(text(message))
        }
    }
}
