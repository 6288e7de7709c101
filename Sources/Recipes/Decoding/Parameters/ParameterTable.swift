import Notation

/// The parameters of a recipe with the values that they have in this run.
struct ParameterTable {
    /// A parameter.
    struct Parameter {
        /// The name without `$`.
        let name: String
        /// The value in force.
        let value: String
        /// Where the value was written.
        let note: Diagnostic.Note
        /// Whether the command line gave it.
        let isOverridden: Bool
    }

    /// How many a recipe may have.
    static let maximumCount = 64

    /// In the order of declaration.
    var parameters: [Parameter] = []
    /// Every name that was declared, also those whose declaration is wrong.
    var declaredNames: [String] = []

    /// What a `$name` stands for; reports an unknown one.
    func resolve(
        _ text: String, node: YAMLNode, context: DecodingContext
    ) -> ResolvedScalar? {
        if text.hasPrefix("$$") {
            return ResolvedScalar(text: String(text.dropFirst()), node: node, parameter: nil)
        }
        let name = String(text.dropFirst())
        if let parameter = parameters.first(where: { $0.name == name }) {
            return ResolvedScalar(text: parameter.value, node: node, parameter: parameter)
        }
        // A parameter whose declaration is wrong has been reported there.
        if !declaredNames.contains(name) {
            let near = context.nearest(to: name, in: declaredNames)
            context.report(
                "unknown-parameter", at: node.range,
                "there is no parameter \(Diagnostic.quote(text))",
                hint: near.map { "did you mean `$\($0)`?" }
                    ?? "declare it under `parameters`; a text that begins with `$` is written `$$…`"
            )
        }
        return nil
    }

    /// What a whole text stands for, if it is a parameter with a value.
    func value(of text: String) -> String? {
        guard text.hasPrefix("$") else { return nil }
        if text.hasPrefix("$$") { return String(text.dropFirst()) }
        return parameters.first { $0.name == text.dropFirst() }?.value
    }
}
