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
        let directory = try TIFFWriter.begin(exif: metadata.exifTags(size: image.size))
        try directory.set(metadata.mainTags)
        let segment = Array("Exif".utf8) + [0, 0] + (try directory.finish())
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

    /// An uncompressed TIFF with EXIF, 8 or 16 bits, one or three channels, in one strip.
    ///
    /// - Throws: ``StillError`` if libtiff refuses or has no memory.
    public static func tiff(
        _ image: DevelopedImage, _ metadata: StillMetadata
    ) throws(StillError) -> [UInt8] {
        let writer = try TIFFWriter.begin(exif: metadata.exifTags(size: image.size))
        let bits = UInt16(image.bitsPerSample)
        try writer.set(metadata.mainTags)
        try writer.set([
            (.newSubfileType, .long(0)), (.imageWidth, .long(UInt32(image.size.width))),
            (.imageLength, .long(UInt32(image.size.height))), (.bitsPerSample, .short(bits)),
            (.samplesPerPixel, .short(UInt16(image.channels))), (.compression, .short(1)),
            // 1: black is zero; 2: RGB.
            (.photometric, .short(image.channels == 1 ? 1 : 2)),
            (.rowsPerStrip, .long(UInt32(image.size.height))), (.planarConfiguration, .short(1)),
        ])
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
        let writer = try TIFFWriter.begin(exif: metadata.exifTags(size: raw.size))
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
