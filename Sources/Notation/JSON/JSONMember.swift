/// A part of an object in one member or in several: how it is written into the object, and read from it.
package struct JSONMember<Object>: Sendable {
    /// What it is called in the object; members of an object in it with that one's name and a full stop before theirs.
    package private(set) var names: [String]
    let write: @Sendable (Object, inout JSONObject) -> Void
    let read: @Sendable (JSONObject, inout Object) throws(JSONFault) -> Void
    /// Whether the others are read before it.
    private(set) var isDerived = false

    /// A member whose value depends on others.
    ///
    /// - Parameters:
    ///   - write: nil where the member is left out.
    ///   - read: takes nil where it is missing.
    package init(
        _ name: String, write: @escaping @Sendable (Object) -> JSONValue?,
        read: @escaping @Sendable (JSONValue?, inout Object) throws(JSONFault) -> Void
    ) {
        names = [name]
        self.write = { $1[name] = write($0) }
        self.read = { members, object throws(JSONFault) in
            do throws(JSONFault) {
                try read(members[name], &object)
            } catch {
                throw error.inside(name)
            }
        }
    }

    /// A member of a part of the object.
    fileprivate init<Part>(
        _ member: JSONMember<Part>, of path: any WritableKeyPath<Object, Part> & Sendable
    ) {
        names = member.names
        write = { member.write($0[keyPath: path], &$1) }
        read = { json, object throws(JSONFault) in try member.read(json, &object[keyPath: path]) }
        isDerived = member.isDerived
    }

    /// Several members that belong together.
    package init(_ members: JSONMember...) {
        names = members.flatMap(\.names)
        write = { object, json in for member in members { member.write(object, &json) } }
        read = { json, object throws(JSONFault) in
            for member in members { try member.read(json, &object) }
        }
    }
}

extension JSONMember {
    /// A member that is the same in each of the objects.
    package static func constant(_ name: String, _ value: JSONValue) -> JSONMember {
        JSONMember(name, write: { _ in value }) { json, _ throws(JSONFault) in
            guard json == value else { throw JSONFault("is not \(value.text())") }
        }
    }

    /// A member that is always there.
    package static func member<Value>(
        _ name: String, _ path: any WritableKeyPath<Object, Value> & Sendable,
        _ form: JSONForm<Value>
    ) -> JSONMember {
        JSONMember(name, write: { form.write($0[keyPath: path]) }) {
            json, object throws(JSONFault) in
            object[keyPath: path] = try form.read(try json.required())
        }
    }

    /// A member that is null where there is no value.
    package static func nullable<Value>(
        _ name: String, _ path: any WritableKeyPath<Object, Value?> & Sendable,
        _ form: JSONForm<Value>
    ) -> JSONMember {
        JSONMember(name, write: { $0[keyPath: path].map(form.write) ?? .null }) {
            json, object throws(JSONFault) in
            let json = try json.required()
            object[keyPath: path] = json.isNull ? nil : try form.read(json)
        }
    }

    /// A member that is left out where there is no value.
    package static func optional<Value>(
        _ name: String, _ path: any WritableKeyPath<Object, Value?> & Sendable,
        _ form: JSONForm<Value>
    ) -> JSONMember {
        JSONMember(name, write: { $0[keyPath: path].map(form.write) }) {
            json, object throws(JSONFault) in
            object[keyPath: path] = try json.map(form.read)
        }
    }

    /// A member that is left out where it has its usual value.
    package static func member<Value: Equatable & Sendable>(
        _ name: String, _ path: any WritableKeyPath<Object, Value> & Sendable,
        _ form: JSONForm<Value>, usually usual: Value
    ) -> JSONMember {
        JSONMember(
            name,
            write: { object in
                // Null would be a value.
                object[keyPath: path] == usual ? Optional.none : form.write(object[keyPath: path])
            },
            read: { json, object throws(JSONFault) in
                object[keyPath: path] = try json.map(form.read) ?? usual
            })
    }

    /// A member of which something of the object is made.
    ///
    /// - Parameter set: takes it into the object; false for what can't be.
    package static func part<Value>(
        _ name: String, _ form: JSONForm<Value>, _ get: @escaping @Sendable (Object) -> Value,
        _ set: @escaping @Sendable (inout Object, Value) -> Bool
    ) -> JSONMember {
        JSONMember(name, write: { form.write(get($0)) }) { json, object throws(JSONFault) in
            let json = try json.required()
            guard set(&object, try form.read(json)) else {
                throw JSONFault("can't be \(json.text())")
            }
        }
    }

    /// A member that follows from the others: it is held against them.
    package static func derived(
        _ name: String, _ get: @escaping @Sendable (Object) -> JSONValue
    ) -> JSONMember {
        var member = JSONMember(name, write: get) { json, object throws(JSONFault) in
            let expected = get(object)
            guard json == expected else {
                throw JSONFault("is not \(expected.text()), which the other members give")
            }
        }
        member.isDerived = true
        return member
    }

    /// An object of members of this one.
    package static func group(_ name: String, _ members: [JSONMember]) -> JSONMember {
        var member = JSONMember(name, write: { .object(members.object($0)) }) {
            json, object throws(JSONFault) in
            try members.read(try json.required(), into: &object)
        }
        member.names = members.flatMap(\.names).map { "\(name).\($0)" }
        return member
    }
}

extension JSONForm where Value: Sendable {
    /// An object with members, in order.
    ///
    /// - Parameters:
    ///   - blank: what the members are read into.
    ///   - check: whether the members go together.
    package static func object(
        _ blank: Value, _ members: [JSONMember<Value>],
        check: @escaping @Sendable (Value) throws(JSONFault) -> Void = { _ in }
    ) -> JSONForm {
        JSONForm(write: { .object(members.object($0)) }) { json throws(JSONFault) in
            var value = blank
            try members.read(json, into: &value)
            try check(value)
            return value
        }
    }
}

extension Array {
    /// The object of these members.
    package func object<Object>(_ value: Object) -> JSONObject where Element == JSONMember<Object> {
        var object = JSONObject()
        write(value, into: &object)
        return object
    }

    /// Adds these members to an object.
    package func write<Object>(
        _ value: Object, into object: inout JSONObject
    ) where Element == JSONMember<Object> {
        for member in self { member.write(value, &object) }
    }

    /// The same members, of an object that has their own as a part.
    package func of<Part, Object>(
        _ path: any WritableKeyPath<Object, Part> & Sendable
    ) -> [JSONMember<Object>] where Element == JSONMember<Part> {
        map { JSONMember($0, of: path) }
    }

    /// Reads these members of an object, whatever others it has.
    package func read<Object>(
        _ json: JSONValue, into value: inout Object
    ) throws(JSONFault) where Element == JSONMember<Object> {
        guard let object = json.objectValue else { throw JSONFault("is not an object") }
        for member in self where !member.isDerived { try member.read(object, &value) }
        for member in self where member.isDerived { try member.read(object, &value) }
    }
}

extension JSONValue? {
    fileprivate func required() throws(JSONFault) -> JSONValue {
        guard let self else { throw JSONFault("is missing") }
        return self
    }
}
