internal import CStills
public import Imaging

/// Makes the bytes of still files; nothing is written anywhere.
///
/// Runs on the thread that renders stills and previews, never on that of the capture: it allocates, and libjpeg and
/// libtiff take as long as they take.
public enum StillFile {
    /// The quality of libjpeg's scale that stills are compressed with.
    public static let jpegQuality: Int32 = 95
    /// What an APP1 segment holds at most: its length of 16 bits counts its own two bytes.
    private static let segmentLimit = 65_533

    /// A JPEG with EXIF: chroma at full resolution, the same bytes on every machine.
    ///
    /// libjpeg runs with its whole-number DCT, which gives the same on every instruction set. EXIF is a TIFF of
    /// directories alone, behind `Exif` and two zero bytes, in an APP1 segment.
    ///
    /// - Parameters:
    ///   - image: with samples of 8 bits.
    ///   - metadata: what EXIF says of it.
    ///   - quality: of libjpeg's scale, 1 to 100.
    /// - Throws: ``StillError`` for samples of 16 bits, for metadata beyond 65,533 bytes, and if libjpeg refuses.
    public static func jpeg(
        _ image: DevelopedImage, _ metadata: StillMetadata, quality: Int32 = jpegQuality
    ) throws(StillError) -> [UInt8] {
        guard image.bitsPerSample == 8 else { throw StillError("a JPEG has samples of 8 bits") }
        let segment = Array("Exif".utf8) + [0, 0] + (try exif(of: image, metadata, in: .jpeg))
        guard segment.count <= segmentLimit else {
            throw StillError("EXIF of \(segment.count) bytes does not fit into a JPEG")
        }
        var file = fl_bytes(bytes: nil, count: 0)
        var message = [CChar](repeating: 0, count: Int(fl_message_size))
        let status = fl_write_jpeg(
            image.bytes, UInt32(image.size.width), UInt32(image.size.height),
            Int32(image.channels), quality, segment, segment.count, &file, &message)
        guard status == 0 else { throw StillError("libjpeg can't write: \(text(message))") }
        return taken(file)
    }

    /// A PNG with EXIF in its chunk `eXIf`, 8 or 16 bits, one or three channels.
    ///
    /// - Throws: ``StillError`` if libpng refuses or has no memory.
    public static func png(
        _ image: DevelopedImage, _ metadata: StillMetadata
    ) throws(StillError) -> [UInt8] {
        let exif = try exif(of: image, metadata, in: .png)
        var file = fl_bytes(bytes: nil, count: 0)
        var message = [CChar](repeating: 0, count: Int(fl_message_size))
        let status = fl_write_png(
            image.bytes, UInt32(image.size.width), UInt32(image.size.height),
            Int32(image.channels), Int32(image.bitsPerSample), exif, exif.count, &file, &message)
        guard status == 0 else { throw StillError("libpng can't write: \(text(message))") }
        return taken(file)
    }

    /// EXIF as a file of its own: a TIFF of directories alone.
    private static func exif(
        of image: DevelopedImage, _ metadata: StillMetadata, in file: StillFormat
    ) throws(StillError) -> [UInt8] {
        let directory = try TIFFWriter.begin(
            exif: metadata.exifTags(for: file, size: image.size, channels: image.channels))
        try directory.set(metadata.mainTags)
        // A TIFF has it; the file around this one says itself how it is compressed.
        try directory.unset(.compression)
        // 1: centred. Chroma has full resolution, but EXIF wants a word on it.
        if file == .jpeg { try directory.set([(.chromaPositioning, .short(1))]) }
        return try directory.finish()
    }

    /// A TIFF with EXIF, 8 or 16 bits, one or three channels, in one strip.
    ///
    /// - Parameter isDeflated: whether it is compressed, without a loss.
    /// - Throws: ``StillError`` if libtiff refuses or has no memory.
    public static func tiff(
        _ image: DevelopedImage, _ metadata: StillMetadata, isDeflated: Bool = false
    ) throws(StillError) -> [UInt8] {
        let writer = try TIFFWriter.begin(
            exif: metadata.exifTags(for: .tiff, size: image.size, channels: image.channels))
        let bits = UInt16(image.bitsPerSample)
        try writer.set(metadata.mainTags)
        try writer.set([
            (.newSubfileType, .long(0)), (.imageWidth, .long(UInt32(image.size.width))),
            (.imageLength, .long(UInt32(image.size.height))), (.bitsPerSample, .short(bits)),
            (.samplesPerPixel, .short(UInt16(image.channels))),
            // 1: none; 8: deflate, Adobe's number of it.
            (.compression, .short(isDeflated ? 8 : 1)),
            // 1: black is zero; 2: RGB.
            (.photometric, .short(image.channels == 1 ? 1 : 2)),
            (.rowsPerStrip, .long(UInt32(image.size.height))), (.planarConfiguration, .short(1)),
        ])
        // 2: differences from sample to sample.
        if isDeflated { try writer.set([(.predictor, .short(2))]) }
        try writer.write(image.bytes)
        return try writer.finish()
    }

    /// A DNG of raw samples in 16 bits, uncompressed, with EXIF and what a raw converter needs.
    ///
    /// Samples of 8 bits are stored in 16 without being scaled, so black and white stay the sensor's own codes. Samples
    /// packed by CSI-2 are unpacked before: TIFF packs bits in another order. One directory holds the picture; there is
    /// no thumbnail.
    ///
    /// - Parameters:
    ///   - frame: exactly the frame's samples, in the record's layout.
    ///   - raw: what they mean.
    ///   - metadata: EXIF; its model becomes `UniqueCameraModel`, by which converters look for their own profiles.
    /// - Throws: ``StillError`` for pixels that are not raw, for another number of bytes than the size asks for, for
    ///   levels and gains that DNG can't express, and if libtiff refuses.
    public static func dng(
        _ frame: UnsafeRawBufferPointer, _ raw: RawDescription, _ metadata: StillMetadata
    ) throws(StillError) -> [UInt8] {
        guard StillFormat.dng.takes(raw.format) else {
            throw StillError("a DNG holds raw samples, and \(raw.format.name) is none")
        }
        let samples = raw.size.width * raw.size.height
        guard frame.count == samples * raw.format.bytesPerSample else {
            throw StillError("a DNG of \(raw.size) has \(samples) samples")
        }
        guard raw.isSound else {
            throw StillError(
                "a DNG can't have black \(raw.black), white \(raw.white) and these gains: black lies"
                    + " below white, white fits into 16 bits, gains are above 0")
        }
        let writer = try TIFFWriter.begin(
            exif: metadata.exifTags(for: .dng, size: raw.size, channels: 1))
        try writer.set(metadata.mainTags)
        try writer.set(raw.tags(model: metadata.model))
        if raw.format.bytesPerSample == 2 {
            try writer.write(frame)
        } else {
            var wide = [UInt8](repeating: 0, count: 2 * frame.count)
            for (index, sample) in frame.enumerated() { wide[2 * index] = sample }
            try writer.write(wide)
        }
        return try writer.finish()
    }
}
