import Devices
import Notation

/// The keys of a bracket: its kind, of which there is one, and whether its frames belong together.
enum BracketKeys {
    /// Values are shifts in stops; the compiler makes durations of them, from the one in force.
    static let bias = Key(
        "bias", AxisForm(.shift, change: { .bias($0) }).axis,
        "Exposure durations as stops from the one in force, for example `[-2 EV, 0 EV, 2 EV]`.")
    /// The only kind that changes nothing, and the only one that is no axis.
    static let burst = Key(
        "burst", Form<Int64>.integer(1...1_000_000).located,
        "So many frames with the settings in force.")
    /// A name of an output, or `none`, which is a shot in the dark and not a missing value.
    static let light = Key(
        "light",
        AxisForm(Form<String>.name.map { String?.some($0) }.or("none", nil)) {
            .light($0)
        }.axis,
        "The one output that is active during each exposure, or `none`.")
    /// Nil where it is left out: then a lost frame is a hole, and nothing is taken again.
    static let atomic = Key(
        "atomic", atomicForm,
        "The frames belong together: `{retries: 3}` takes all of them again if one is lost or uncertain."
    )

    private static let retries = Key(
        "retries", Form<Int>.count(1...1_000), required: true, "How often at most.")

    private static let atomicForm = Form<Int32>.mapping(
        MappingShape(
            "`atomic`", "How often a bracket is taken again of which a frame is missing.",
            keys: [retries.shape])
    ) { read in read(retries).map { Int32($0) } }

    /// The axes of brackets; those of one kind go side by side.
    private static let axes = [bias] + AxisKeys.all + [light]
    /// Which keys make a kind; only exposures, sensitivities and rates go side by side.
    private static let kinds = [["bias"]] + AxisKeys.kinds + [["burst"], ["light"]]

    static let shape = MappingShape(
        "a bracket", name: "bracket",
        "Frames that follow each other, each with settings of its own; then the ones before are in force"
            + " again. Exposures, sensitivities and rates go side by side and have one length; other kinds do not mix.",
        keys: axes.map(\.shape) + [burst.shape, atomic.shape],
        rules: [
            .atLeastOne(kinds.flatMap { $0 }), .oneGroup(kinds), .atMostOne(["iso", "gain"]),
        ])

    /// The axes that are there; nil if there is none or one is wrong.
    static func read(_ read: MappingReader) -> AxisKeys.Axes? { AxisKeys.read(read, axes) }

    /// Whether keys of two kinds are there, which is reported already: lists of different length need no message then.
    static func isMixed(_ read: MappingReader) -> Bool {
        kinds.count { kind in kind.contains(where: read.names.contains) } > 1
    }
}
