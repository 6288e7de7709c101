import Cameras
import Notation
import Timebase

/// `focus` of a camera profile.
enum FocusKeys {
    private static let code = Form<Int64>.integer(ControlForms.codeRange)
    private static let control = Key(
        "control", ControlForms.control, required: true, "The control that sets it.")
    private static let near = Key("near", code, required: true, "Code of lens position 0.")
    private static let far = Key("far", code, required: true, "Code of lens position 1.")
    private static let settle = Key(
        "settle", Form<Interval>.durationOrZero,
        "How long the lens moves after a write; 0 if left out."
    )

    static let form = Form<FocusModel>.mapping(
        MappingShape(
            "a focus model", "A straight line from the nearest to the farthest code.",
            keys: [
                control.shape, near.shape, far.shape, ControlForms.latency.shape, settle.shape,
            ])
    ) { read in
        let (control, near, far) = (read(Self.control), read(Self.near), read(Self.far))
        let (latency, settle) = (read(ControlForms.latency), read(Self.settle))
        guard let control, let near, let far, let latency else { return nil }
        guard near != far else {
            read.context.report(
                "empty-range", at: read.valueRange(Self.far),
                "`near` and `far` are the same code, so the lens would not move",
                hint: "leave `focus` out for a lens that does not move")
            return nil
        }
        return FocusModel(
            control: control, nearCode: near, farCode: far, latencyFrames: latency,
            settle: settle ?? .zero)
    }
}
