import Devices
import Notation

/// `white_balance` of a camera profile.
///
/// Three kinds of cameras: with controls for red and blue, with one for the temperature (or both), and raw sensors,
/// which do not balance: their gains are metadata.
enum BalanceKeys {
    private static let components = Key(
        "components", componentForm, "Red and blue gains as controls of their own.")
    private static let temperature = Key(
        "temperature", temperatureForm, "Colour temperature as a control, code = kelvin.")

    /// Only `true` means anything; it excludes every control and their latency.
    private static let metadata = Key(
        "metadata", Form<Bool>.boolean,
        "`true` for a raw sensor: gains are kept with the frames and used when they are developed.")
    /// The smallest is 1 in any case.
    private static let maximumGain = Key(
        "maximum_gain", .gain, "The largest channel gain that may be asked for; 8x if left out.")
    /// Turns temperatures into gains and back, where the camera has a control for one and the recipe has the other.
    private static let curve = Key(
        "curve", CurveKeys.curve, "How the camera sees grey over colour temperature.")
    /// For developing frames; the record keeps what the sensor sent.
    private static let matrices = Key(
        "matrices", CurveKeys.matrices, "From balanced camera colours to linear sRGB.")

    /// A model with controls and their latency, or one of metadata; nil where neither is whole, which is reported.
    static let form = Form<WhiteBalanceModel>.mapping(
        MappingShape(
            "a white-balance model", "White balance and its controls.",
            keys: [
                components.shape, temperature.shape, metadata.shape, maximumGain.shape,
                curve.shape, matrices.shape, ControlForms.optionalLatency.shape,
            ],
            rules: [
                .atLeastOne(["components", "temperature", "metadata"]),
                .atMostOne(["components", "metadata"]), .atMostOne(["temperature", "metadata"]),
                .atMostOne(["latency", "metadata"]),
            ])
    ) { read in
        let (components, temperature) = (read(Self.components), read(Self.temperature))
        let (latency, metadata) = (read(ControlForms.optionalLatency), read(Self.metadata))
        let (maximum, curve) = (read(maximumGain), read(Self.curve))
        let matrices = read(Self.matrices)
        var model: WhiteBalanceModel
        if metadata == true {
            model = .metadata(curve: curve)
        } else if let latency {
            model = WhiteBalanceModel(
                components: components, temperature: temperature, latencyFrames: latency.frames,
                latencyOrigin: latency.origin, curve: curve)
        } else {
            reportMissingLatency(read, metadata)
            return nil
        }
        if let maximum { model.maximumGain = maximum }
        model.matrices = matrices ?? []
        return model
    }

    /// Says what a model lacks that is neither metadata nor has a latency; silent where that was reported with the
    /// keys.
    private static func reportMissingLatency(_ read: MappingReader, _ metadata: Bool?) {
        if metadata == false {
            read.context.report(
                "unknown-word", at: read.valueRange(Self.metadata),
                "`metadata` is `true` or left out")
        } else if !read.has(ControlForms.optionalLatency), !read.has(Self.metadata) {
            read.context.report(
                "missing-key", at: SourceRange(at: read.range.start, columns: 1),
                "a white-balance model with controls needs the key `latency`")
        }
    }

    // MARK: Components

    private static let red = Key(
        "red", ControlForms.control, required: true, "The control of the red gain.")
    private static let blue = Key(
        "blue", ControlForms.control, required: true, "The control of the blue gain.")
    /// Gains are relative to green, which these cameras fix at 1.
    private static let unity = Key(
        "unity", Form<Int64>.integer(1...4_294_967_295), required: true, "Code of gain 1.")
    private static let codes = Key(
        "codes", ControlForms.positiveCodes, required: true, "Codes that both controls take.")

    /// One range of codes, which holds for both controls.
    private static let componentForm = Form<WhiteBalanceModel.Components>.mapping(
        MappingShape(
            "a pair of components", "Red and blue gains: gain = code / unity.",
            keys: [red.shape, blue.shape, unity.shape, codes.shape])
    ) { read in
        let (red, blue) = (read(Self.red), read(Self.blue))
        let (unity, codes) = (read(Self.unity), read(Self.codes))
        guard let red, let blue, let unity, let codes else { return nil }
        return .init(red: red, blue: blue, unity: unity, codes: codes)
    }

    // MARK: Temperature

    private static let control = Key(
        "control", ControlForms.control, required: true, "The control that sets it.")
    /// A range of codes, which are kelvin by themselves.
    private static let kelvin = Key(
        "codes", ControlForms.positiveCodes, required: true, "Kelvin that the control takes.")

    private static let temperatureForm = Form<WhiteBalanceModel.Temperature>.mapping(
        MappingShape(
            "a temperature model", "Colour temperature in kelvin as a control.",
            keys: [control.shape, kelvin.shape])
    ) { read in
        let (control, codes) = (read(Self.control), read(kelvin))
        guard let control, let codes else { return nil }
        return .init(control: control, codes: codes)
    }
}
