import Foundation
import Notation

/// The reference of the keys of one kind of file, made of its schema, with an example of each key from the files that
/// come along.
struct KeyReference {
    /// A key of a mapping.
    private struct Key {
        let name: String
        let meaning: String
        let value: String
        let isRequired: Bool
        var example: (file: String, text: String)?
    }

    /// The keys of one kind of mapping.
    private struct Section {
        let title: String
        let meaning: String
        let rules: [String]
        var keys: [Key]
    }

    /// Mappings that occur in many places, by the definition that the schema has of them.
    private static let titles = [
        "step": "a step of `sequence`", "bracket": "`bracket`", "sweep": "`for`",
        "meter": "`meter`", "line": "a line of `lines`", "parameter": "a parameter of `parameters`",
        "white_balance": "a white balance in a list",
    ]

    private let schema: JSONValue
    /// What the file is, `a recipe`.
    private let root: String
    private var sections: [Section] = []
    private var places: [String: Int] = [:]

    init(_ schema: JSONValue, of root: String) {
        self.schema = schema
        self.root = root
        visit(schema, root, nil)
    }

    /// Keys that no file shows.
    var keysWithoutExample: [String] {
        sections.flatMap { section in
            section.keys.filter { $0.example == nil }.map { "\(section.title): \($0.name)" }
        }
    }

    /// Takes examples from a file, for keys that have none yet.
    mutating func addExamples(of file: SourceFile) throws {
        let node = try YAMLReader.read(file)
        let lines = String(decoding: file.bytes, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
        visit(schema, root, node) { entry in
            let line = String(lines[entry.keyRange.start.line - 1])
            return (file.name, Self.trimmed(line))
        }
    }

    /// The line without its comment and what makes it an element of a list or a part of a mapping.
    private static func trimmed(_ line: String) -> String {
        var text = Substring(line)
        if let comment = text.range(of: " #") { text = text[..<comment.lowerBound] }
        while let last = text.last, last == " " { text.removeLast() }
        while let first = text.first, first == " " { text.removeFirst() }
        return String(text)
    }

    private typealias Example = (YAMLEntry) -> (file: String, text: String)

    /// Visits a node of the schema together with a node of a file, if there is one.
    private mutating func visit(
        _ node: JSONValue, _ path: String, _ yaml: YAMLNode?, _ example: Example? = nil
    ) {
        for alternative in alternatives(node, path) {
            let (node, path) = alternative
            if let properties = node["properties"]?.objectValue {
                if let entries = yaml?.entries,
                    !entries.allSatisfy({ properties[$0.key] != nil })
                {
                    continue
                }
                if yaml != nil, yaml?.entries == nil { continue }
                visit(properties, of: node, path, yaml, example)
            } else if let items = node["items"] {
                guard yaml == nil || yaml?.elements != nil else { continue }
                guard let elements = yaml?.elements else {
                    visit(items, path, nil)
                    continue
                }
                for element in elements { visit(items, path, element, example) }
            } else if let values = node["additionalProperties"], values.objectValue != nil {
                let title = "an entry of \(path)"
                guard let entries = yaml?.entries else {
                    if yaml == nil { visit(values, title, nil) }
                    continue
                }
                for entry in entries { visit(values, title, entry.value, example) }
            }
        }
    }

    private mutating func visit(
        _ properties: JSONObject, of node: JSONValue, _ path: String, _ yaml: YAMLNode?,
        _ example: Example?
    ) {
        let isRange = properties["from"] != nil
        let title = isRange ? "a range" : path
        var place = places[title]
        if place == nil {
            guard yaml == nil else { return }
            place = sections.count
            places[title] = place
            sections.append(section(title, properties, of: node))
        } else if yaml == nil {
            return
        }
        guard let place else { return }
        for member in properties.members {
            let entry = yaml?.entry(member.name)
            if yaml != nil, entry == nil { continue }
            if let entry, let example,
                let key = sections[place].keys.firstIndex(where: { $0.name == member.name }),
                sections[place].keys[key].example == nil
            {
                sections[place].keys[key].example = example(entry)
            }
            visit(member.value, Self.path(of: member.name, in: title), entry?.value, example)
        }
    }

    private static func path(of key: String, in title: String) -> String {
        title.hasPrefix("`") ? "`\(key)` in \(title)" : "`\(key)`"
    }

    private func section(_ title: String, _ properties: JSONObject, of node: JSONValue) -> Section {
        let required = Set((node["required"]?.arrayValue ?? []).compactMap(\.stringValue))
        return Section(
            title: title, meaning: node["description"]?.stringValue ?? "",
            rules: KeyReference.rules(node["allOf"]?.arrayValue ?? []),
            keys: properties.members.map { member in
                Key(
                    name: member.name, meaning: member.value["description"]?.stringValue ?? "",
                    value: value(member.value), isRequired: required.contains(member.name))
            })
    }

    /// The definition that a node refers to, with its name.
    private func definition(_ node: JSONValue) -> (name: String, node: JSONValue)? {
        guard let reference = node["$ref"]?.stringValue else { return nil }
        let name = String(reference.dropFirst("#/$defs/".count))
        return schema["$defs"]?[name].map { (name, $0) }
    }

    /// What a node may be, without references and without parameters.
    private func alternatives(_ node: JSONValue, _ path: String) -> [(JSONValue, String)] {
        if let (name, definition) = definition(node) {
            if name == "parameter_reference" { return [] }
            return alternatives(definition, Self.titles[name] ?? path)
        }
        guard let any = node["anyOf"]?.arrayValue else { return [(node, path)] }
        return any.flatMap { alternatives($0, path) }
    }

    /// What a value looks like, in words.
    private func value(_ node: JSONValue) -> String {
        if let (name, definition) = definition(node) {
            if name == "parameter_reference" { return "" }
            if definition["properties"] != nil { return "see \(Self.titles[name] ?? name)" }
            return (definition["description"]?.stringValue ?? value(definition)).sentenceless
        }
        if let words = node["enum"]?.arrayValue {
            return words.compactMap(\.stringValue).map { "`\($0)`" }.joined(separator: ", ")
        }
        if let any = node["anyOf"]?.arrayValue {
            return any.map(value).filter { !$0.isEmpty }.joined(separator: "; or ")
        }
        if let items = node["items"] { return "a list of: \(value(items))" }
        if node["properties"]?["from"] != nil { return "a range: see there" }
        if node["properties"] != nil || node["additionalProperties"]?.objectValue != nil {
            return "a mapping: see below"
        }
        return node["type"]?.stringValue == "null" ? "nothing" : ""
    }

    /// The document.
    ///
    /// - Parameter head: its title and what stands before the tables.
    func markdown(_ head: String) -> String {
        var text = head
        for section in sections {
            text += "\n## Keys of \(section.title)\n\n"
            if !section.meaning.isEmpty { text += "\(section.meaning)\n\n" }
            if !section.rules.isEmpty {
                text += section.rules.joined(separator: " ") + "\n\n"
            }
            text += "| key | meaning | value | example |\n|---|---|---|---|\n"
            for key in section.keys {
                let required = key.isRequired ? " Required." : ""
                let example = key.example.map { file, text in
                    let name = file.split(separator: "/").last ?? ""
                    let link = file.hasPrefix("docs/") ? file.dropFirst(5) : "../\(file)"
                    return "`\(text)` ([\(name)](\(link)))"
                }
                text +=
                    "| `\(key.name)` | \(key.meaning.escaped)\(required) | \(key.value.escaped) | "
                    + "\(example?.escaped ?? "") |\n"
            }
        }
        return text
    }
}

extension String {
    /// Without the full stop, and with a small letter, to stand within a sentence.
    fileprivate var sentenceless: String {
        let body = hasSuffix(".") ? String(dropLast()) : self
        return body.hasPrefix("CIE") || body.hasPrefix("ISO")
            ? body : body.prefix(1).lowercased() + body.dropFirst()
    }

    /// As a cell of a table has it.
    fileprivate var escaped: String { replacingOccurrences(of: "|", with: "\\|") }
}
