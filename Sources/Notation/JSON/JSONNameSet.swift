/// The names of the object being read; small objects are compared directly, large ones are hashed.
struct JSONNameSet {
    private static let directLimit = 16

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
