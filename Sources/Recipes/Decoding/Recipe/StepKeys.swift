import Lines
import Notation
import Timebase

/// The keys of a step.
enum StepKeys {
    static let capture = Key(
        "capture", Form<Int64>.integer(1...1_000_000_000_000).located,
        "Takes so many frames, one after the other.")
    static let bracket = Key(
        "bracket", .node(.mapping(AxisKeys.bracketShape)),
        "Takes one frame for each of the settings given.")
    static let sweep = Key(
        "for", .node(.mapping(AxisKeys.sweepShape)),
        "Runs the steps under `do` once for each of the settings given.")
    static let `repeat` = Key(
        "repeat",
        Form<Int64>.integer(1...1_000_000_000_000).map { Int64?.some($0) }.or("forever", nil)
            .located,
        "Runs the steps under `do` so many times, or `forever`.")
    static let wait = Key(
        "wait", WaitForm.form, "Waits for a time, or for an edge: `{edge: NAME, within: 5 s}`.")
    static let pulse = Key(
        "pulse", PulseForm.form,
        "Makes an output active: `{line: NAME, for: 20 ms}`, or `{line: NAME, with: exposure}` during every exposure that follows in this list."
    )
    static let every = Key(
        "every", Form<Interval>.duration.located,
        "Time from the start of one round to the start of the next.")
    static let `do` = Key("do", .node(stepList), "The steps of each round.")

    /// A list of steps.
    static let stepList = ValueShape.list(of: .reference("step"), count: 1...10_000)

    static let shape = MappingShape(
        "a step", name: "step", "One step: one of its verbs, and what belongs to it.",
        keys: [
            capture.shape, bracket.shape, sweep.shape, `repeat`.shape, wait.shape, pulse.shape,
            every.shape, `do`.shape,
        ],
        rules: [
            .exactlyOne([["capture"], ["bracket"], ["for"], ["repeat"], ["wait"], ["pulse"]]),
            .companion("every", of: ["repeat"]), .companion("do", of: ["for", "repeat"]),
            .companion("for", of: ["do"]), .companion("repeat", of: ["do"]),
        ])
}

/// What a `wait` waits for.
enum WaitForm: Sendable {
    /// A time.
    case time(Located<Interval>)
    /// An edge on a line.
    case edge(line: Located<String>, within: Located<Interval>?)

    private static let edge = Key(
        "edge", Form<String>.name.located, required: true, "The input line.")
    private static let within = Key(
        "within", Form<Interval>.duration.located,
        "How long to wait at most; then the rest of the round is left out.")

    private static let shape = MappingShape(
        "a wait for an edge", "Waits for an edge on an input line.",
        keys: [edge.shape, within.shape])

    static let form = Form<WaitForm>(
        .either([Form<Interval>.duration.shape, .mapping(shape)])
    ) { node, context in
        if let read = node.entries.flatMap({ _ in
            MappingReader(node, as: shape, context: context)
        }) {
            let (line, within) = (read(edge), read(within))
            return line.map { .edge(line: $0, within: within) }
        }
        return context.offering("{edge: NAME}") {
            Form<Interval>.duration.located.read(node, context).map { .time($0) }
        }
    }
}

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
