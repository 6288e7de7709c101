public import Notation

/// The JSON Schemas (draft 2020-12) of framelock's files, made of the definitions that read them.
///
/// A schema serves editors: completion, explanations, most mistakes. What it can't express (the header comes first,
/// lines must be declared, lists of equal length) only the decoders know. The raw value is the schema's name with the
/// version of the format.
public enum FileSchema: String, CaseIterable, Sendable {
    case recipe = "recipe-1"
    case rig = "rig-1"
    case camera = "camera-1"
    case receiver = "receiver-1"

    /// The name of the schema's file in `recipes/schema`.
    public var fileName: String { "\(rawValue).schema.json" }

    /// The schema, the same on every machine; only recipes may have `$name` in place of a scalar.
    public var json: JSONValue {
        switch self {
        case .recipe:
            SchemaPrinter(allowsParameters: true)
                .schema("A framelock recipe", RecipeKeys.shape, definitions: [StepKeys.shape])
        case .rig:
            SchemaPrinter(allowsParameters: false)
                .schema("A framelock rig", RigKeys.shape, definitions: [])
        case .camera:
            SchemaPrinter(allowsParameters: false)
                .schema("A framelock camera profile", ProfileKeys.shape, definitions: [])
        case .receiver:
            SchemaPrinter(allowsParameters: false)
                .schema("A framelock receiver", ReceiverKeys.shape, definitions: [])
        }
    }
}
