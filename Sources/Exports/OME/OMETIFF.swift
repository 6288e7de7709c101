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
        do {
            let file = try TIFFSeries(path, isDeflated: isDeflated)
            var text: String? = description.text
            for image in description.images {
                for plane in description.planes {
                    try write(plane, image, &text, to: file, frames)
                }
            }
            try file.finish()
        } catch let error as ExportError {
            throw error
        } catch {
            throw .inputOutput("can't write \(path): \(error)")
        }
    }

    /// - Parameter text: for the first image of the file, and nil then.
    private func write(
        _ plane: ExportedFrame, _ image: FrameImage, _ text: inout String?,
        to file: borrowing TIFFSeries, _ frames: RecordedFrames
    ) throws {
        let series = description.run.frames
        for samples in try image.planes(of: plane.entry, in: frames, series) {
            try samples.withUnsafeBytes { bytes in
                try file.add(
                    image.size(of: series.size), channels: image.samplesPerPixel,
                    bitsPerSample: 8 * series.pixelFormat.bytesPerSample, description: text, bytes)
            }
            text = nil
        }
    }
}
