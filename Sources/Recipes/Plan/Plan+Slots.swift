extension [Instruction] {
    /// Slots that have a number before the program runs: all of them, or those before its first endless loop.
    ///
    /// - Complexity: O(instructions), whatever the counts of loops.
    public var numberedSlots: Int64 { Int64(clamping: count(startIndex..<endIndex).slots) }

    private func count(_ range: Range<Int>) -> (slots: Int128, isEndless: Bool) {
        var slots: Int128 = 0
        var position = range.lowerBound
        while position < range.upperBound {
            switch self[position] {
            case .capture(let count, _, _, _): slots += Int128(count)
            case .loop(let rounds, _, let end, _):
                let body = count(position + 1..<Int(end))
                if rounds < 0 { return (slots, true) }
                if body.isEndless, rounds > 0 { return (slots + body.slots, true) }
                slots += body.slots * Int128(rounds)
                position = Int(end)
            case .pulse, .wait, .waitForEdge, .endLoop, .group, .restore: break
            }
            position += 1
        }
        return (slots, false)
    }
}
