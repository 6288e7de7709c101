internal import Imaging
internal import Records
internal import Stills

/// The frames of an export as one OME-TIFF.
struct OMETIFF {
    let description: OMEDescription
    let isDeflated: Bool

    /// Writes the file: all frames once for each image that they have.
    ///
    /// - Throws: ``ExportError`` where it can't be written.
    func write(to path: String, _ frames: RecordedFrames) throws(ExportError) {
        let each = description.images.reduce(0) { $0 + $1.planes.count }
        guard description.planes.count <= TIFFSeries.most / each else {
            throw .usage(
                "an ome_tiff holds \(TIFFSeries.most / each) such frames at most, and"
                    + " \(description.planes.count) are selected: export them in parts, by --slots")
        }
        do throws(StillError) {
            let file = try TIFFSeries(path, isDeflated: isDeflated)
            var text: String? = description.text
            for image in description.images {
                for plane in description.planes {
                    try write(plane, image, text, to: file, frames)
                    text = nil
                }
            }
            try file.finish()
        } catch {
            throw .inputOutput("can't write \(path): \(error)")
        }
    }

    private func write(
        _ plane: ExportedFrame, _ image: FrameImage, _ text: String?,
        to file: borrowing TIFFSeries, _ frames: RecordedFrames
    ) throws(StillError) {
        let (format, whole) = (
            description.run.frames.pixelFormat, description.run.frames.size
        )
        var text = text
        for part in image.planes {
            let samples = frames.withFrame(of: plane.entry) {
                image.samples(part, of: $0, format, whole)
            }
            guard let samples else {
                throw StillError(
                    "the frame of slot \(plane.entry.row.slot) has changed since the export began")
            }
            let own = text
            text = nil
            let result = samples.withUnsafeBytes { bytes in
                Result { () throws(StillError) in
                    try file.add(
                        image.size(of: whole), channels: image.samplesPerPixel,
                        bitsPerSample: 8 * format.bytesPerSample, description: own, bytes)
                }
            }
            try result.get()
        }
    }
}
