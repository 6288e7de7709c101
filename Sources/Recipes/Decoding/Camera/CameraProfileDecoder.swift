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
