import Devices
import Notation
import Timebase

/// The keys of a step: seven verbs, of which there is one, and what belongs to some of them.
///
/// Verbs that hold other steps or that need the whole sequence are nodes here; ``SequenceReader`` reads them.
enum StepKeys {
    static let capture = Key(
        "capture", CaptureForm.form,
        "Takes so many frames, one after the other; `{count: 3, still: jpeg}` writes picture files too."
    )
    static let bracket = Key(
        "bracket", .node(.mapping(BracketKeys.shape)),
        "Takes frames one after the other, each with settings of its own.")
    static let sweep = Key(
        "for", .node(.mapping(AxisKeys.sweepShape)),
        "Runs the steps under `do` once for each of the settings given.")
    /// A number of rounds; nil, written `forever`, for an endless loop.
    static let `repeat` = Key(
        "repeat",
        Form<Int64>.integer(1...1_000_000_000_000).map { Int64?.some($0) }.or("forever", nil)
            .located,
        "Runs the steps under `do` so many times, or `forever`.")
    static let wait = Key(
        "wait", WaitForm.form, "Waits for a time, or for an edge: `{edge: NAME, within: 5 s}`.")
    static let pulse = Key(
        "pulse", PulseForm.form,
        "Makes an output active: `{line: NAME, for: 20 ms}`, or `{line: NAME, with: exposure}` during every"
            + " exposure that follows in this list."
    )
    static let meter = Key(
        "meter", .node(.mapping(MeterKeys.shape)),
        "Meters before the first frame, then locks what was found: `{exposure: auto, focus: auto}`; the"
            + " first step only."
    )
    /// Goes with `repeat`; a round that can't start in time starts as soon as it can, and is recorded as late.
    static let every = Key(
        "every", Form<Interval>.duration.located,
        """
        Time from the start of one round to the start of the next, counted from the first frame of the first; \
        left out, rounds follow each other at once.
        """
    )
    /// Goes with what takes frames.
    static let label = Key(
        "label", Form<String>.label,
        "What the frames of the step are called, for example `dark`; inside `do` steps can have labels of their own."
    )
    /// Goes with `for` and `repeat`.
    static let `do` = Key("do", .node(stepList), "The steps of each round.")

    /// A list of steps.
    static let stepList = ValueShape.list(of: .reference("step"), count: 1...10_000)

    /// A step has a name in the schema, since it contains itself by way of `do`.
    static let shape = MappingShape(
        "a step", name: "step", "One step: one of its verbs, and what belongs to it.",
        keys: [
            capture.shape, bracket.shape, sweep.shape, `repeat`.shape, wait.shape, pulse.shape,
            meter.shape, every.shape, label.shape, `do`.shape,
        ],
        rules: [
            .exactlyOne([
                ["capture"], ["bracket"], ["for"], ["repeat"], ["wait"], ["pulse"], ["meter"],
            ]),
            .companion("every", of: ["repeat"]), .companion("do", of: ["for", "repeat"]),
            .companion("label", of: ["capture", "bracket", "for", "repeat"]),
            .companion("for", of: ["do"]), .companion("repeat", of: ["do"]),
        ])
}
