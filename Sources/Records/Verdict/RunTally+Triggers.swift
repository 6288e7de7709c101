extension RunTally {
    /// The counts of triggers in words, for people; `run.json` has the same counts as members of `triggers`.
    package static func triggerCounts(_ tally: RunTally) -> [(name: String, count: Int64)] {
        let warmUp = tally.warmUpEdges == 0 ? [] : [("warming up", tally.warmUpEdges)]
        return [("edges", tally.edges), ("matched", tally.matchedEdges)] + warmUp
            + unmatchedCounts(tally)
            + [("unmatched in all", tally.unmatchedTriggers)]
    }

    /// What the sum that `require: unmatched_triggers` limits is made of.
    static func unmatchedCounts(_ tally: RunTally) -> [(name: String, count: Int64)] {
        [
            ("edges without frame", tally.edgesWithoutFrame),
            ("waits that timed out", tally.waitTimeouts), ("unused edges", tally.unusedEdges),
            ("lost by the kernel", tally.lostEdges), ("edges without slot", tally.edgesWithoutSlot),
            ("frames without edge", tally.framesWithoutEdge),
        ]
    }
}
