import Imaging
import Notation
import Timebase

/// `camera`: which camera, and how it delivers frames.
///
/// What is read here is a need. Whether the camera exists, and offers the format, the compiler and the device decide.
enum CameraKeys {
    static let use = Key(
        "use", cameraName, required: true,
        "Which camera: `simulated`, a stable id as `framelock devices` prints it, or a name in the rig."
    )
    static let profile = Key(
        "profile", Form<String>.name.located,
        "Name of the camera profile; left out, the rig's, or the one that fits the driver.")
    /// By the driver's own name for it; nil for the one that is selected when the run begins.
    static let input = Key(
        "input", Form<String>.text().located,
        "Input of a device with several, for example `HDMI 000-0`; the one that is selected if left out."
    )
    static let format = Key(
        "format", formatForm, required: true, "Pixels, size and rate, or a preset.")
    /// The frame is the region, so `size` has to be its size.
    static let region = Key(
        "region", Form<FrameRegion>.region.located,
        "The part of the image that is delivered, for example `640x480+100+50`; the whole image if left out."
    )
    /// Another thing than `wait: {edge: …}`: here the edge exposes the camera, there the host waits for it.
    static let trigger = Key(
        "trigger", CameraTriggerForm.form,
        "The line whose edges expose the camera; left out, it runs by its own clock.")

    static let form = Form<CameraNeed>.mapping(
        MappingShape(
            "`camera`", "Which camera, and how it delivers frames.",
            keys: [
                use.shape, profile.shape, input.shape, format.shape, region.shape, trigger.shape,
            ])
    ) { read in
        let (name, profile, input) = (read(use), read(Self.profile), read(Self.input))
        let (format, region) = (read(Self.format), read(Self.region))
        let trigger = read(Self.trigger)
        guard let name, let format else { return nil }
        return CameraNeed(
            use: name, profile: profile, input: input, format: format, region: region,
            trigger: trigger)
    }

    /// A camera by name or stable id; a device file is refused.
    ///
    /// The kernel numbers `/dev/video` files in the order in which drivers come up, so the same number may be another
    /// camera after a boot.
    static let cameraName = Form<Located<String>>(Form<String>.text().shape) {
        node, context in
        guard let name = Form<String>.text().read(node, context) else { return nil }
        guard !name.hasPrefix("/dev/") else {
            context.report(
                "device-file", at: node.range,
                "\(Diagnostic.quote(name)) is a device file, whose number changes between boots",
                hint: "name the camera by its stable id, as `framelock devices` prints it")
            return nil
        }
        return Located(name, at: node.range)
    }

    // MARK: Format

    private static let preset = Key(
        "preset", Form<FormatPreset>.word.located,
        "What the frames are for, instead of their size: `photo` the most pixels, `high` the most at 24 fps,"
            + " `medium` up to 1280x720, `low` up to 640x480, `fastest` the highest rate.")
    private static let pixels = Key(
        "pixels", Form<PixelFormat>.pixels.located,
        "Pixel format; with a preset needed only where several fit.")
    private static let size = Key("size", Form<FrameSize>.size.located, "Frame size.")
    private static let rate = Key(
        "rate", Form<FrameRate>.rate.located, "Frame rate; left out, what the camera chooses.")

    /// Either a size with pixels, or a preset that finds both; a rate goes with either.
    private static let formatForm = Form<FormatNeed>.mapping(
        MappingShape(
            "`format`", "Pixels, size and rate, or a preset.",
            keys: [pixels.shape, size.shape, rate.shape, preset.shape],
            rules: [.exactlyOne([["size"], ["preset"]]), .companion("size", of: ["pixels"])])
    ) { read in
        let (pixels, size, rate) = (read(Self.pixels), read(Self.size), read(Self.rate))
        let preset = read(Self.preset)
        guard preset != nil || (pixels != nil && size != nil) else { return nil }
        return FormatNeed(preset: preset, pixelFormat: pixels, size: size, rate: rate)
    }
}
