internal import Devices

/// What waits on each line, oldest first.
///
/// A ring of fixed size for each line, all in one piece of memory that is allocated once. A line that is full takes no
/// more, and leaves the others alone.
///
/// Holds unsafe memory because the capture thread must not allocate and a Swift array may.
struct LineQueue<Element: BitwiseCopyable>: ~Copyable {
    private let storage: UnsafeMutablePointer<Element>
    /// By line, elements taken so far; counts on for ever.
    private let heads: UnsafeMutablePointer<Int>
    /// By line, elements added so far.
    private let tails: UnsafeMutablePointer<Int>
    private let lineCount: Int
    private let capacity: Int

    /// Sets memory aside for so many lines, each with the same room.
    ///
    /// - Parameter capacity: elements that can wait on one line.
    init(lineCount: Int, capacity: Int) {
        self.lineCount = lineCount
        self.capacity = capacity
        storage = .allocate(capacity: max(1, lineCount * capacity))
        heads = .allocate(capacity: max(1, lineCount))
        tails = .allocate(capacity: max(1, lineCount))
        heads.initialize(repeating: 0, count: lineCount)
        tails.initialize(repeating: 0, count: lineCount)
    }

    deinit {
        // Elements and integers are plain bits: nothing to deinitialise.
        storage.deallocate()
        heads.deallocate()
        tails.deallocate()
    }

    /// Adds an element; false if its line has no more room.
    mutating func push(_ element: Element, line: Int32) -> Bool {
        let line = Int(line)
        precondition(line >= 0 && line < lineCount, "what waits, waits on an open line")
        guard tails[line] - heads[line] < capacity else { return false }
        (storage + line * capacity + tails[line] % capacity).initialize(to: element)
        tails[line] += 1
        return true
    }

    /// Takes the oldest element of a line.
    mutating func pop(line: Int32) -> Element? {
        guard let first = peek(0, line: line) else { return nil }
        heads[Int(line)] += 1
        return first
    }

    /// An element of a line, 0 being the oldest; nil if there are not so many.
    func peek(_ place: Int, line: Int32) -> Element? {
        let line = Int(line)
        let position = heads[line] + place
        return position < tails[line] ? storage[line * capacity + position % capacity] : nil
    }

    /// Removes an element of a line.
    ///
    /// - Parameters:
    ///   - place: 0 for the oldest; as ``peek(_:line:)`` counts.
    ///   - line: on which so many wait.
    mutating func remove(_ place: Int, line: Int32) {
        let line = Int(line)
        var position = heads[line] + place
        precondition(position < tails[line], "as many as there are")
        // What is before it moves up; mostly there is nothing.
        let base = storage + line * capacity
        while position > heads[line] {
            base[position % capacity] = base[(position - 1) % capacity]
            position -= 1
        }
        heads[line] += 1
    }
}

extension LineQueue where Element == LineEdge {
    /// Adds an edge to its line; false if that has no more room.
    mutating func push(_ edge: LineEdge) -> Bool { push(edge, line: edge.line) }
}
