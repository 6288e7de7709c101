internal import Lines

/// Edges that no step has waited for yet, per line, oldest first.
///
/// Fixed size, allocated once.
///
/// Holds unsafe memory because the capture thread must not allocate and a Swift array may.
struct EdgeQueue: ~Copyable {
    /// Edges that can wait on one line; more are counted as lost.
    static let capacity = 256

    private let storage: UnsafeMutablePointer<LineEdge>
    private let heads: UnsafeMutablePointer<Int>
    private let tails: UnsafeMutablePointer<Int>
    private let lineCount: Int

    init(lineCount: Int) {
        self.lineCount = lineCount
        storage = .allocate(capacity: max(1, lineCount * Self.capacity))
        heads = .allocate(capacity: max(1, lineCount))
        tails = .allocate(capacity: max(1, lineCount))
        heads.initialize(repeating: 0, count: lineCount)
        tails.initialize(repeating: 0, count: lineCount)
    }

    deinit {
        // Edges and integers are plain bits: nothing to deinitialise.
        storage.deallocate()
        heads.deallocate()
        tails.deallocate()
    }

    /// Adds an edge; false if its line has no more room.
    mutating func push(_ edge: LineEdge) -> Bool {
        let line = Int(edge.line)
        precondition(line >= 0 && line < lineCount, "an edge is of an open line")
        guard tails[line] - heads[line] < Self.capacity else { return false }
        (storage + line * Self.capacity + tails[line] % Self.capacity).initialize(to: edge)
        tails[line] += 1
        return true
    }

    /// Takes the oldest edge of a line.
    mutating func pop(line: Int32) -> LineEdge? {
        let line = Int(line)
        guard heads[line] < tails[line] else { return nil }
        defer { heads[line] += 1 }
        return storage[line * Self.capacity + heads[line] % Self.capacity]
    }
}
