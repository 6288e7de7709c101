/// Which of a camera's sequence numbers the event log accounts for.
///
/// Numbers have 32 bits and restart, so everything here is modulo 2^32: rows and events need not agree in which
/// round they are.
struct SequenceCoverage {
    /// How many numbers there are; no event can be about more.
    static let numbers: Int64 = 1 << 32

    /// Within 0..<2^32; ordered and apart once ``sort()`` was called.
    private var ranges: [Range<Int64>] = []
    /// How often numbers were noted that had been noted before; known once ``sort()`` was called.
    private(set) var repeated: Int64 = 0

    /// Takes note of the frames that an event is about.
    mutating func note(_ event: RunEvent) {
        switch event {
        // What is lost inside the camera gets no number.
        case .framesMissing(let count, let before, let reason) where reason.hasNumber:
            add(from: before &- UInt32(truncatingIfNeeded: count), count: count)
        case .framesSkipped(let count, let from, _): add(from: from, count: count)
        case .sequenceJumped(let from, let to):
            let step = Int32(bitPattern: to &- from)
            if step > 1 { add(from: from &+ 1, count: Int64(step) - 1) }
        // Numbers that the sequence left out without a frame of theirs.
        case .sequenceTimestampMismatch(let before, .some(let count), _, _, _) where count > 0:
            add(from: before &- UInt32(truncatingIfNeeded: count), count: count)
        case .frameDamaged(let sequence): add(from: sequence, count: 1)
        default: break
        }
    }

    /// How many of the numbers between two frames the log does not account for.
    ///
    /// - Complexity: O(log of the events), once ``sort()`` was called.
    func uncovered(after first: UInt32, before second: UInt32) -> Int64 {
        let gap = Int64(second &- first) - 1
        guard gap > 0 else { return 0 }
        return gap
            - Self.pieces(from: first &+ 1, count: gap).reduce(0) { $0 + covered($1) }
    }

    /// Whether the log accounts for a number.
    func contains(_ sequence: UInt32) -> Bool {
        covered(Int64(sequence)..<Int64(sequence) + 1) == 1
    }

    /// How many numbers are in both, once ``sort()`` was called for both.
    func common(with other: SequenceCoverage) -> Int64 {
        ranges.reduce(0) { $0 + other.covered($1) }
    }

    /// Orders and joins what was noted; to be called once, after the last event.
    mutating func sort() {
        ranges.sort { $0.lowerBound < $1.lowerBound }
        var joined: [Range<Int64>] = []
        for range in ranges {
            if let last = joined.last, range.lowerBound <= last.upperBound {
                joined[joined.count - 1] =
                    last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                joined.append(range)
            }
        }
        let all = ranges.reduce(0) { $0 + Int64($1.count) }
        repeated = all - joined.reduce(0) { $0 + Int64($1.count) }
        ranges = joined
    }

    /// Takes note of so many frames from a number on.
    mutating func add(from first: UInt32, count: Int64) {
        ranges += Self.pieces(from: first, count: min(count, Self.numbers))
    }

    /// So many numbers from one on, cut where they restart.
    private static func pieces(from first: UInt32, count: Int64) -> [Range<Int64>] {
        guard count > 0 else { return [] }
        let start = Int64(first)
        let end = start + count
        return end <= numbers ? [start..<end] : [start..<numbers, 0..<end - numbers]
    }

    /// - Precondition: ``sort()`` was called; the range does not go past the last number.
    private func covered(_ wanted: Range<Int64>) -> Int64 {
        // The first range that ends behind the start of what is wanted.
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound <= wanted.lowerBound {
                low = middle + 1
            } else {
                high = middle
            }
        }
        var total: Int64 = 0
        for range in ranges[low...] {
            guard range.lowerBound < wanted.upperBound else { break }
            total += Int64(range.clamped(to: wanted).count)
        }
        return total
    }
}
