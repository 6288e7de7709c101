import Cameras
import Notation
import Timebase

/// `exposure` of a camera profile.
enum ExposureKeys {
    private static let control = Key(
        "control", ControlForms.control, required: true, "The control that sets it.")
    private static let unit = Key(
        "unit", Form<Int64>.picoseconds, required: true, "The duration of one code.")
    private static let offset = Key(
        "offset", Form<Interval>.durationOrZero, "What is added whatever the code; 0 if left out.")
    private static let codes = Key(
        "codes", ControlForms.positiveCodes, required: true, "Codes that the control takes.")

    static let form = Form<ExposureModel>.mapping(
        MappingShape(
            "an exposure model", "Exposure duration = code × unit + offset.",
            keys: [
                control.shape, unit.shape, offset.shape, codes.shape, ControlForms.latency.shape,
            ])
    ) { read in
        let (control, unit, codes) = (read(Self.control), read(Self.unit), read(Self.codes))
        let (offset, latency) = (read(Self.offset), read(ControlForms.latency))
        guard let control, let unit, let codes, let latency else { return nil }
        return ExposureModel(
            control: control, unitPicoseconds: unit, offset: offset ?? .zero, codes: codes,
            latencyFrames: latency)
    }
}
