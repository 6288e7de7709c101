import Cameras
import Notation

/// `white_balance` of a camera profile.
enum BalanceKeys {
    private static let components = Key(
        "components", componentForm, "Red and blue gains as controls of their own.")
    private static let temperature = Key(
        "temperature", temperatureForm, "Colour temperature as a control, code = kelvin.")

    static let form = Form<WhiteBalanceModel>.mapping(
        MappingShape(
            "a white-balance model", "White balance and its controls.",
            keys: [components.shape, temperature.shape, ControlForms.latency.shape],
            rules: [.atLeastOne(["components", "temperature"])])
    ) { read in
        let (components, temperature) = (read(Self.components), read(Self.temperature))
        return read(ControlForms.latency).map {
            WhiteBalanceModel(
                components: components, temperature: temperature, latencyFrames: $0)
        }
    }

    // MARK: Components

    private static let red = Key(
        "red", ControlForms.control, required: true, "The control of the red gain.")
    private static let blue = Key(
        "blue", ControlForms.control, required: true, "The control of the blue gain.")
    private static let unity = Key(
        "unity", Form<Int64>.integer(1...4_294_967_295), required: true, "Code of gain 1.")
    private static let codes = Key(
        "codes", ControlForms.positiveCodes, required: true, "Codes that both controls take.")

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
