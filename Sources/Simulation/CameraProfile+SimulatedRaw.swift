public import Devices
internal import Imaging
internal import Timebase

extension CameraProfile {
    /// A raw sensor behind a receiver that timestamps frames in an interrupt: it keeps time by its registers, in lines
    /// of a microsecond, and sends nothing but pixels.
    public static let simulatedRaw: CameraProfile = {
        var profile = simulated
        profile.name = "simulated-raw"
        profile.summary = "a simulated raw sensor, whose frames keep the period of its registers"
        profile.timestamps = TimestampModel(
            point: .startOfReadout, delay: .microseconds(150), readout: .zero)
        profile.formats = profile.formats.map { format in
            var format = format
            format.rates = []
            return format
        }
        profile.trigger = nil
        profile.levels = [8, 12].map { PixelLevels(bits: $0, black: 0) }
        profile.sensor = SensorModel(
            modes: SimulatedRawTiming.modes(profile.formats),
            exposure: .init(
                control: SimulatedControls.exposure, codes: CodeRange(20, 2_000_000),
                latencyFrames: 2, latencyOrigin: .exact),
            vertical: .init(
                control: .verticalBlanking, latencyFrames: 1, latencyOrigin: .exact),
            marginLines: 4)
        profile.exposure = nil
        return profile
    }()

    /// The same sensor with its registers sent along with each frame.
    public static let simulatedRawWithMetadata: CameraProfile = {
        var profile = simulatedRaw
        profile.name = "simulated-raw-metadata"
        profile.embeddedData = .smia
        return profile
    }()
}

/// The figures of the simulated raw sensor.
enum SimulatedRawTiming {
    /// Pixels in a second, as the driver reports them (`V4L2_CID_PIXEL_RATE`).
    static let pixelRate: Int64 = 4_000_000_000
    /// Pixels of a line with its blanking: a microsecond.
    static let linePixels: Int64 = 4_000
    /// Lines that may follow a frame, of a microsecond each.
    static let blankingLines = CodeRange(32, 2_000_000)
    /// What the blanking is before anybody writes it.
    static let usualBlanking: Int64 = 32_000

    /// One mode for each size, with all pixel formats that have it.
    static func modes(_ formats: [CameraFormat]) -> [SensorMode] {
        var modes: [SensorMode] = []
        for format in formats {
            guard let pixels = format.pixelFormat else { continue }
            let size = format.size
            if let index = modes.firstIndex(where: { $0.size == size }) {
                modes[index].pixelFormats.append(pixels)
            } else {
                modes.append(
                    SensorMode(
                        size: size, pixelFormats: [pixels], pixelRateHertz: pixelRate,
                        linePixels: linePixels, blankingLines: blankingLines))
            }
        }
        return modes
    }
}
