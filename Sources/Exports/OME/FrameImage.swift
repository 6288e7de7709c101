internal import Imaging

/// An image that a frame has in an OME-TIFF: its samples, or, of 4:2:2, luma or chroma.
enum FrameImage: Hashable {
    /// Mono, Bayer or RGB, as recorded.
    case samples(perPixel: Int)
    /// One sample a pixel.
    case luma(first: Bool)
    /// A blue and a red difference for two pixels of a row.
    case chroma(lumaFirst: Bool)

    /// The usual one.
    static let samples = FrameImage.samples(perPixel: 1)

    /// The images of a frame, in the order in which they are in the file.
    static func all(of format: PixelFormat) -> [FrameImage] {
        switch format.samples {
        case .mono, .bayer: [.samples]
        case .rgb: [.samples(perPixel: 3)]
        case .yuv422(let lumaFirst): [.luma(first: lumaFirst), .chroma(lumaFirst: lumaFirst)]
        }
    }

    /// What it is called beside others; empty where it is the only one.
    var name: String {
        switch self {
        case .samples: ""
        case .luma: "luma"
        case .chroma: "chroma"
        }
    }

    /// Samples that a pixel has in one plane.
    var samplesPerPixel: Int { if case .samples(let count) = self { count } else { 1 } }
    /// Planes that a frame has of it.
    var planesPerFrame: Int { if case .chroma = self { 2 } else { 1 } }
    /// Pixels of a row that share a sample.
    var columnsPerSample: Int { if case .chroma = self { 2 } else { 1 } }
    /// What each plane is called.
    var partNames: [String] { if case .chroma = self { ["Cb", "Cr"] } else { [""] } }

    /// How large it is.
    func size(of frame: FrameSize) -> FrameSize {
        FrameSize(width: frame.width / columnsPerSample, height: frame.height) ?? frame
    }

    /// Calls `body` with the samples of a plane; those of 4:2:2 have a byte each.
    func withPlane<Result>(
        _ part: Int, of frame: UnsafeRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        switch self {
        case .samples: return try body(frame)
        case .luma(let isFirst):
            return try Self.strided(frame, from: isFirst ? 0 : 1, by: 2)
                .withUnsafeBytes(body)
        case .chroma(let lumaFirst):
            return try Self.strided(frame, from: (lumaFirst ? 1 : 0) + 2 * part, by: 4)
                .withUnsafeBytes(body)
        }
    }

    private static func strided(
        _ frame: UnsafeRawBufferPointer, from start: Int, by step: Int
    ) -> [UInt8] {
        stride(from: start, to: frame.count, by: step).map { frame[$0] }
    }
}
