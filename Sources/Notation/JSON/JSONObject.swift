/// The members of a JSON object in the order in which they were written; no name comes twice.
///
/// Two objects are equal when they have the same members in the same order. Names are compared as
/// Swift strings, so canonically equivalent spellings of a name are one name.
public struct JSONObject: Hashable, Sendable {
    /// A name and its value.
    public struct Member: Hashable, Sendable {
        /// The name.
        public let name: String
        /// Its value.
        public var value: JSONValue

        /// A member.
        public init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// The members in order.
    public private(set) var members: [Member]

    /// An object without members.
    public init() {
        members = []
    }

    /// An object with the given members.
    ///
    /// - Precondition: no name comes twice.
    public init(_ members: [(String, JSONValue)]) {
        self.init(unchecked: members.map { Member(name: $0.0, value: $0.1) })
        precondition(Set(members.map(\.0)).count == members.count, "a member's name comes twice")
    }

    /// An object of members whose names are known to differ.
    init(unchecked members: [Member]) {
        self.members = members
    }

    /// The value of the member of that name.
    ///
    /// Setting replaces the value in its place, adds a new member at the end, or removes it with nil.
    ///
    /// - Complexity: O(members).
    public subscript(name: String) -> JSONValue? {
        get { members.first { $0.name == name }?.value }
        set {
            let index = members.firstIndex { $0.name == name }
            switch (index, newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(name: name, value: value))
            case (nil, nil): break
            }
        }
    }

    /// The names in order.
    public var names: [String] { members.map(\.name) }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// An object with the members in the order written.
    ///
    /// - Precondition: no name comes twice.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(elements)
    }
}
