import Notation

/// Reads `parameters` and puts in the values of the command line.
///
/// Runs before the rest of the recipe, whose scalars are looked up in the table that it makes. A parameter's kind
/// follows from its default: who writes `10 s` gets a duration, and `--set` takes no other kind.
struct ParameterReader {
    /// A value as text, whatever its kind: the key that uses it reads it.
    ///
    /// Another parameter is refused, so there are no circles.
    private static let value = Form<String>(
        .either([
            .scalar(
                ScalarShape("any_text", "a value", .text(pattern: nil), "A value with its unit.")),
            .scalar(
                ScalarShape(
                    "any_number", "a value", .number(from: "-1e18", to: "1e18"),
                    "A number without unit.")),
        ])
    ) { node, context in
        guard let text = node.scalar?.text, !node.isEmpty else {
            context.reportKind(node, wanted: "a value")
            return nil
        }
        guard !text.hasPrefix("$") else {
            context.report(
                "nested-parameter", at: node.range,
                "\(context.subject) can't refer to another parameter", hint: "write the value")
            return nil
        }
        return text
    }

    private static let defaultValue = Key(
        "default", value, required: true,
        "The value without `--set`; its unit is the unit of the parameter.")
    private static let min = Key("min", value, "The smallest value that `--set` may give.")
    private static let max = Key("max", value, "The largest value that `--set` may give.")
    private static let summary = Key("description", Form<String>.prose, "A sentence for people.")

    static let mapping = MappingShape(
        "a parameter", name: "parameter", "A value that `--set NAME=VALUE` can change.",
        keys: [defaultValue.shape, min.shape, max.shape, summary.shape])

    /// `parameters` as the schema has it; reading goes its own way, since overrides have to be put in.
    static let shape = ValueShape.table(of: .mapping(mapping), keys: .name)

    private let context: DecodingContext
    /// Those of the command line; of two for one name the first is kept.
    private var overrides: [ParameterOverride]
    private var table = ParameterTable()

    private init(_ overrides: [ParameterOverride], context: DecodingContext) {
        self.context = context
        self.overrides = overrides
    }

    /// The parameters of a recipe with the values of this run.
    ///
    /// - Parameters:
    ///   - node: `parameters`; nil where the recipe has none.
    ///   - overrides: of the command line; one that no parameter takes is reported.
    ///   - context: gets what is wrong, of the file and of the command line.
    static func read(
        _ node: YAMLNode?, overrides: [ParameterOverride], context: DecodingContext
    ) -> ParameterTable {
        var reader = ParameterReader(overrides, context: context)
        reader.refuseRepeatedOverrides()
        if let node { reader.readAll(node) }
        reader.refuseUnknownOverrides()
        return reader.table
    }

    /// Reads each entry; one that is wrong is left out of the table, but its name stays known.
    private mutating func readAll(_ node: YAMLNode) {
        guard let entries = node.entries else {
            context.reading("`parameters`") {
                context.reportKind(node, wanted: "a mapping of names")
            }
            return
        }
        guard entries.count <= ParameterTable.maximumCount else {
            context.report(
                "list-length", at: SourceRange(at: node.range.start, columns: 1),
                "a recipe can have \(ParameterTable.maximumCount) parameters, not \(entries.count)")
            return
        }
        for entry in entries {
            table.declaredNames.append(entry.key)
            let key = YAMLNode(
                range: entry.keyRange,
                content: .scalar(YAMLScalar(text: entry.key, isPlain: true)))
            guard Form<String>.name.read(key, context) != nil else { continue }
            if let parameter = parameter(entry) { table.parameters.append(parameter) }
        }
    }

    /// One parameter with its value in force; nil where it can't be read.
    ///
    /// An override that is refused does not stop the reading: the default stands in for it, so that one wrong value is
    /// one error.
    private func parameter(_ entry: YAMLEntry) -> ParameterTable.Parameter? {
        let reader = context.reading("parameter `\(entry.key)`") {
            MappingReader(entry.value, as: Self.mapping, context: context)
        }
        guard let read = reader else { return nil }
        _ = read(Self.summary)
        let (lower, upper) = (read.located(Self.min), read.located(Self.max))
        guard let written = read.located(Self.defaultValue) else { return nil }
        let kind = ParameterKind(of: written.value)
        let limits = Limits(
            kind: kind, lower: limit(lower, kind, Self.min.name),
            upper: limit(upper, kind, Self.max.name))
        if let message = limits.refusal(of: written.value) {
            context.report("out-of-range", at: written.range, "the default \(message)")
        }
        let here = context.note("`$\(entry.key)` is set here", at: written.range)
        guard let override = overrides.last(where: { $0.name == entry.key }) else {
            return .init(name: entry.key, value: written.value, note: here, isOverridden: false)
        }
        // Reading goes on with the default, so that one wrong value is one error.
        guard check(override, limits: limits, declared: here) else {
            return .init(name: entry.key, value: written.value, note: here, isOverridden: false)
        }
        let source = override.source.name
        let note = Diagnostic.Note(
            "`$\(entry.key)` is set here", at: override.valueRange, in: source)
        return .init(name: entry.key, value: override.value, note: note, isOverridden: true)
    }

    // MARK: Limits

    /// The limits `min` and `max`, compared as exact ratios in the unit of the kind.
    private struct Limits {
        var kind: ParameterKind
        /// As it was written; nil for no limit, or for one that was reported.
        var lower: String?
        var upper: String?

        /// Why a value is not taken, after "the default" or "the value"; nil if it is.
        func refusal(of text: String) -> String? {
            guard let magnitude = kind.magnitude(of: text) else { return nil }
            if let lower, let least = kind.magnitude(of: lower), magnitude < least {
                return "\(Diagnostic.quote(text)) is below the `min` of \(Diagnostic.quote(lower))"
            }
            if let upper, let most = kind.magnitude(of: upper), magnitude > most {
                return "\(Diagnostic.quote(text)) is above the `max` of \(Diagnostic.quote(upper))"
            }
            return nil
        }
    }

    /// A limit that is of the default's kind; nil, and reported, for another one.
    private func limit(_ limit: Located<String>?, _ kind: ParameterKind, _ key: String) -> String? {
        guard let limit else { return nil }
        if kind == .text {
            context.report(
                "text-limit", at: limit.range,
                "`\(key)` is for quantities, and the default is a text",
                hint: "remove it, or write the default with its unit")
            return nil
        }
        guard let problem = kind.problem(with: limit.value) else { return limit.value }
        context.report(
            problem.id, at: limit.range,
            "the default is \(kind.rawValue), and here \(problem.message)", hint: problem.hint)
        return nil
    }

    // MARK: Overrides

    /// Whether a value of the command line is of the parameter's kind and within its limits; reports it where not.
    ///
    /// - Parameter declared: points to the default in the recipe, as a note beside the diagnostic.
    private func check(
        _ override: ParameterOverride, limits: Limits, declared: Diagnostic.Note
    ) -> Bool {
        var declared = declared
        declared.message = "`\(override.name)` is \(limits.kind.rawValue) by its default"
        if let problem = limits.kind.problem(with: override.value) {
            report(problem.id, override, problem.message, notes: [declared], hint: problem.hint)
        } else if let message = limits.refusal(of: override.value) {
            report("out-of-range", override, message, notes: [declared], hint: nil)
        } else {
            return true
        }
        return false
    }

    /// Reports something at an override's value, which is in no file: in its own ``ParameterOverride/source``.
    private func report(
        _ id: String, _ override: ParameterOverride, _ message: String,
        notes: [Diagnostic.Note] = [], hint: String?
    ) {
        context.report(
            Diagnostic(
                id, at: override.valueRange, in: override.source.name, message, notes: notes,
                hint: hint))
    }

    /// Reports a parameter that is set twice: which one was meant can't be known.
    private mutating func refuseRepeatedOverrides() {
        var kept: [ParameterOverride] = []
        for override in overrides {
            if kept.contains(where: { $0.name == override.name }) {
                report(
                    "duplicate-override", override, "`\(override.name)` is set twice",
                    hint: "give one `--set` for each parameter")
            } else {
                kept.append(override)
            }
        }
        overrides = kept
    }

    /// Reports overrides of names that the recipe does not declare, once all names are known.
    private func refuseUnknownOverrides() {
        for override in overrides where !table.declaredNames.contains(override.name) {
            let near = nearestWord(to: override.name, in: table.declaredNames)
            let list =
                table.declaredNames.isEmpty
                ? "this recipe has no parameters"
                : "the parameters of this recipe are \(listed(table.declaredNames))"
            context.report(
                Diagnostic(
                    "unknown-parameter", at: override.nameRange, in: override.source.name,
                    "\(context.source.name) has no parameter \(Diagnostic.quote(override.name))",
                    hint: near.map { "did you mean `\($0)`? \(list)" } ?? list))
        }
    }
}
