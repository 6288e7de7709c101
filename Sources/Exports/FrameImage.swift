internal import Imaging
internal import Records

/// An image that a frame has in an export: its samples, or planes that each have a regular part of them.
///
/// Luma and chroma of 4:2:2 are two images, since they have different sizes. A raw colour frame is one image of four
/// planes, each with a sample of every two by two.
struct FrameImage: Hashable {
    /// Samples at regular places of a frame, by the rows and by the samples of a row.
    struct Plane: Hashable {
        /// What it is called; empty where the image has no other.
        var name = ""
        /// Red, green and blue of what it shows, a byte each; nil for any light.
        var colour: UInt32?
        var firstRow = 0
        var firstSample = 0
    }

    /// What it is called beside others; empty where it is the only one.
    var name = ""
    /// In the order of channels.
    var planes: [Plane] = [Plane()]
    /// Samples that a pixel has in one plane, one beside the other.
    var samplesPerPixel = 1
    /// Samples of a row from one of a plane to the next.
    private var sampleStep = 1
    /// Pixels of a row, and rows, for one of the image's.
    private(set) var columnsPerPixel = 1
    private(set) var rowsPerPixel = 1

    /// What the green beside blue is called.
    static let secondGreen = "Gb"

    /// The usual one.
    static let samples = FrameImage()

    /// The images of a frame, in the order in which they are in a file.
    ///
    /// - Parameters:
    ///   - series: what the frames are.
    ///   - isMosaic: whether a raw colour frame stays one plane; it does at odd sizes, too.
    ///   - isPlanar: whether red, green and blue of RGB are planes.
    static func all(
        of format: PixelFormat, _ size: FrameSize, isMosaic: Bool, isPlanar: Bool
    ) -> [FrameImage] {
        switch format.samples {
        case .mono: return [.samples]
        case .bayer(let pattern):
            let isEven = size.width % 2 == 0 && size.height % 2 == 0
            return [isMosaic || !isEven ? .samples : .colours(of: pattern)]
        case .rgb:
            guard isPlanar else { return [FrameImage(samplesPerPixel: 3)] }
            let planes = [("R", red), ("G", green), ("B", blue)].enumerated().map {
                Plane(name: $1.0, colour: $1.1, firstSample: $0)
            }
            return [FrameImage(planes: planes, sampleStep: 3)]
        case .yuv422(let lumaFirst):
            let (luma, chroma) = lumaFirst ? (0, 1) : (1, 0)
            return [
                FrameImage(name: "luma", planes: [Plane(firstSample: luma)], sampleStep: 2),
                FrameImage(
                    name: "chroma",
                    planes: [
                        Plane(name: "Cb", firstSample: chroma),
                        Plane(name: "Cr", firstSample: chroma + 2),
                    ], sampleStep: 4, columnsPerPixel: 2),
            ]
        }
    }

    private static let (red, green, blue): (UInt32, UInt32, UInt32) = (
        0xFF0000, 0x00FF00, 0x0000FF
    )

    /// Red, the greens beside red and beside blue, and blue.
    private static func colours(of pattern: BayerPattern) -> FrameImage {
        let redAt: (row: Int, column: Int) =
            switch pattern {
            case .rggb: (0, 0)
            case .grbg: (0, 1)
            case .gbrg: (1, 0)
            case .bggr: (1, 1)
            }
        func plane(_ name: String, _ colour: UInt32, down: Int, right: Int) -> Plane {
            Plane(
                name: name, colour: colour, firstRow: (redAt.row + down) % 2,
                firstSample: (redAt.column + right) % 2)
        }
        return FrameImage(
            planes: [
                plane("R", red, down: 0, right: 0), plane("Gr", green, down: 0, right: 1),
                plane(secondGreen, green, down: 1, right: 0), plane("B", blue, down: 1, right: 1),
            ], sampleStep: 2, columnsPerPixel: 2, rowsPerPixel: 2)
    }

    /// How large it is.
    func size(of frame: FrameSize) -> FrameSize {
        FrameSize(width: frame.width / columnsPerPixel, height: frame.height / rowsPerPixel)
            ?? frame
    }

    /// The samples of a plane, rows without padding, little-endian as in the frame.
    func samples(
        _ plane: Plane, of frame: UnsafeRawBufferPointer, _ format: PixelFormat, _ size: FrameSize
    ) -> [UInt8] {
        guard samplesPerPixel == 1, format.channels > 1 || columnsPerPixel > 1 else {
            return [UInt8](frame)
        }
        return format.bytesPerSample == 1
            ? picked(plane, of: frame, as: UInt8.self, size.width * format.channels, size.height)
            : picked(plane, of: frame, as: UInt16.self, size.width * format.channels, size.height)
    }

    /// The samples of each plane of a recorded frame, which is read and checked once for all of them.
    ///
    /// - Throws: ``ExportError`` where the frame is no longer the one that its row has.
    func planes(
        of entry: LedgerEntry, in frames: RecordedFrames, _ series: FrameSeries
    ) throws(ExportError) -> [[UInt8]] {
        let found = frames.withFrame(of: entry) { frame in
            planes.map { samples($0, of: frame, series.pixelFormat, series.size) }
        }
        guard let found else { throw .changed(entry.row.slot) }
        return found
    }

    private func picked<Sample: FixedWidthInteger & BitwiseCopyable>(
        _ plane: Plane, of frame: UnsafeRawBufferPointer, as type: Sample.Type,
        _ samplesPerRow: Int, _ rows: Int
    ) -> [UInt8] {
        let perRow = (samplesPerRow - plane.firstSample + sampleStep - 1) / sampleStep
        let ownRows = (rows - plane.firstRow + rowsPerPixel - 1) / rowsPerPixel
        let width = MemoryLayout<Sample>.size
        return [UInt8](unsafeUninitializedCapacity: perRow * ownRows * width) { buffer, count in
            let bytes = UnsafeMutableRawBufferPointer(buffer)
            for row in stride(from: plane.firstRow, to: rows, by: rowsPerPixel) {
                let start = row * samplesPerRow
                for sample in stride(from: plane.firstSample, to: samplesPerRow, by: sampleStep) {
                    let value = frame.loadUnaligned(
                        fromByteOffset: (start + sample) * width, as: type)
                    bytes.storeBytes(of: value, toByteOffset: count, as: type)
                    count += width
                }
            }
        }
    }
}

extension FrameAxes {
    /// A channel of an image: one of the grid's, and a plane.
    struct Channel: Hashable {
        /// Empty for the only one of its kind.
        let name: String
        /// Red, green and blue, a byte each; nil where neither light nor plane has a colour.
        let colour: UInt32?
    }

    /// The channels of an image, in their order: those of the grid, each with all planes.
    func channels(of image: FrameImage) -> [Channel] {
        zip(channelNames, channelLights).flatMap { name, lights in
            image.planes.map { plane in
                Channel(
                    name: [name, plane.name].filter { !$0.isEmpty }.joined(separator: ", "),
                    colour: plane.colour
                        ?? (image.planes.count == 1 ? ChannelColour.of(lights: lights) : nil))
            }
        }
    }
}
