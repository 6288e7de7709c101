import Notation

/// A mapping whose keys were checked against its shape, ready to be read key by key.
///
/// Each key is read by calling the reader with it. A mapping's form reads all of its keys before it gives up, since
/// what is not read is not checked.
struct MappingReader {
    /// Where the mapping stands.
    let range: SourceRange
    private let shape: MappingShape
    private let entries: [YAMLEntry]
    /// What the reading of the file shares.
    let context: DecodingContext

    /// Checks a node; reports unknown and missing keys and broken rules, nil if it is no mapping.
    ///
    /// With broken rules there is a reader all the same.
    init?(_ node: YAMLNode, as shape: MappingShape, context: DecodingContext) {
        guard let entries = node.entries else {
            context.reportKind(node, wanted: "a mapping (\(Self.some(shape.keys.map(\.name))))")
            return nil
        }
        self.range = node.range
        self.shape = shape
        self.entries = entries
        self.context = context
        reportUnknownKeys()
        reportMissingKeys()
        for rule in shape.rules { report(rule) }
    }

    // MARK: Reading

    /// Whether a key is there.
    func has<Value>(_ key: Key<Value>) -> Bool { has(key.name) }

    /// Reads a key's value; nil if it is missing or wrong.
    ///
    /// To read a key twice reports its errors twice. Messages begin with the key's name.
    ///
    /// - Precondition: the key belongs to the shape.
    func callAsFunction<Value>(_ key: Key<Value>) -> Value? {
        precondition(
            shape.keys.contains { $0.name == key.name }, "`\(key.name)` is a key of \(shape.noun)")
        guard let entry = entry(key.name) else { return nil }
        return context.reading("`\(key.name)`") { key.form.read(entry.value, context) }
    }

    /// Reads a key's value with its place.
    func located<Value>(_ key: Key<Value>) -> Located<Value>? {
        guard let value = self(key), let entry = entry(key.name) else { return nil }
        return Located(value, at: entry.value.range)
    }

    /// Where a key stands; the mapping's start where it is missing.
    func keyRange<Value>(_ key: Key<Value>) -> SourceRange {
        entry(key.name)?.keyRange ?? start
    }

    /// Where a key's value stands; the mapping's start where it is missing.
    func valueRange<Value>(_ key: Key<Value>) -> SourceRange {
        entry(key.name)?.value.range ?? start
    }

    /// The names of the keys that are there, in the order of the file.
    var names: [String] { entries.map(\.key) }

    // MARK: Checking

    private func has(_ name: String) -> Bool { entry(name) != nil }
    private func entry(_ name: String) -> YAMLEntry? { entries.first { $0.key == name } }
    /// The first key, or the first column of an empty mapping: a message about the whole must not underline all of it.
    private var start: SourceRange {
        entries.first?.keyRange ?? SourceRange(at: range.start, columns: 1)
    }

    /// Up to four names, so that a message keeps its length.
    private static func some(_ names: [String]) -> String {
        names.count > 4 ? listed(Array(names.prefix(4))) + " …" : listed(names)
    }

    /// Reports keys that the shape does not have, with the near one and all that there are.
    private func reportUnknownKeys() {
        let known = shape.keys.map(\.name)
        for entry in entries where !known.contains(entry.key) {
            let near = context.nearest(to: entry.key, in: known)
            let list = "the keys of \(shape.noun) are \(listed(known))"
            context.report(
                "unknown-key", at: entry.keyRange,
                "\(Diagnostic.quote(entry.key)) is not a key of \(shape.noun)",
                hint: near.map { "did you mean `\($0)`? \(list)" } ?? list)
        }
    }

    /// Reports required keys that are not there, unless one that is unknown was meant for it.
    private func reportMissingKeys() {
        for key in shape.keys where key.isRequired && !has(key.name) {
            // A key that was misspelt is reported once, as unknown.
            if isMisspelt(key.name) { continue }
            context.report(
                "missing-key", at: start, "\(shape.noun) needs the key `\(key.name)`",
                hint: hint(key.name))
        }
    }

    /// Whether an unknown key was likely meant to be this one; it is reported as unknown then, and not as missing too.
    private func isMisspelt(_ name: String) -> Bool {
        let known = shape.keys.map(\.name)
        return entries.contains {
            !known.contains($0.key) && context.nearest(to: $0.key, in: known) == name
        }
    }

    /// Reports a rule that is broken, once for each key that breaks it.
    ///
    /// Rules about what belongs together are silent while keys of excluding groups are mixed: which group was meant is
    /// not known.
    private func report(_ rule: MappingShape.Rule) {
        switch rule {
        case .exactlyOne(let groups):
            let names = groups.flatMap { $0 } + shape.companions
            reportNone(of: names, named: groups.compactMap(\.first))
            reportSeveral(of: groups)
        case .oneGroup(let groups):
            reportSeveral(of: groups)
        case .atLeastOne(let names):
            reportNone(of: names, named: names)
        case .atMostOne(let names):
            reportSeveral(of: names.map { [$0] })
        case .together(let names):
            guard !isMixed, let first = names.first(where: has) else { return }
            for name in names where !has(name) && !isMisspelt(name) {
                context.report(
                    "missing-key", at: entry(first)?.keyRange ?? start,
                    "`\(first)` needs `\(name)` beside it", hint: hint(name))
            }
        case .companion(let name, let others):
            guard let entry = entry(name), !isMixed,
                !others.contains(where: { has($0) || isMisspelt($0) })
            else { return }
            let list = others.map { "`\($0)`" }.joined(separator: " or ")
            context.report(
                "missing-key", at: entry.keyRange, "`\(name)` needs \(list) beside it",
                hint: others.first.flatMap(hint))
        }
    }

    /// Reports that none of several keys is there.
    ///
    /// - Parameters:
    ///   - names: any of them will do.
    ///   - named: those that the message offers.
    private func reportNone(of names: [String], named: [String]) {
        if names.contains(where: { has($0) || isMisspelt($0) }) { return }
        context.report(
            "missing-key", at: start,
            "\(shape.noun) needs one of the keys \(listed(named, last: "or"))")
    }

    /// What a key is for.
    private func hint(_ name: String) -> String? {
        shape.keys.first { $0.name == name }.map { "`\(name)`: \($0.summary)" }
    }

    /// Whether keys of groups that exclude each other are there, which is reported once and for all.
    private var isMixed: Bool {
        shape.rules.contains { rule in
            guard case .exactlyOne(let groups) = rule else { return false }
            return groups.count { $0.contains(where: has) } > 1
        }
    }

    /// Reports keys of another group than the first one's.
    private func reportSeveral(of groups: [[String]]) {
        var first: (entry: YAMLEntry, group: Int)?
        for entry in entries {
            guard let group = groups.firstIndex(where: { $0.contains(entry.key) }) else { continue }
            guard let first else {
                first = (entry, group)
                continue
            }
            if group == first.group { continue }
            context.report(
                "exclusive-keys", at: entry.keyRange,
                "`\(entry.key)` and `\(first.entry.key)` exclude each other",
                notes: [
                    context.note("`\(first.entry.key)` is here", at: first.entry.keyRange)
                ],
                hint: "keep one of them. "
                    + [first.entry.key, entry.key].compactMap(hint)
                    .joined(separator: " "))
        }
    }
}
