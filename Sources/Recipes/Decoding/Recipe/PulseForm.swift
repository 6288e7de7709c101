import Notation
import Timebase

/// How long a `pulse` lasts, which also decides whether the sequence waits for it.
enum PulseForm: Sendable {
    /// A time, for which the sequence waits.
    case duration(line: Located<String>, Located<Interval>)
    /// Every exposure that follows in the same list of steps; nothing is waited for.
    case withExposure(line: Located<String>)

    /// What an output can accompany; only exposures so far.
    private enum Companion: String, CaseIterable, Sendable {
        case exposure
    }

    private static let line = Key(
        "line", Form<String>.name.located, required: true, "The output line.")
    private static let duration = Key(
        "for", Form<Interval>.duration.located, "How long it is active; the sequence waits for it.")
    private static let companion = Key(
        "with", Form<Companion>.word,
        "`exposure`: active during every exposure up to the end of this list of steps; `repeat: 1` makes a list of its"
            + " own.")

    /// Exactly one of `for` and `with`, beside the line.
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
