import Notation

/// The form of an entry in a mapping whose keys are names, such as `lines` and `clocks`.
///
/// Unlike a form it gets the name with its place, so that what is read can carry it.
struct NamedForm<Value: Sendable>: Sendable {
    /// What stands behind the name.
    let shape: ValueShape
    /// Reads an entry; reports what is wrong and returns nil then.
    let read: @Sendable (Located<String>, YAMLNode, DecodingContext) -> Value?

    init(
        _ shape: ValueShape,
        read: @escaping @Sendable (Located<String>, YAMLNode, DecodingContext) -> Value?
    ) {
        self.shape = shape
        self.read = read
    }
}

extension Form {
    /// A mapping with names for keys, in the order of the file; entries that can't be read are left out.
    ///
    /// YAML has refused names that come twice. More than 1024 entries are refused.
    ///
    /// - Parameters:
    ///   - entry: what stands behind a name.
    ///   - keys: how a name looks, for the schema.
    ///   - readName: reads a name.
    static func table<Entry>(
        of entry: NamedForm<Entry>, keys: ScalarShape = .name,
        named readName: @escaping @Sendable (String) throws(QuantityProblem) -> String = readName
    ) -> Form where Value == [Entry] {
        Form(.table(of: entry.shape, keys: keys)) { node, context in
            guard let entries = node.entries else {
                context.reportKind(node, wanted: "a mapping of names")
                return nil
            }
            guard entries.count <= 1_024 else {
                context.report(
                    "list-length", at: SourceRange(at: node.range.start, columns: 1),
                    "\(context.subject) has \(entries.count) entries; the limit is 1024")
                return nil
            }
            let nameForm = Form<String>.scalar(keys, parse: readName).located
            return entries.compactMap { item in
                let key = YAMLNode(
                    range: item.keyRange,
                    content: .scalar(YAMLScalar(text: item.key, isPlain: true)))
                guard let name = nameForm.read(key, context) else { return nil }
                return context.reading("`\(item.key)`") { entry.read(name, item.value, context) }
            }
        }
    }
}
