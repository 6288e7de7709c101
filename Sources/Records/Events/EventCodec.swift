internal import Notation

/// How one kind of event is written into its object and read from it: the same fields both ways.
///
/// What reads accepts no less than what is written; that it accepts no more, ``EventLog`` makes sure by writing again
/// what was read.
struct EventCodec: Sendable {
    /// Names of the members, in order.
    let members: [String]
    /// The members of the object, in order; nil for an event of another kind.
    let write: @Sendable (RunEvent, RunNames) -> [(String, JSONValue)]?
    /// The event of an object; nil if it is none of this kind.
    let read: @Sendable (JSONValue, RunNames) -> RunEvent?

    /// A field that can't be read, or is missing where null is no value, makes no event.
    ///
    /// - Parameters:
    ///   - fields: of the object.
    ///   - make: the event of their values.
    ///   - values: those of an event; nil for one of another kind.
    init<each Value>(
        _ fields: repeat EventField<each Value>,
        make: @escaping @Sendable (repeat each Value) -> RunEvent,
        values: @escaping @Sendable (RunEvent) -> (repeat each Value)?
    ) {
        var members: [String] = []
        repeat members.append((each fields).name)
        self.members = members
        let fields = (repeat each fields)
        write = { event, names in
            guard let values = values(event) else { return nil }
            var members: [(String, JSONValue)] = []
            repeat members.append(
                ((each fields).name, (each fields).write(each values, names)))
            return members
        }
        read = { object, names in
            try? make(repeat Self.value(of: each fields, in: object, names))
        }
    }

    /// An event whose members depend on one another.
    init(
        members: [String],
        write: @escaping @Sendable (RunEvent, RunNames) -> [(String, JSONValue)]?,
        read: @escaping @Sendable (JSONValue, RunNames) -> RunEvent?
    ) {
        (self.members, self.write, self.read) = (members, write, read)
    }

    /// An event without members.
    ///
    /// Reading it looks at no member; what the object has besides is found when it is written again.
    init(_ event: RunEvent) {
        members = []
        write = { other, _ in other == event ? [] : nil }
        read = { _, _ in event }
    }

    /// - Throws: ``Missing``, for which the whole object is no event of this kind.
    private static func value<Value>(
        of field: EventField<Value>, in object: JSONValue, _ names: RunNames
    ) throws(Missing) -> Value {
        guard let value = field.read(object[field.name] ?? .null, names) else { throw Missing() }
        return value
    }

    /// Has no details: the reader of the log reports line and reason.
    private struct Missing: Error {}
}
