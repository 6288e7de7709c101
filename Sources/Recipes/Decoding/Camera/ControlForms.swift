import Devices
import Notation

extension ScalarShape {
    static let control = ScalarShape(
        "control", "a control", .text(pattern: "^([a-z][a-z0-9_]*|0x[0-9a-fA-F]{1,8})$"),
        "A control by its name as `v4l2-ctl` prints it, or by its number such as `0x009a0902`.")
}

/// How controls and their values are written in camera profiles.
///
/// Names are those of V4L2, so that what `v4l2-ctl` prints can be copied.
enum ControlForms {
    /// A control by name or number.
    static let control = Form<String>.scalar(.control, parse: readControlName)
        .mapOrNil { CameraControl(name: $0) }

    /// The limits of V4L2's 32-bit values, signed and unsigned; sums of two such codes fit into 64 bits.
    static let codeRange: ClosedRange<Int64> = -2_147_483_648...4_294_967_295

    /// Controls with their values, in the order of the file, which is the order in which they are written to the
    /// camera.
    static let table = Form<[ControlValue]>.table(
        of: NamedForm(Form<Int64>.integer(codeRange).shape) { name, node, context in
            guard let control = CameraControl(name: name.value) else { return nil }
            return Form<Int64>.integer(codeRange).read(node, context)
                .map { ControlValue(control, $0) }
        }, keys: .control, named: readControlName)

    /// Codes that are not negative, as those of exposures and gains are.
    static let positiveCodes = Form<CodeRange>(Form<CodeRange>.codes.shape) { node, context in
        guard let codes = Form<CodeRange>.codes.read(node, context) else { return nil }
        guard codes.minimum >= 0 else {
            context.report(
                "out-of-range", at: node.range, "\(context.subject) takes codes from 0 upwards")
            return nil
        }
        return codes
    }

    /// Frames from a write to the first frame that shows it; required with every control whose frame matters.
    static let latency = Key(
        "latency", LatencyForm.form, required: true, latencySummary)

    /// The same where a control need not be there.
    static let optionalLatency = Key("latency", LatencyForm.form, latencySummary)

    private static let latencySummary =
        "Frames from the one that is being exposed when the control is written (its readout has not begun) to the"
        + " first that surely shows the write, and how that is known."
}

/// Reads a control's name or number; an unknown name is refused with the known one that is near.
private func readControlName(_ text: String) throws(QuantityProblem) -> String {
    if CameraControl(name: text) != nil { return text }
    let near = nearestWord(to: text, in: CameraControl.knownNames)
    throw QuantityProblem(
        "unknown-control", "\(Diagnostic.quote(text)) is not a control that framelock knows",
        hint: near.map { "did you mean `\($0)`?" }
            ?? "give it by its number, for example `0x009a0902`",
        part: 0..<text.unicodeScalars.count)
}
