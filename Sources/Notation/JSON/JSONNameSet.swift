/// The names of the object being read; small objects are compared directly, large ones are hashed.
struct JSONNameSet {
    /// Objects with fewer members are searched one by one, which needs no memory.
    private static let directLimit = 16

    /// All names so far; empty until there are as many as ``directLimit``.
    private var hashed: Set<String> = []

    /// Takes a name up; false where it is already there.
    ///
    /// - Parameter members: all members taken up so far.
    mutating func insert(_ name: String, after members: [JSONObject.Member]) -> Bool {
        if members.count < Self.directLimit {
            return !members.contains { $0.name == name }
        }
        if hashed.isEmpty { hashed = Set(members.map(\.name)) }
        return hashed.insert(name).inserted
    }
}
