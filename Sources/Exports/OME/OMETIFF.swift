internal import Imaging
internal import Records
internal import Stills

/// The frames of an export as one OME-TIFF.
struct OMETIFF {
    static let name = "frames.ome.tif"

    let description: OMEDescription
    let isDeflated: Bool

    /// Writes the file: all frames once for each image that they have.
    ///
    /// - Throws: ``ExportError`` where it can't be written.
    func write(to folder: String, _ frames: RecordedFrames) throws(ExportError) {
        let path = "\(folder)/\(Self.name)"
        do throws(StillError) {
            let file = try TIFFSeries(path, isDeflated: isDeflated)
            var text: String? = description.text
            for image in FrameImage.all(of: description.run.frames.pixelFormat) {
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
        _ plane: OMEDescription.Plane, _ image: FrameImage, _ text: String?,
        to file: borrowing TIFFSeries, _ frames: RecordedFrames
    ) throws(StillError) {
        let format = description.run.frames.pixelFormat
        let size = image.size(of: description.run.frames.size)
        var text = text
        for part in 0..<image.planesPerFrame {
            let own = text
            text = nil
            let samples = frames.withFrame(of: plane.entry) { frame in
                image.withPlane(part, of: frame) { [UInt8]($0) }
            }
            guard let samples else {
                throw StillError(
                    "the frame of slot \(plane.entry.row.slot) has changed since the export began")
            }
            let result = samples.withUnsafeBytes { bytes in
                Result { () throws(StillError) in
                    try file.add(
                        size, channels: image.samplesPerPixel,
                        bitsPerSample: 8 * format.bytesPerSample, description: own, bytes)
                }
            }
            try result.get()
        }
    }
}
