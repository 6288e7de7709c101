import Notation
import Timebase

/// `trigger` of a recipe's camera: the line that exposes it.
///
/// The line's edges are recorded, and each is matched with its frame. The line's declaration states which edge exposes.
enum CameraTriggerForm {
    private static let line = Key(
        "line", Form<String>.name.located, required: true, "The input line that sees its edges.")
    private static let pulse = Key(
        "pulse", Form<Interval>.duration.located,
        "How long a pulse lasts, for cameras that expose for as long.")

    private static let shape = MappingShape(
        "a camera's trigger", "The line that exposes the camera, as the host sees it.",
        keys: [line.shape, pulse.shape])

    /// The line's name alone, or a mapping with the length of its pulses.
    static let form = Form<CameraTrigger>(
        .either([Form<String>.name.shape, .mapping(shape)])
    ) { node, context in
        guard node.entries != nil else {
            return Form<String>.name.located.read(node, context).map { CameraTrigger(line: $0) }
        }
        guard let read = MappingReader(node, as: shape, context: context) else { return nil }
        let (line, pulse) = (read(Self.line), read(Self.pulse))
        return line.map { CameraTrigger(line: $0, pulse: pulse) }
    }
}
