internal import Imaging
internal import Notation
internal import Records

/// The frames of an export as OME-Zarr 0.5: t, c, z, y, x, a chunk a plane.
///
/// Frames of 4:2:2 are two images, luma and chroma, in one folder, as https://ngff.openmicroscopy.org/0.5 has several.
struct OMEZarr {
    let run: RecordedRun
    let axes: FrameAxes
    let frames: [ExportedFrame]
    let facts: [(name: String, text: String)]
    /// By Zstandard, without a loss.
    let isCompressed: Bool
    /// Whether smaller levels are written, too.
    let hasPyramid: Bool
    /// Of a frame.
    let images: [FrameImage]

    /// Writes the folder.
    ///
    /// - Throws: ``ExportError`` or `StorageError` where it can't be written.
    func write(to folder: String, _ recorded: RecordedFrames) throws {
        try Folder.create(folder)
        guard images.count > 1 else { return try write(images[0], to: folder, recorded) }
        let names = images.indices.map(String.init)
        try describe(folder, ["ome": ["version": "0.5", "bioformats2raw.layout": 3]])
        try Folder.create("\(folder)/OME")
        try describe(
            "\(folder)/OME",
            ["ome": ["version": "0.5", "series": .array(names.map { .string($0) })]])
        for (name, image) in zip(names, images) {
            try Folder.create("\(folder)/\(name)")
            try write(image, to: "\(folder)/\(name)", recorded)
        }
    }

    private func write(_ image: FrameImage, to folder: String, _ recorded: RecordedFrames) throws {
        let metadata = OMEZarrMetadata(export: self, image: image)
        var histograms = metadata.channels.map { _ in SampleHistogram() }
        for (level, size) in metadata.sizes.enumerated() {
            try Folder.create("\(folder)/\(level)")
            try WholeFile.create(
                "\(folder)/\(level)/zarr.json", Self.text(metadata.array(size)), isDurable: false)
        }
        for frame in frames {
            let planes = try image.planes(of: frame.entry, in: recorded, run.frames)
            for (part, samples) in planes.enumerated() {
                let channel = frame.place.c * image.planes.count + part
                histograms[channel].add(samples, bytesPerSample: bytesPerSample)
                try write(
                    samples, metadata.sizes, folder,
                    "c/\(frame.place.t)/\(channel)/\(frame.place.z)/0/0")
            }
        }
        try writeRecorded(metadata, folder)
        try describe(folder, metadata.attributes(histograms.map(\.window)))
    }

    private var bytesPerSample: Int { run.frames.pixelFormat.bytesPerSample }

    /// Writes the chunk of a plane, at each level.
    private func write(
        _ samples: [UInt8], _ sizes: [FrameSize], _ folder: String, _ chunk: String
    ) throws {
        var samples = samples
        for (level, size) in sizes.enumerated() {
            if level > 0 {
                samples = Pyramid.halved(
                    samples, sizes[level - 1], bytesPerSample: bytesPerSample)
            }
            assert(samples.count == size.width * size.height * bytesPerSample)
            let path = "\(folder)/\(level)/\(chunk)"
            try Folder.createParents(of: path)
            try WholeFile.create(
                path, isCompressed ? Zstandard.compressed(samples) : samples, isDurable: false)
        }
    }

    /// Which planes there are: a hole reads as zeros, as a dark frame might.
    private func writeRecorded(_ metadata: OMEZarrMetadata, _ folder: String) throws {
        let (shape, parts) = (axes.shape, metadata.image.planes.count)
        let channels = shape.c * parts
        var recorded = [UInt8](repeating: 0, count: Int(shape.t) * channels * shape.z)
        for frame in frames {
            for part in 0..<parts {
                let row = Int(frame.place.t) * channels + frame.place.c * parts + part
                recorded[row * shape.z + frame.place.z] = 1
            }
        }
        let path = "\(folder)/recorded/c/0/0/0"
        try Folder.createParents(of: path)
        try WholeFile.create(path, recorded, isDurable: false)
        try WholeFile.create(
            "\(folder)/recorded/zarr.json", Self.text(metadata.recorded), isDurable: false)
    }

    private func describe(_ folder: String, _ attributes: JSONValue) throws {
        let group: JSONValue = [
            "zarr_format": 3, "node_type": "group", "attributes": attributes,
        ]
        try WholeFile.create("\(folder)/zarr.json", Self.text(group), isDurable: false)
    }

    private static func text(_ value: JSONValue) -> [UInt8] {
        value.utf8(.pretty) + [UInt8(ascii: "\n")]
    }
}
