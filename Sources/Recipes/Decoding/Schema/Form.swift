import Notation

/// How something is written and how it is read: a shape, and the reader that fits it.
///
/// Shapes and readers are made together, so that a schema can't promise what a reader refuses. Forms are built of
/// forms, down to scalars; the whole of a file is one of them.
struct Form<Value: Sendable>: Sendable {
    /// What is written.
    let shape: ValueShape
    /// Reads a node; reports what is wrong and returns nil then.
    ///
    /// Nil always means that something was reported: who gets it needs to report nothing more.
    let read: @Sendable (YAMLNode, DecodingContext) -> Value?

    init(
        _ shape: ValueShape, read: @escaping @Sendable (YAMLNode, DecodingContext) -> Value?
    ) {
        self.shape = shape
        self.read = read
    }

    /// The same shape, another value made of what was read; the place where it stood is lost.
    func map<Other: Sendable>(_ make: @escaping @Sendable (Value) -> Other) -> Form<Other> {
        Form<Other>(shape) { node, context in read(node, context).map(make) }
    }

    /// The same, with the place where it was written: of the value, not of its key.
    var located: Form<Located<Value>> {
        Form<Located<Value>>(shape) { node, context in
            read(node, context).map { Located($0, at: node.range) }
        }
    }

    /// A mapping of a shape, whose keys and rules are checked before `read` is called.
    ///
    /// - Parameters:
    ///   - shape: the keys; `read` may ask for these alone.
    ///   - read: makes the value; is called although rules are broken, so that values are checked too.
    static func mapping(
        _ shape: MappingShape,
        read: @escaping @Sendable (MappingReader) -> Value?
    ) -> Form {
        Form(.mapping(shape)) { node, context in
            MappingReader(node, as: shape, context: context).flatMap(read)
        }
    }

    /// A list of the form; entries that can't be read are reported and nothing is returned.
    ///
    /// All entries are read before that, so that every wrong one is reported.
    func list(count: ClosedRange<Int> = 1...100_000) -> Form<[Value]> {
        Form<[Value]>(.list(of: shape, count: count)) { node, context in
            guard let nodes = context.elements(of: node, count: count) else { return nil }
            let values = nodes.map { read($0, context) }
            return values.contains { $0 == nil } ? nil : values.compactMap { $0 }
        }
    }

    /// A word that stands for a value, or the form.
    ///
    /// - Parameters:
    ///   - word: also where a parameter has it as its value.
    ///   - value: what it stands for.
    func or(_ word: String, _ value: Value) -> Form {
        Form(.either([.choice([word]), shape])) { node, context in
            if context.text(of: node) == word { return value }
            return context.offering(word) { read(node, context) }
        }
    }
}

extension Form where Value == YAMLNode {
    /// A node of a shape that its owner reads, since it takes more than the node: depth, lines, what stands around it.
    static func node(_ shape: ValueShape) -> Form {
        Form(shape) { node, _ in node }
    }
}

/// A key of a mapping, with the form of its value.
///
/// Declared once, as a constant: shape, reader, schema, reference and messages are all made from it.
struct Key<Value: Sendable>: Sendable {
    /// The key as it is written.
    let name: String
    /// The form of its value.
    let form: Form<Value>
    /// Its part of the schema.
    let shape: KeyShape

    /// - Parameters:
    ///   - required: whether a mapping without it is reported.
    ///   - summary: a sentence for people; it stands in the schema, in docs/recipe-reference.md and in hints.
    init(_ name: String, _ form: Form<Value>, required: Bool = false, _ summary: String) {
        self.name = name
        self.form = form
        self.shape = KeyShape(
            name: name, summary: summary, value: form.shape, isRequired: required)
    }
}
