/// Which of a camera's sequence numbers the event log accounts for.
///
/// Numbers have 32 bits and start anew; they are unrolled along the log, whose events come in the order of frames.
struct SequenceCoverage {
    private var ranges: [Range<Int64>] = []
    private var reference: Int64?

    mutating func note(_ event: RunEvent) {
        switch event {
        case .framesMissing(let count, let before, _):
            let end = unrolled(before)
            add(end - count..<end)
        case .framesSkipped(let count, let from, _):
            let start = unrolled(from)
            add(start..<start + count)
        case .sequenceJumped(let from, let to):
            let start = unrolled(from) + 1
            add(start..<max(start, unrolled(to)))
        case .frameDamaged(let sequence):
            let number = unrolled(sequence)
            add(number..<number + 1)
        default: break
        }
    }

    /// How many of the numbers between two frames the log says nothing about.
    ///
    /// - Complexity: O(log of the events), once ``sort()`` was called.
    func uncovered(after first: UInt32, before second: UInt32) -> Int64 {
        let gap = Int64(second &- first) - 1
        guard gap > 0 else { return 0 }
        // The log may have been unrolled from another round of 2^32: compare modulo that.
        var best = gap
        for turn in turns(first) {
            let start = Int64(first) + 1 + turn
            best = min(best, gap - covered(start..<start + gap))
        }
        return best
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
        ranges = joined
    }

    private mutating func add(_ range: Range<Int64>) {
        if !range.isEmpty { ranges.append(range) }
    }

    private mutating func unrolled(_ sequence: UInt32) -> Int64 {
        let last = reference ?? Int64(sequence)
        let step = Int32(bitPattern: sequence &- UInt32(truncatingIfNeeded: last))
        reference = last + Int64(step)
        return last + Int64(step)
    }

    /// The multiples of 2^32 in which the log's numbers lie.
    private func turns(_ sequence: UInt32) -> [Int64] {
        guard let first = ranges.first, let last = ranges.last else { return [] }
        let turn: Int64 = 1 << 32
        let from = (first.lowerBound - Int64(sequence)) >> 32
        let to = (last.upperBound - Int64(sequence)) >> 32
        return (from...to).map { $0 * turn }
    }

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
