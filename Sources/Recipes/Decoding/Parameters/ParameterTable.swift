import Notation

/// The parameters of a recipe with the values that they have in this run.
///
/// Small enough to be searched from end to end: there are ``maximumCount`` at most.
struct ParameterTable {
    /// A parameter.
    struct Parameter {
        /// The name without `$`.
        let name: String
        /// The value in force, as text with its unit; each use reads it in the form of its own key.
        let value: String
        /// Where the value was written, in the file or on the command line; shown beside a use that it does not fit.
        let note: Diagnostic.Note
        /// Whether the command line gave it.
        let isOverridden: Bool
    }

    /// How many a recipe may have; more are one error at `parameters`, and none of them is read.
    static let maximumCount = 64

    /// In the order of declaration; without those whose declaration is wrong.
    var parameters: [Parameter] = []
    /// Every name that was declared, also those whose declaration is wrong.
    var declaredNames: [String] = []

    /// What a `$name` stands for; reports an unknown one.
    ///
    /// `$$` begins a text that begins with `$`.
    ///
    /// - Parameters:
    ///   - text: begins with `$`.
    ///   - node: where it is used; diagnostics are shown there.
    ///   - context: what the reading shares.
    /// - Returns: nil for a parameter that has no value, which is reported here or was where it is declared.
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
    ///
    /// Reports nothing: it is for looking ahead, where a word such as `current` decides how to read on.
    func value(of text: String) -> String? {
        guard text.hasPrefix("$") else { return nil }
        if text.hasPrefix("$$") { return String(text.dropFirst()) }
        return parameters.first { $0.name == text.dropFirst() }?.value
    }
}
