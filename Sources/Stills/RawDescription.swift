public import Imaging

/// What the raw samples of a DNG mean.
///
/// Without gains and matrix the file is still valid: converters then take camera colours for linear sRGB, as our own
/// development does.
public struct RawDescription: Hashable, Sendable {
    /// The samples.
    public var format: PixelFormat
    /// Pixels and rows of the recorded frame; there is no crop, and no masked area.
    public var size: FrameSize
    /// The values without light, one for all sites or four in the order of ``DevelopmentSettings/black``; in the codes
    /// of the sensor, from 0 to below ``white``.
    public var black: [Int]
    /// The value at saturation, in the same codes; at most 65,535, the file's depth.
    public var white: Int
    /// White-balance gains that are still to be applied: 1 for each where the camera did it.
    ///
    /// They are stored as `AsShotNeutral`, relative to green; the samples stay as they are.
    public var gains: ChannelGains
    /// Balanced camera colours to linear sRGB, nine elements in millionths row by row; nil if nobody measured it.
    ///
    /// Stored inverted as `ColorMatrix1` (``colourMatrix``).
    public var matrixMillionths: [Int64]?
    /// The camera's serial number or stable id; empty if it has none.
    public var serial: String

    /// Creates a description; levels are the format's own if left out.
    public init(
        format: PixelFormat, size: FrameSize, black: [Int] = [0], white: Int? = nil,
        gains: ChannelGains = .unity,
        matrixMillionths: [Int64]? = nil, serial: String = ""
    ) {
        self.format = format
        self.size = size
        self.black = black
        self.white = white ?? format.maximum
        self.gains = gains
        self.matrixMillionths = matrixMillionths
        self.serial = serial
    }

    /// Whether levels and gains can be written down: four levels or one, below white, which fits into 16 bits.
    ///
    /// Checked before anything is written: ``neutral`` and ``colourMatrix`` divide by the gains, and the levels go into
    /// unsigned tags.
    var isSound: Bool {
        (1...65_535).contains(white) && (black.count == 1 || black.count == 4)
            && black.allSatisfy { $0 >= 0 && $0 < white } && gains.redMillionths > 0
            && gains.greenMillionths > 0 && gains.blueMillionths > 0
    }

    /// The tags of the main directory beyond those of ``StillMetadata``, as DNG 1.4 defines them.
    ///
    /// `DNGBackwardVersion` is 1.1, so that old converters read the file. Mono frames are `LinearRaw` with one black
    /// level and no colour tags; Bayer frames get four levels, even where all are the same, because
    /// `BlackLevelRepeatDim` is the pattern's.
    ///
    /// - Parameter model: the camera's name; `framelock` where it is empty, since `UniqueCameraModel` is required.
    func tags(model: String) -> [(TIFFTag, TIFFValue)] {
        var tags: [(TIFFTag, TIFFValue)] = [
            (.newSubfileType, .long(0)), (.imageWidth, .long(UInt32(size.width))),
            (.imageLength, .long(UInt32(size.height))), (.bitsPerSample, .short(16)),
            (.samplesPerPixel, .short(1)), (.compression, .short(1)),
            (.rowsPerStrip, .long(UInt32(size.height))), (.planarConfiguration, .short(1)),
            (.dngVersion, .bytes([1, 4, 0, 0])), (.dngBackwardVersion, .bytes([1, 1, 0, 0])),
            (.uniqueCameraModel, .text(StillMetadata.ascii(model.isEmpty ? "framelock" : model))),
            (.whiteLevel, .longs([UInt32(white)])),
        ]
        if !serial.isEmpty {
            tags.append((.cameraSerialNumber, .text(StillMetadata.ascii(serial))))
        }
        guard case .bayer(let pattern) = format.samples else {
            // Linear raw.
            tags += [
                (.photometric, .short(34_892)), (.blackLevelRepeatDimension, .shorts([1, 1])),
                (.blackLevel, .reals([Float(black.first ?? 0)])),
            ]
            return tags
        }
        let levels = (0..<4).map { black.count == 4 ? black[$0] : black.first ?? 0 }
        tags += [
            // Colour filter array.
            (.photometric, .short(32_803)), (.cfaRepeatPatternDimension, .shorts([2, 2])),
            (.cfaPattern, .bytes(pattern.codes)), (.cfaPlaneColour, .bytes([0, 1, 2])),
            (.cfaLayout, .short(1)), (.blackLevelRepeatDimension, .shorts([2, 2])),
            (.blackLevel, .reals(levels.map { Float($0) })), (.asShotNeutral, .reals(neutral)),
            (.colourMatrix1, .reals(colourMatrix.map { Float($0) })),
            // D65: the matrix is made for the sRGB that pictures are shown in.
            (.calibrationIlluminant1, .short(21)),
        ]
        return tags
    }

    /// What a grey is in raw colours: the reciprocals of the gains, green 1 (DNG's `AsShotNeutral`).
    private var neutral: [Float] {
        let green = Double(gains.greenMillionths)
        return [
            Float(green / Double(gains.redMillionths)), 1,
            Float(green / Double(gains.blueMillionths)),
        ]
    }
}

extension BayerPattern {
    /// The colours of the sites in DNG's numbers for `CFAPattern`: 0 red, 1 green, 2 blue; first row, then second.
    fileprivate var codes: [UInt8] {
        rawValue.map { $0 == "R" ? 0 : $0 == "G" ? 1 : 2 }
    }
}
