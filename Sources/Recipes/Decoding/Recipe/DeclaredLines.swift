import Devices
import Notation

/// The lines that a recipe declares, and whether steps use them as they may.
///
/// Every line that a step names must be declared, so that a misspelt name is an error and not another line. Directions
/// are checked here where the recipe has them; against the rig they are checked by the compiler.
struct DeclaredLines {
    /// How many a recipe may declare; the compiler takes fewer, since outputs are bits of a mask.
    static let maximumCount = 64

    /// The lines that could be read, in the order of the file.
    private(set) var lines: [LineNeed] = []
    /// Every name, also of lines that could not be read: their use is no second error.
    private var names: [String] = []
    /// Whether it is known which names there are; if not, no use of a line is reported.
    private var isKnown = true

    /// `lines` as a schema: a mapping of definitions and needs, or a list of names.
    static let shape = ValueShape.either([
        .table(of: .either([.mapping(LineKeys.need), .nothing]), keys: .name),
        .list(of: Form<String>.name.shape, count: 1...Self.maximumCount),
    ])

    /// No lines, for a recipe without `lines`: each use of one is then reported.
    init() {}

    /// Reads `lines`: a mapping of definitions and needs, or a list of names.
    ///
    /// Not a ``Form``, since what can be read is wanted even where another line is wrong.
    init(_ node: YAMLNode, context: DecodingContext) {
        if let entries = node.entries {
            guard entries.count <= Self.maximumCount else {
                isKnown = false
                context.report(
                    "list-length", at: SourceRange(at: node.range.start, columns: 1),
                    "a run can use \(Self.maximumCount) lines, not \(entries.count)")
                return
            }
            read(entries, context: context)
        } else if node.elements != nil {
            let list = Form<String>.name.located.list(count: 1...Self.maximumCount).read(
                node, context)
            isKnown = list != nil
            for name in list ?? [] { add(LineNeed(name: name), context: context) }
        } else {
            isKnown = false
            context.reportKind(node, wanted: "a mapping or a list of names")
        }
    }

    /// Reads the entries of a mapping, each under its own name for messages.
    private mutating func read(_ entries: [YAMLEntry], context: DecodingContext) {
        for entry in entries {
            let key = YAMLNode(
                range: entry.keyRange,
                content: .scalar(YAMLScalar(text: entry.key, isPlain: true)))
            guard let name = Form<String>.name.located.read(key, context) else { continue }
            names.append(name.value)
            // `NAME:` and `NAME: {}` are both a need without conditions.
            if entry.value.isEmpty {
                add(LineNeed(name: name), context: context)
                continue
            }
            let line = context.reading("line `\(entry.key)`") {
                LineKeys.read(entry.value, name: name, as: LineKeys.need, context: context)
            }
            if let line { add(line, context: context) }
        }
    }

    /// Adds a line; one of a name that is there is reported, and the first counts.
    private mutating func add(_ line: LineNeed, context: DecodingContext) {
        if let first = lines.first(where: { $0.name.value == line.name.value }) {
            context.report(
                "duplicate-name", at: line.name.range, "line `\(line.name.value)` comes twice",
                notes: [context.note("first here", at: first.name.range)])
            return
        }
        if !names.contains(line.name.value) { names.append(line.name.value) }
        lines.append(line)
    }

    /// Checks the use of a line by a step.
    ///
    /// - Parameters:
    ///   - name: the line, at the place where the step names it.
    ///   - direction: what the step needs.
    ///   - step: the step's word, for the message.
    ///   - context: gets what is wrong: `unknown-line`, or `line-direction` where the declaration has the other one.
    func use(
        _ name: Located<String>, as direction: LineRequest.Direction, by step: String,
        _ context: DecodingContext
    ) {
        guard names.contains(name.value) else {
            guard isKnown else { return }
            let near = context.nearest(to: name.value, in: names)
            context.report(
                "unknown-line", at: name.range,
                "there is no line \(Diagnostic.quote(name.value)) in `lines`",
                hint: near.map { "did you mean `\($0)`?" }
                    ?? (names.isEmpty
                        ? "declare it: `lines: [\(name.value)]`"
                        : "the lines are \(listed(names)); declare it beside them"))
            return
        }
        guard let line = lines.first(where: { $0.name.value == name.value }),
            let declared = line.direction, declared.value != direction
        else { return }
        let (noun, wanted) = direction == .input ? ("an input", "in") : ("an output", "out")
        context.report(
            "line-direction", at: name.range,
            "`\(step)` needs \(noun), and `\(name.value)` has `direction: \(declared.value.rawValue)`",
            notes: [context.note("`\(name.value)` is declared here", at: line.name.range)],
            hint: "use another line, or declare it with `direction: \(wanted)`")
    }
}
