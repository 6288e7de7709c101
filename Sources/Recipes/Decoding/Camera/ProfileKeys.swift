import Devices
import Notation
import Timebase

/// The keys of a camera profile: the root from which its schema, reader and messages are made.
///
/// Every figure may have its origin beside it; figures that were not measured are marked `assumed`.
enum ProfileKeys {
    static let header = FileHeader.camera.key
    /// What plans and messages call it; files are found by their own names.
    static let name = Key(
        "name", Form<String>.name, required: true,
        "The profile's name, as rigs and recipes give it.")
    static let summary = Key("summary", Form<String>.prose, "What kind of camera it is.")
    static let driver = Key(
        "driver", Form<String>.text(), "The kernel driver that such cameras have; any if left out.")
    /// Nil for any; an attached camera of another sensor is refused.
    static let sensors = Key(
        "sensors", Form<String>.text().list(count: 1...16),
        "The raw sensors that it is for, as the media graph names them; any if left out.")
    static let shutter = Key(
        "shutter", Form<CameraProfile.Shutter>.word, required: true, "How rows are exposed.")
    static let timestamps = Key(
        "timestamps", TimestampKeys.form, required: true, "What the driver's timestamps mean.")
    static let trigger = Key(
        "trigger", TriggerKeys.form, "How it is exposed by the edges of a line.")
    /// Excludes ``startup``, which takes latencies into account; this one is taken as it is.
    static let startupFrames = Key(
        "startup_frames", Form<Int>.count(0...1_000), "Frames after stream start that are not used."
    )
    static let startup = Key(
        "startup", StartupKeys.form, "Frames after stream start that are hidden or not trusted.")
    static let sensor = Key("sensor", SensorKeys.form, "How a raw sensor keeps time.")
    static let embeddedData = Key(
        "embedded_data", EmbeddedDataKeys.form,
        "What the sensor reports of each frame beside its pixels: `smia`, the registers of that standard, or where its"
            + " own are."
    )
    static let aperture = Key("aperture", Form<Aperture>.aperture, "The opening of the lens.")
    static let levels = Key(
        "levels", StartupKeys.levels.list(count: 1...16), "Black and white by bits of a sample.")
    static let unitCell = Key("unit_cell", .nanometres, "The distance from pixel to pixel.")
    static let quirks = Key(
        "quirks", Form<CameraQuirk>.word.list(count: 1...32),
        "What the camera does that no other should.")
    /// Excludes ``sensor``, whose modes are its formats.
    static let formats = Key(
        "formats", FormatKeys.form.list(count: 0...1_000),
        "What it offers, for planning without the device.")
    static let exposure = Key("exposure", ExposureKeys.form, "Exposure duration and its control.")
    static let gain = Key("gain", GainKeys.form, "Gain and its control.")
    static let focus = Key("focus", FocusKeys.form, "Lens position and its control.")
    static let whiteBalance = Key(
        "white_balance", BalanceKeys.form, "White balance and its controls.")
    /// In the order of the file, which is the order of the writes.
    static let automaticsOff = Key(
        "automatics_off", ControlForms.table,
        "Controls that switch automatics off, in the order in which they are written.")
    /// Flips among them decide the Bayer order, and are part of the configuration.
    static let pinned = Key(
        "pinned", ControlForms.table, "Everything else that changes pixels, pinned at the start.")
    /// Of a device whose inputs count a control from different numbers on.
    static let inputs = Key(
        "inputs", inputForm.list(count: 1...32),
        "What is pinned beside that on one input of a device with several.")
    private static let inputName = Key(
        "name", Form<String>.text(), required: true, "The input's name, or its start.")
    private static let inputPins = Key(
        "pinned", ControlForms.table, required: true, "Controls and their values.")
    private static let inputForm = Form<InputPins>.mapping(
        MappingShape(
            "the pins of an input", "What is pinned while this input is selected.",
            keys: [inputName.shape, inputPins.shape])
    ) { read in
        let (name, pinned) = (read(inputName), read(inputPins))
        guard let name, let pinned else { return nil }
        return InputPins(name: name, pinned: pinned)
    }
    static let provenance = Key("provenance", Form<String>.prose, "Where the figures come from.")

    static let shape = MappingShape(
        "a camera profile", "What is known of a kind of camera, for framelock.",
        keys: [
            header.shape, name.shape, summary.shape, driver.shape, sensors.shape, shutter.shape,
            timestamps.shape, trigger.shape, startupFrames.shape, startup.shape, formats.shape,
            sensor.shape,
            embeddedData.shape, exposure.shape,
            gain.shape, focus.shape, aperture.shape, whiteBalance.shape, levels.shape,
            unitCell.shape, automaticsOff.shape, pinned.shape, inputs.shape, quirks.shape,
            provenance.shape,
        ],
        rules: [
            .atMostOne(["startup_frames", "startup"]), .atMostOne(["formats", "sensor"]),
        ])
}
