/// The word that was most likely meant, for "did you mean".
///
/// Compares without regard to ASCII case and to `-`, `_` and space; counts insertions, deletions,
/// replacements and swaps of neighbours. Near means at most a third of the longer word is wrong (one
/// letter in short words). Where nothing is near, the only candidate that `word` abbreviates is taken.
/// Among equals the longest common beginning wins, then the order of UTF-8 bytes.
///
/// - Parameters:
///   - word: what was written; longer than 64 characters is never near anything.
///   - candidates: the known words, in any order.
/// - Returns: one of `candidates`, or nil where nothing is near.
public func nearestWord(to word: String, in candidates: [String]) -> String? {
    let written = ComparableWord(word)
    guard (1...ComparableWord.maximumLength).contains(written.scalars.count) else { return nil }
    var best: (rank: (Int, Int), word: String)?
    for candidate in candidates {
        let known = ComparableWord(candidate)
        guard let distance = written.distance(to: known) else { continue }
        let rank = (distance, -written.commonPrefix(with: known))
        let isBetter =
            best.map {
                rank < $0.rank
                    || rank == $0.rank && candidate.utf8.lexicographicallyPrecedes($0.word.utf8)
            } ?? true
        if isBetter { best = (rank, candidate) }
    }
    return best?.word ?? onlyWord(abbreviatedBy: written, in: candidates)
}

/// The one candidate that begins with what was written, of 3 characters or more; nil where there are several or none.
private func onlyWord(abbreviatedBy written: ComparableWord, in candidates: [String]) -> String? {
    guard written.scalars.count >= 3 else { return nil }
    let longer = candidates.filter { ComparableWord($0).scalars.starts(with: written.scalars) }
    return longer.count == 1 ? longer[0] : nil
}

/// A word as it is compared: case and separators do not count.
private struct ComparableWord {
    /// Characters of a word that is compared; the cost of a distance grows with the square.
    static let maximumLength = 64

    /// The word's scalars, one more than ``maximumLength`` at most: that many show that it is too long.
    let scalars: [UInt32]

    init(_ word: String) {
        scalars = word.unicodeScalars.prefix(Self.maximumLength + 1).map { scalar in
            switch scalar {
            case "A"..."Z": scalar.value + 32
            case "-", " ": ("_" as Unicode.Scalar).value
            default: scalar.value
            }
        }
    }

    func commonPrefix(with other: ComparableWord) -> Int {
        zip(scalars, other.scalars).prefix { $0 == $1 }.count
    }

    /// The edit distance (optimal string alignment), or nil when it exceeds the bound.
    func distance(to other: ComparableWord) -> Int? {
        let (left, right) = (scalars, other.scalars)
        let bound = max(left.count, right.count, 3) / 3
        guard right.count <= Self.maximumLength, abs(left.count - right.count) <= bound else {
            return nil
        }
        var beforeLast = [Int](repeating: 0, count: right.count + 1)
        var last = Array(0...right.count)
        for (row, letter) in left.enumerated() {
            var current = [row + 1]
            current.reserveCapacity(right.count + 1)
            for (column, other) in right.enumerated() {
                var cost = min(
                    last[column + 1] + 1, current[column] + 1,
                    last[column] + (letter == other ? 0 : 1))
                if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                current.append(cost)
            }
            (beforeLast, last) = (last, current)
        }
        return last[right.count] <= bound ? last[right.count] : nil
    }
}
