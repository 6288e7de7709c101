public import Devices
import Imaging
public import Notation
import Timebase

/// Reads camera profiles: what is known of a kind of camera before it is attached.
///
/// Profiles have no parameters. What is read serves plans without the device; an attached camera narrows ranges, and a
/// sensor's driver replaces its timing.
public enum CameraProfileDecoder {
    /// Reads a profile.
    ///
    /// - Parameter source: the file, whose name is kept in the profile: messages about limits state where they come
    ///   from.
    /// - Throws: all independent errors of the file, sorted by position.
    public static func decode(_ source: SourceFile) throws(DiagnosticList) -> CameraProfile {
        let root = try YAMLReader.read(source)
        let context = DecodingContext(source)
        guard FileHeader.camera.check(root, context: context) else {
            throw DiagnosticList(context.diagnostics)
        }
        let profile = profile(root, context)
        guard let profile, context.diagnostics.isEmpty else {
            precondition(!context.diagnostics.isEmpty, "a profile that can't be read has a reason")
            throw DiagnosticList(context.diagnostics)
        }
        return profile
    }

    /// Reads all keys, also beside ones that are wrong, so that one reading shows every error; nil where there is any.
    ///
    /// Defaults that stand in for a wrong key never leave this function.
    private static func profile(_ root: YAMLNode, _ context: DecodingContext) -> CameraProfile? {
        guard let read = MappingReader(root, as: ProfileKeys.shape, context: context) else {
            return nil
        }
        let (name, summary) = (read(ProfileKeys.name), read(ProfileKeys.summary))
        var profile = CameraProfile(
            name: name ?? "", summary: summary ?? "",
            timestamps: read(ProfileKeys.timestamps)
                ?? TimestampModel(point: .startOfReadout, delay: .zero, readout: nil))
        profile.driver = read(ProfileKeys.driver)
        profile.sensors = read(ProfileKeys.sensors)
        profile.shutter = read(ProfileKeys.shutter) ?? .rolling
        profile.file = context.source.name
        profile.formats = read(ProfileKeys.formats) ?? []
        readExposure(read, into: &profile)
        profile.embeddedData = read(ProfileKeys.embeddedData)
        profile.trigger = read(ProfileKeys.trigger)
        profile.gain = read(ProfileKeys.gain)
        profile.focus = read(ProfileKeys.focus)
        profile.whiteBalance = read(ProfileKeys.whiteBalance)
        profile.aperture = read(ProfileKeys.aperture)
        profile.levels = read(ProfileKeys.levels) ?? []
        profile.unitCellNanometres = read(ProfileKeys.unitCell)
        profile.quirks = read(ProfileKeys.quirks) ?? []
        profile.automaticsOff = read(ProfileKeys.automaticsOff) ?? []
        profile.pinned = read(ProfileKeys.pinned) ?? []
        profile.inputs = read(ProfileKeys.inputs) ?? []
        profile.provenance = read(ProfileKeys.provenance) ?? ""
        let startup = read(ProfileKeys.startup)
        profile.startupFrames =
            startup.map { max($0, profile.longestLatency) } ?? read(ProfileKeys.startupFrames) ?? 0
        if profile.shutter == .global, let readout = profile.timestamps.readout, readout > .zero {
            context.report(
                "global-shutter-readout", at: read.valueRange(ProfileKeys.timestamps),
                "a global shutter has no time from the first row's exposure to the last's",
                hint: "write `readout: 0 s`")
        }
        if profile.sensor != nil { profile.formats = formats(of: profile) }
        return context.diagnostics.isEmpty ? profile : nil
    }

    /// What a raw sensor delivers in its modes, with the flips that the file pins: these may move the Bayer order.
    private static func formats(of profile: CameraProfile) -> [CameraFormat] {
        (profile.sensor?.modes ?? []).flatMap { mode in
            mode.pixelFormats.map { native in
                let pixels = profile.delivered(native)
                return CameraFormat(
                    fourCC: pixels.fourCCText, pixelFormat: pixels, size: mode.size, rates: [])
            }
        }
    }

    /// Exposure in time, or in lines together with the sensor that has them.
    ///
    /// The two keys belong together, `unit: lines` and `sensor`; one without the other is reported. Lines become time
    /// when a mode is chosen, so a raw sensor's profile has no exposure model until then.
    private static func readExposure(_ read: MappingReader, into profile: inout CameraProfile) {
        let (exposure, sensor) = (read(ProfileKeys.exposure), read(ProfileKeys.sensor))
        if let sensor, case .lines(let exposure)? = exposure {
            profile.sensor = SensorModel(
                modes: sensor.modes, exposure: exposure, vertical: sensor.vertical,
                horizontal: sensor.horizontal, marginLines: sensor.marginLines,
                embeddedLines: sensor.embeddedLines)
            profile.sensor?.keepsOrderWhenFlipped = sensor.keepsOrderWhenFlipped
            profile.sensor?.frameRegisterMaximum = sensor.frameRegisterMaximum
            profile.sensor?.longestFrameLines = sensor.longestFrameLines
            return
        }
        if case .timed(let model)? = exposure { profile.exposure = model }
        if case .lines? = exposure, !read.has(ProfileKeys.sensor) {
            read.context.report(
                "missing-key", at: read.keyRange(ProfileKeys.exposure),
                "an exposure in lines needs `sensor`, which states how long a line is")
        } else if sensor != nil, profile.exposure != nil || !read.has(ProfileKeys.exposure) {
            read.context.report(
                "missing-key", at: read.keyRange(ProfileKeys.sensor),
                "a sensor needs an `exposure` with `unit: lines`")
        }
    }
}

extension CameraProfile {
    /// Frames that the slowest control takes; 0 for a camera without any.
    ///
    /// Frames of the beginning that precede it can't be trusted, whatever `startup` is.
    fileprivate var longestLatency: Int {
        let sensor = sensor.map { max($0.exposure.latencyFrames, $0.vertical.latencyFrames) }
        return [
            sensor, exposure?.latencyFrames, gain?.latencyFrames, focus?.latencyFrames,
            whiteBalance?.latencyFrames,
        ].compactMap { $0 }.max() ?? 0
    }
}
