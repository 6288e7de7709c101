import Notation
import Timebase

/// How long a `pulse` lasts.
enum PulseForm: Sendable {
    /// A time.
    case duration(line: Located<String>, Located<Interval>)
    /// Every exposure that follows.
    case withExposure(line: Located<String>)

    private enum Companion: String, CaseIterable, Sendable {
        case exposure
    }

    private static let line = Key(
        "line", Form<String>.name.located, required: true, "The output line.")
    private static let duration = Key(
        "for", Form<Interval>.duration.located, "How long it is active; the sequence waits for it.")
    private static let companion = Key(
        "with", Form<Companion>.word,
        "`exposure`: active during every exposure that follows in this list.")

    static let form = Form<PulseForm>.mapping(
        MappingShape(
            "a pulse", "Makes an output active.",
            keys: [line.shape, duration.shape, companion.shape],
            rules: [.exactlyOne([["for"], ["with"]])])
    ) { read in
        let (name, time, other) = (read(line), read(duration), read(companion))
        guard let name else { return nil }
        if let time { return .duration(line: name, time) }
        return other.map { _ in .withExposure(line: name) }
    }
}
