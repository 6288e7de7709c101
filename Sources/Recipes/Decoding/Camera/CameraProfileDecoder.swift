public import Cameras
import Imaging
public import Notation
import Timebase

/// Reads camera profiles: what is known of a kind of camera before it is attached.
public enum CameraProfileDecoder {
    /// Reads a profile.
    ///
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

    private static func profile(_ root: YAMLNode, _ context: DecodingContext) -> CameraProfile? {
        guard let read = MappingReader(root, as: ProfileKeys.shape, context: context) else {
            return nil
        }
        let (name, summary) = (read(ProfileKeys.name), read(ProfileKeys.summary))
        var profile = CameraProfile(
            name: name ?? "", summary: summary ?? "",
            timestamps: read(ProfileKeys.timestamps)
                ?? TimestampModel(point: .startOfReadout, lateness: .zero, readout: nil))
        profile.driver = read(ProfileKeys.driver)
        profile.shutter = read(ProfileKeys.shutter) ?? .rolling
        profile.startupFrames = read(ProfileKeys.startupFrames) ?? 0
        profile.formats = read(ProfileKeys.formats) ?? []
        profile.exposure = read(ProfileKeys.exposure)
        profile.gain = read(ProfileKeys.gain)
        profile.focus = read(ProfileKeys.focus)
        profile.whiteBalance = read(ProfileKeys.whiteBalance)
        profile.automaticsOff = read(ProfileKeys.automaticsOff) ?? []
        profile.pinned = read(ProfileKeys.pinned) ?? []
        profile.provenance = read(ProfileKeys.provenance) ?? ""
        if profile.shutter == .global, let readout = profile.timestamps.readout, readout > .zero {
            context.report(
                "global-shutter-readout", at: read.valueRange(ProfileKeys.timestamps),
                "a global shutter has no time from the first row's exposure to the last's",
                hint: "write `readout: 0 s`")
        }
        return context.diagnostics.isEmpty ? profile : nil
    }
}

/// The keys of a camera profile.
enum ProfileKeys {
    static let header = FileHeader.camera.key
    static let name = Key(
        "name", Form<String>.name, required: true,
        "The profile's name, as rigs and recipes give it.")
    static let summary = Key("summary", Form<String>.prose, "What kind of camera it is.")
    static let driver = Key(
        "driver", Form<String>.text(), "The kernel driver that such cameras have; any if left out.")
    static let shutter = Key(
        "shutter", Form<CameraProfile.Shutter>.word, required: true, "How rows are exposed.")
    static let timestamps = Key(
        "timestamps", TimestampKeys.form, required: true, "What the driver's time stamps mean.")
    static let startupFrames = Key(
        "startup_frames", Form<Int>.count(0...1_000), "Frames after stream start that are not used."
    )
    static let formats = Key(
        "formats", FormatKeys.form.list(count: 0...1_000),
        "What it offers, for planning without the device.")
    static let exposure = Key("exposure", ExposureKeys.form, "Exposure duration and its control.")
    static let gain = Key("gain", GainKeys.form, "Gain and its control.")
    static let focus = Key("focus", FocusKeys.form, "Lens position and its control.")
    static let whiteBalance = Key(
        "white_balance", BalanceKeys.form, "White balance and its controls.")
    static let automaticsOff = Key(
        "automatics_off", ControlForms.table,
        "Controls that switch automatics off, in the order in which they are written.")
    static let pinned = Key(
        "pinned", ControlForms.table, "Everything else that changes pixels, pinned at the start.")
    static let provenance = Key("provenance", Form<String>.prose, "Where the figures come from.")

    static let shape = MappingShape(
        "a camera profile", "What is known of a kind of camera, for framelock.",
        keys: [
            header.shape, name.shape, summary.shape, driver.shape, shutter.shape, timestamps.shape,
            startupFrames.shape, formats.shape, exposure.shape, gain.shape, focus.shape,
            whiteBalance.shape, automaticsOff.shape, pinned.shape, provenance.shape,
        ])
}
