public import Notation

/// A parameter's value from the command line: `--set NAME=VALUE`.
///
/// Nothing is checked here: name, kind and limits are compared with the recipe's declaration when it is decoded.
public struct ParameterOverride: Hashable, Sendable {
    /// The parameter's name, without `$`.
    public var name: String
    /// The value, as it would be written in the recipe.
    public var value: String

    /// Creates an override.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    /// Reads `NAME=VALUE`; nil if there is no `=` or nothing before it.
    ///
    /// Everything behind the first `=` is the value, empty or not; ``RecipeDecoder`` checks whether it is one.
    public init?(argument: String) {
        guard let equals = argument.firstIndex(of: "="), equals > argument.startIndex else {
            return nil
        }
        self.init(
            name: String(argument[..<equals]),
            value: String(argument[argument.index(after: equals)...]))
    }

    /// The override as a file of one line, in which diagnostics about it are located; give it to the renderer.
    public var source: SourceFile {
        SourceFile(name: "--set \(name)=\(value)", text: "\(name)=\(value)")
    }

    /// The name's place in ``source``.
    var nameRange: SourceRange {
        SourceRange(at: .start, columns: name.unicodeScalars.count)
    }

    /// The value's place in ``source``, behind name and `=`; columns count from 1.
    var valueRange: SourceRange {
        let start = name.unicodeScalars.count + 2
        return SourceRange(
            at: SourcePosition(line: 1, column: start), columns: value.unicodeScalars.count)
    }
}
