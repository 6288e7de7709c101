extension [Instruction] {
    /// Slots that have a number before the program runs: all of them, or those before its first endless loop.
    ///
    /// More than 2^63 − 1 count as that many. The rows of an endless plan that was stopped before its endless loop end
    /// at the last of these slots.
    ///
    /// - Complexity: O(instructions), whatever the counts of loops.
    public var numberedSlots: Int64 { numberedSlots { _ in true } }

    /// Those of some steps.
    package func numberedSlots(ofStep isCounted: (Int32) -> Bool) -> Int64 {
        Int64(clamping: count(startIndex..<endIndex, isCounted).slots)
    }

    /// The slots of a range of instructions, and whether it never comes to its end.
    ///
    /// What follows an endless loop is not counted: it is never reached.
    private func count(
        _ range: Range<Int>, _ isCounted: (Int32) -> Bool
    ) -> (slots: Int128, isEndless: Bool) {
        var slots: Int128 = 0
        var position = range.lowerBound
        while position < range.upperBound {
            switch self[position] {
            case .capture(let count, _, _, let step):
                slots += isCounted(step) ? Int128(count) : 0
            case .loop(let rounds, _, let end, _):
                let body = count(position + 1..<Int(end), isCounted)
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
