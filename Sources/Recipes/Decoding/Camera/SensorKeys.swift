import Devices
import Imaging
import Notation

/// `sensor`: how a raw sensor keeps time.
///
/// Lines of pixels make frames of lines, and exposures are counted in lines. With a device attached its driver's own
/// figures for pixel rate and blanking go before these.
enum SensorKeys {
    /// What the file has; the exposure has a key of its own.
    ///
    /// Numbers are the driver's: lines and pixels as its blanking controls count them.
    struct Sensor: Sendable {
        var modes: [SensorMode]
        var vertical: SensorModel.Blanking
        var horizontal: SensorModel.Blanking?
        var marginLines: Int64
        var embeddedLines: Int64
        var keepsOrderWhenFlipped: Bool
        var frameRegisterMaximum: Int64?
        var longestFrameLines: Int64?
    }

    private static let vertical = Key(
        "vertical_blanking", blankingForm, required: true, "Lines after a frame: sets the rate.")
    /// Nil where it is read-only; the length of a line is then the driver's.
    private static let horizontal = Key(
        "horizontal_blanking", blankingForm,
        "Pixels after a line, where the driver lets them be written.")
    /// The longest exposure is the frame's lines less these.
    private static let margin = Key(
        "margin", Form<Int64>.integer(0...10_000), required: true,
        "Lines that an exposure must be shorter than the frame.")
    private static let embedded = Key(
        "embedded_lines", Form<Int64>.integer(0...100),
        "Lines that are read out before the image; 0 if left out.")
    /// For sensors that move their readout by a pixel when they flip, such as imx290.
    private static let keepsOrder = Key(
        "flips_keep_order", Form<Bool>.boolean,
        "Whether the Bayer order stays what it is when the sensor flips its image; false if left out."
    )
    /// Nil where every frame fits; beyond it exposures get coarser with the frame.
    private static let frameRegister = Key(
        "frame_register", Form<Int64>.integer(100...1_000_000_000),
        "Lines of the longest frame that the sensor's register holds; longer ones are counted in 2, 4 and more"
            + " lines, and the exposure with them. If left out, every frame fits.")
    /// Nil where the driver is right in all that it offers.
    private static let longestFrame = Key(
        "longest_frame", Form<Int64>.integer(100...1_000_000_000),
        "Lines of the longest frame in which the driver sets exposures rightly, where it offers longer ones."
    )
    private static let modes = Key(
        "modes", modeForm.list(count: 1...100), required: true,
        "What it delivers, for planning without the device; the driver's figures go before these.")

    static let form = Form<Sensor>.mapping(
        MappingShape(
            "a sensor", "How a raw sensor keeps time: lines of pixels, frames of lines.",
            keys: [
                vertical.shape, horizontal.shape, margin.shape, embedded.shape, keepsOrder.shape,
                frameRegister.shape, longestFrame.shape, modes.shape,
            ])
    ) { read in
        let (vertical, horizontal) = (read(Self.vertical), read(Self.horizontal))
        let (margin, embedded) = (read(Self.margin), read(Self.embedded))
        let modes = read(Self.modes)
        let (keepsOrder, frameRegister) = (read(Self.keepsOrder), read(Self.frameRegister))
        guard let vertical, let margin, let modes else { return nil }
        return Sensor(
            modes: modes, vertical: vertical, horizontal: horizontal, marginLines: margin,
            embeddedLines: embedded ?? 0, keepsOrderWhenFlipped: keepsOrder ?? false,
            frameRegisterMaximum: frameRegister, longestFrameLines: read(Self.longestFrame))
    }

    // MARK: Blanking

    private static let control = Key(
        "control", ControlForms.control, required: true, "The control that sets it.")

    /// A control with its latency, which counts where the rate changes from step to step.
    private static let blankingForm = Form<SensorModel.Blanking>.mapping(
        MappingShape(
            "a blanking", "A blanking control.",
            keys: [control.shape, ControlForms.latency.shape])
    ) { read in
        let (control, latency) = (read(Self.control), read(ControlForms.latency))
        guard let control, let latency else { return nil }
        return .init(
            control: control, latencyFrames: latency.frames, latencyOrigin: latency.origin)
    }

    // MARK: Modes

    private static let size = Key("size", Form<FrameSize>.size, required: true, "Frame size.")
    private static let pixels = Key(
        "pixels", Form<PixelFormat>.pixels.list(count: 1...20), required: true,
        "Pixel formats that it comes in.")
    /// In hertz; with the line's pixels it gives the duration of a line.
    private static let pixelRate = Key(
        "pixel_rate", .frequency, required: true, "Pixels in a second.")
    private static let line = Key(
        "line", Form<Int64>.integer(1...1_000_000), required: true,
        "Pixels of a line with its blanking.")
    private static let blanking = Key(
        "blanking", ControlForms.positiveCodes, required: true, "Lines that may follow a frame.")
    private static let exposure = Key(
        "exposure", ControlForms.positiveCodes,
        "Lines of exposure, where they differ from the sensor's.")
    private static let binning = Key(
        "binning", Form<Int64>.integer(1...16),
        "Pixels in a row, and in a column, that make one; 1 if left out.")
    private static let crop = Key(
        "crop", Form<FrameRegion>.region, "The part of the pixel array that is read.")
    private static let linesPerCount = Key(
        "lines_per_count", Form<Int64>.integer(1...16),
        "Lines of the driver that make one in the sensor's registers at this pixel rate; 1 if left out."
    )
    private static let refusesOtherRates = Key(
        "refuse_other_rates", Form<Bool>.boolean,
        "Whether to refuse the mode to a driver that reports another pixel rate or shorter lines, because rows are"
            + " not read so; false if left out.")

    /// A mode; a line must hold the frame's pixels, since blanking is not negative.
    private static let modeForm = Form<SensorMode>.mapping(
        MappingShape(
            "a mode", "One way in which a sensor reads out its pixels.",
            keys: [
                size.shape, pixels.shape, pixelRate.shape, line.shape, blanking.shape,
                exposure.shape, binning.shape, crop.shape, linesPerCount.shape,
                refusesOtherRates.shape,
            ])
    ) { read in
        let (size, pixels, rate) = (read(Self.size), read(Self.pixels), read(pixelRate))
        let (line, blanking, exposure) = (read(Self.line), read(Self.blanking), read(Self.exposure))
        let (binning, crop) = (read(Self.binning), read(Self.crop))
        let (linesPerCount, isStrict) = (read(Self.linesPerCount), read(refusesOtherRates))
        guard let size, let pixels, let rate, let line, let blanking else { return nil }
        guard line >= Int64(size.width) else {
            read.context.report(
                "out-of-range", at: read.valueRange(Self.line),
                "a line of \(line) pixels can't hold the \(size.width) of a frame")
            return nil
        }
        var mode = SensorMode(
            size: size, pixelFormats: pixels, pixelRateHertz: rate, linePixels: line,
            blankingLines: blanking, exposureLines: exposure, binning: binning ?? 1, crop: crop,
            linesPerCount: linesPerCount ?? 1)
        mode.refusesOtherRates = isStrict ?? false
        return mode
    }
}
