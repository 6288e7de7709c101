import Notation
import Timebase

/// What a `wait` waits for.
enum WaitForm: Sendable {
    /// A time.
    case time(Located<Interval>)
    /// An edge on a line; `within` is nil for as long as it takes.
    case edge(line: Located<String>, within: Located<Interval>?)

    private static let edge = Key(
        "edge", Form<String>.name.located, required: true, "The input line.")
    private static let within = Key(
        "within", Form<Interval>.duration.located,
        "How long to wait at most, then the rest of the round is skipped; without a limit if left out."
    )

    private static let shape = MappingShape(
        "a wait for an edge", "Waits for an edge on an input line.",
        keys: [edge.shape, within.shape])

    /// A duration alone, or a mapping with an edge; a word in their place gets the mapping as a hint.
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
