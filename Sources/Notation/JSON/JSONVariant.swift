/// A member that a variant is made of.
package struct JSONField<Value>: Sendable {
    let name: String
    let form: JSONForm<Value>

    package init(_ name: String, _ form: JSONForm<Value>) {
        (self.name, self.form) = (name, form)
    }
}

/// One of the objects that a kind of value can be, distinguished from the others by its members.
package struct JSONVariant<Value>: Sendable {
    /// The members, in order; nil for another variant.
    let write: @Sendable (Value) -> JSONValue?
    let fits: @Sendable (JSONObject) -> Bool
    let read: @Sendable (JSONObject) throws(JSONFault) -> Value

    /// - Parameters:
    ///   - tag: the first member, which has the same word in each of them; nil where the members' names decide.
    ///   - fields: the members.
    ///   - make: the value of them; nil if there is none.
    ///   - parts: those of a value; nil for another variant.
    package init<each Part>(
        tag: (name: String, word: String)? = nil, _ fields: repeat JSONField<each Part>,
        make: @escaping @Sendable (repeat each Part) -> Value?,
        parts: @escaping @Sendable (Value) -> (repeat each Part)?
    ) {
        let fields = (repeat each fields)
        var names: [String] = []
        repeat names.append((each fields).name)
        let (all, tagged) = (names, tag)
        write = { value in
            guard let parts = parts(value) else { return nil }
            var members: [(String, JSONValue)] = tag.map { [($0.name, .string($0.word))] } ?? []
            repeat members.append(((each fields).name, (each fields).form.write(each parts)))
            return .object(JSONObject(members))
        }
        fits = { object in
            if let tagged { return object[tagged.name]?.stringValue == tagged.word }
            return all.allSatisfy { object[$0] != nil }
        }
        read = { object throws(JSONFault) in
            guard let value = make(repeat try Self.part(each fields, object)) else {
                throw JSONFault("has members that do not go together")
            }
            return value
        }
    }

    private static func part<Part>(
        _ field: JSONField<Part>, _ object: JSONObject
    ) throws(JSONFault) -> Part {
        do throws(JSONFault) {
            guard let json = object[field.name] else { throw JSONFault("is missing") }
            return try field.form.read(json)
        } catch {
            throw error.inside(field.name)
        }
    }
}

extension JSONForm {
    /// One of several objects.
    package init(oneOf variants: JSONVariant<Value>...) {
        self.init(
            write: { value in
                for variant in variants {
                    if let json = variant.write(value) { return json }
                }
                preconditionFailure("\(value) has a variant")
            },
            read: { json throws(JSONFault) in
                guard let object = json.objectValue else { throw JSONFault("is not an object") }
                guard let variant = variants.first(where: { $0.fits(object) }) else {
                    throw JSONFault("is none of the objects that can stand here")
                }
                return try variant.read(object)
            })
    }
}
