internal import Devices
public import Notation

/// Reads recipes: YAML to a checked ``Recipe``, or everything that is wrong with it.
///
/// Checks what follows from the file alone: form, units, names, ranges that no camera exceeds. Whether a camera and
/// a rig can do it is for the plan. The order is: text to nodes, header, parameters, then every other key with the
/// parameters' values in place.
public enum RecipeDecoder {
    /// Reads a recipe.
    ///
    /// - Parameters:
    ///   - source: the file.
    ///   - overrides: values for parameters; diagnostics about one are located in its
    ///     ``ParameterOverride/source``.
    /// - Throws: all independent errors of the file and the overrides, sorted by position.
    public static func decode(
        _ source: SourceFile, overrides: [ParameterOverride] = []
    ) throws(DiagnosticList) -> Recipe {
        let root = try YAMLReader.read(source)
        let context = DecodingContext(source)
        guard FileHeader.recipe.check(root, context: context) else {
            throw DiagnosticList(context.diagnostics)
        }
        let table = ParameterReader.read(
            root.entry(RecipeKeys.parameters.name)?.value, overrides: overrides, context: context)
        context.parameters = table
        let recipe = recipe(root, table, context)
        refuseUnusedParameters(table, root: root, context: context)
        guard let recipe, context.diagnostics.isEmpty else {
            precondition(!context.diagnostics.isEmpty, "a recipe that can't be read has a reason")
            throw DiagnosticList(context.diagnostics)
        }
        return recipe
    }

    /// Reads everything but `parameters`; nil where a part is missing without which there is no recipe.
    ///
    /// Lines come before the steps that use them, and metering before the lock that it changes.
    private static func recipe(
        _ root: YAMLNode, _ table: ParameterTable, _ context: DecodingContext
    ) -> Recipe? {
        guard let read = MappingReader(root, as: RecipeKeys.shape, context: context) else {
            return nil
        }
        let (name, summary) = (read(RecipeKeys.name), read(RecipeKeys.summary))
        let (camera, lock) = (read(RecipeKeys.camera), read(RecipeKeys.lock))
        let (output, require) = (read(RecipeKeys.output), read(RecipeKeys.require))
        let onLost = read(RecipeKeys.onLost)
        let lines = read(RecipeKeys.lines).map { node in
            context.reading("`lines`") { DeclaredLines(node, context: context) }
        }
        let clocks = read(RecipeKeys.clocks)
        let metadata = read(RecipeKeys.metadata)
        if let trigger = camera?.trigger {
            (lines ?? DeclaredLines()).use(trigger.line, as: .input, by: "trigger", context)
        }
        var sequence = SequenceReader(context: context, lines: lines ?? DeclaredLines())
        let steps = read(RecipeKeys.sequence).map { sequence.sequence($0) }
        let held = sequence.metering.map { MeterKeys.lock(lock ?? Lock(), $0, context) } ?? lock
        guard let name, let camera, let steps else { return nil }
        var recipe = Recipe(
            source: context.source, name: name, summary: summary ?? "",
            parameters: table.parameters.map {
                RecipeParameter(name: $0.name, value: $0.value, isOverridden: $0.isOverridden)
            },
            camera: camera, lock: held ?? Lock(), lines: lines?.lines ?? [], steps: steps,
            output: output ?? OutputOptions(), require: require ?? RequireNeed())
        recipe.metering = sequence.metering
        recipe.clocks = clocks ?? []
        recipe.onLost = onLost ?? .hole
        recipe.metadata = metadata
        return recipe
    }

    /// A parameter that nothing refers to is a mistake: `--set` would change nothing in silence.
    private static func refuseUnusedParameters(
        _ table: ParameterTable, root: YAMLNode, context: DecodingContext
    ) {
        let used = usedParameters(root)
        // A misspelt `$name` was reported; its parameter is not to be reported as unused on top.
        let meant = used.subtracting(table.declaredNames).compactMap {
            context.nearest(to: $0, in: table.declaredNames)
        }
        let declarations = root.entry(RecipeKeys.parameters.name)?.value.entries ?? []
        for entry in declarations where !used.contains(entry.key) && !meant.contains(entry.key) {
            context.report(
                "unused-parameter", at: entry.keyRange,
                "parameter \(Diagnostic.quote(entry.key)) is never used",
                hint: "write `$\(entry.key)` where its value belongs, or remove it")
        }
    }

    /// The names that stand as `$name` anywhere in the file, whatever kind of value they stand for.
    private static func usedParameters(_ node: YAMLNode) -> Set<String> {
        switch node.content {
        case .scalar(let scalar):
            return scalar.text.hasPrefix("$") ? [String(scalar.text.dropFirst())] : []
        case .sequence(let nodes):
            return nodes.reduce(into: []) { $0.formUnion(usedParameters($1)) }
        case .mapping(let entries):
            return entries.reduce(into: []) { $0.formUnion(usedParameters($1.value)) }
        }
    }
}
