import Notation

/// Writes shapes as a JSON Schema.
///
/// Scalars and named mappings become definitions under `$defs`, the rest is written out in place. Definitions are
/// sorted by name, so that the file changes only where a shape does.
struct SchemaPrinter {
    /// What may stand for any scalar of a recipe: `$` and a name.
    private static let reference = ScalarShape(
        "parameter_reference", "a parameter", .text(pattern: #"^\$[A-Za-z][A-Za-z0-9_-]{0,63}$"#),
        "The value of a parameter, for example `$interval`.")

    /// Whether `$name` may stand for any scalar: in recipes alone.
    private let allowsParameters: Bool
    /// What `$defs` will have; a name that is being written is there already, as null.
    private var definitions: [String: JSONValue] = [:]

    init(allowsParameters: Bool) {
        self.allowsParameters = allowsParameters
    }

    /// A whole schema.
    ///
    /// - Parameters:
    ///   - title: for people.
    ///   - root: the file.
    ///   - shapes: named mappings that others refer to by name alone.
    func schema(
        _ title: String, _ root: MappingShape, definitions shapes: [MappingShape]
    ) -> JSONValue {
        var printer = self
        let body = printer.object(root)
        for shape in shapes { _ = printer.value(.mapping(shape)) }
        if allowsParameters {
            printer.definitions[Self.reference.name] = Self.scalar(Self.reference)
        }
        var schema: JSONObject = [
            "$schema": "https://json-schema.org/draft/2020-12/schema", "title": .string(title),
        ]
        for member in body.members { schema[member.name] = member.value }
        let names = printer.definitions.keys.sorted()
        schema["$defs"] = .object(
            JSONObject(names.map { ($0, printer.definitions[$0] ?? .null) }))
        return .object(schema)
    }

    // MARK: Values

    /// A shape's schema; a whole number with one possible value is a constant.
    private mutating func value(_ shape: ValueShape) -> JSONValue {
        switch shape {
        case .scalar(let scalar):
            if case .integer(let range) = scalar.kind, range.count == 1 {
                return ["const": .integer(range.lowerBound)]
            }
            return definition(scalar.name, orParameter(Self.scalar(scalar)))
        case .choice(let words):
            return orParameter(["enum": .array(words.map(JSONValue.string))])
        case .mapping(let mapping):
            guard let name = mapping.name else { return .object(object(mapping)) }
            // The name is taken before the contents are written: they may refer to it.
            if definitions[name] == nil {
                definitions[name] = .null
                definitions[name] = .object(object(mapping))
            }
            return Self.reference(to: name)
        case .table(let entry, let keys):
            return [
                "type": "object", "propertyNames": Self.scalar(keys),
                "additionalProperties": value(entry),
            ]
        case .list(let element, let count):
            return [
                "type": "array", "minItems": .integer(Int64(count.lowerBound)),
                "maxItems": .integer(Int64(count.upperBound)), "items": value(element),
            ]
        case .either(let shapes):
            return ["anyOf": .array(alternatives(shapes))]
        case .nothing:
            return ["type": "null"]
        case .reference(let name):
            return Self.reference(to: name)
        }
    }

    /// The shapes' schemas, alternatives inside alternatives made one list.
    private mutating func alternatives(_ shapes: [ValueShape]) -> [JSONValue] {
        var all: [JSONValue] = []
        for shape in shapes {
            let schema = value(shape)
            let isList = schema.objectValue?.names == ["anyOf"]
            for alternative in isList ? schema["anyOf"]?.arrayValue ?? [] : [schema]
            where !all.contains(alternative) {
                all.append(alternative)
            }
        }
        return all
    }

    /// Adds a scalar's definition.
    ///
    /// - Precondition: another one of that name is the same, since nothing would distinguish the two.
    /// - Returns: a reference to it.
    private mutating func definition(_ name: String, _ value: JSONValue) -> JSONValue {
        precondition(
            definitions[name].map { $0 == value } ?? true, "two definitions are called \(name)")
        definitions[name] = value
        return Self.reference(to: name)
    }

    private static func reference(to name: String) -> JSONValue {
        ["$ref": .string("#/$defs/\(name)")]
    }

    /// A scalar, or a parameter in its place; texts without pattern take parameters anyway.
    private func orParameter(_ value: JSONValue) -> JSONValue {
        guard allowsParameters, value != Self.scalar(.text) else { return value }
        var outer: JSONObject = [:]
        var inner = value.objectValue ?? [:]
        outer["description"] = inner["description"]
        inner["description"] = nil
        outer["anyOf"] = [.object(inner), Self.reference(to: Self.reference.name)]
        return .object(outer)
    }

    /// A scalar as JSON sees it once YAML has read it; limits with units can't be expressed there, and only patterns
    /// are.
    private static func scalar(_ shape: ScalarShape) -> JSONValue {
        var object: JSONObject = ["description": .string(shape.summary)]
        switch shape.kind {
        case .text(let pattern):
            object["type"] = "string"
            object["pattern"] = pattern.map(JSONValue.string)
        case .integer(let range):
            object["type"] = "integer"
            object["minimum"] = .integer(range.lowerBound)
            object["maximum"] = .integer(range.upperBound)
        case .number(let from, let to):
            object["type"] = "number"
            object["minimum"] = JSONValue.number(from)
            object["maximum"] = JSONValue.number(to)
        case .boolean:
            object["type"] = "boolean"
        case .integerOrText(let range, let pattern):
            object["anyOf"] = [
                [
                    "type": "integer", "minimum": .integer(range.lowerBound),
                    "maximum": .integer(range.upperBound),
                ],
                ["type": "string", "pattern": .string(pattern)],
            ]
        }
        return .object(object)
    }

    // MARK: Mappings

    /// A mapping's schema: no keys but the known ones, and its rules as `allOf`.
    ///
    /// A key's own summary takes the place of its value's description.
    private mutating func object(_ shape: MappingShape) -> JSONObject {
        var properties: JSONObject = [:]
        for key in shape.keys {
            var property: JSONObject = ["description": .string(key.summary)]
            for member in value(key.value).objectValue?.members ?? []
            where member.name != "description" {
                property[member.name] = member.value
            }
            properties[key.name] = .object(property)
        }
        var object: JSONObject = [
            "description": .string(shape.summary), "type": "object",
            "properties": .object(properties), "additionalProperties": false,
        ]
        let required = shape.keys.filter(\.isRequired).map { JSONValue.string($0.name) }
        if !required.isEmpty { object["required"] = .array(required) }
        let rules = shape.rules.flatMap(Self.rule)
        if !rules.isEmpty { object["allOf"] = .array(rules) }
        return object
    }

    /// A rule in the schema's words; one that takes several conditions gives several.
    ///
    /// `exactlyOne` becomes `oneOf` over the first key of each group, the one that must be there.
    private static func rule(_ rule: MappingShape.Rule) -> [JSONValue] {
        switch rule {
        case .exactlyOne(let groups):
            return [["oneOf": .array(groups.compactMap(\.first).map { required([$0]) })]]
        case .oneGroup(let groups):
            return groups.indices.flatMap { first in
                groups[(first + 1)...].flatMap { other in
                    groups[first].flatMap { a in
                        other.map { ["not": required([a, $0])] }
                    }
                }
            }
        case .atLeastOne(let names):
            return [["anyOf": .array(names.map { required([$0]) })]]
        case .atMostOne(let names):
            return names.indices.flatMap { first in
                names[(first + 1)...].map { ["not": required([names[first], $0])] }
            }
        case .together(let names):
            return names.map { name in needs(name, names.filter { $0 != name }) }
        case .companion(let name, let others):
            if let only = others.first, others.count == 1 { return [needs(name, [only])] }
            return [
                [
                    "if": required([name]),
                    "then": ["anyOf": .array(others.map { required([$0]) })],
                ]
            ]
        }
    }

    private static func required(_ names: [String]) -> JSONValue {
        ["required": .array(names.map(JSONValue.string))]
    }

    /// Whoever has one key needs the others, as `dependentRequired`.
    private static func needs(_ name: String, _ others: [String]) -> JSONValue {
        [
            "dependentRequired": .object(
                JSONObject([(name, .array(others.map(JSONValue.string)))]))
        ]
    }
}
