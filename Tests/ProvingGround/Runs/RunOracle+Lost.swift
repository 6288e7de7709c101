internal import Recipes

/// What becomes of slots that lose their frame.
extension RunOracle {
    /// Losses after which the engine makes a hole all the same.
    private static let mostLosses = 16

    /// Lost frames are counted as the log has them, and make holes or do not, as the plan says.
    mutating func checkLostFrames() {
        let retaken = table.events("slot-retaken").compactMap { $0["slot"] as? Int }
        let lost =
            table.events("frame-damaged").count
            + table.events("frames-missing").reduce(0) { $0 + ($1["count"] as? Int ?? 0) }
        for (name, counted) in [("slots_retaken", retaken.count), ("frames_lost", lost)]
        where table.manifest[name] as? Int != counted {
            complain("\(name) is \(table.manifest[name] ?? "missing"), the log has \(counted)")
        }
        guard run.plan.onLost == .retake else {
            if !retaken.isEmpty { complain("\(retaken.count) slots are taken again") }
            return
        }
        // Whoever is asked to stop takes nothing again, and a full pool may be the end.
        guard run.stopped == nil else { return }
        var reasons: Set = [
            "dropped-by-driver", "dropped-by-device", "host-stalled", "dropped", "uncertain",
            "damaged",
        ]
        if run.plan.output.whenFull == .hole { reasons.insert("buffers-full") }
        for (slot, row) in table.rows.enumerated() where reasons.contains(row["reason"] ?? "") {
            if !slots[slot].isGrouped, retaken.count(where: { $0 == slot }) < Self.mostLosses {
                complain("slot \(slot) is not taken again after \(row["reason"] ?? "")")
            }
        }
    }

    /// Between two frames of one capture all others are lost, or found no room.
    mutating func checkTakenAgain(
        after before: (index: Int, place: Int), at here: (index: Int, place: Int)
    ) {
        guard here.place > before.place, !isSettling(from: before.place, to: here.place) else {
            return
        }
        let capture = slots[here.index].execution
        let isTakenAgain = table.events("slot-retaken").contains { event in
            (event["slot"] as? Int).map { slots[$0].execution == capture && $0 <= here.index }
                ?? false
        }
        // What was written ahead has to be written again.
        let reasons: Set = isTakenAgain ? ["abandoned", "settling"] : ["abandoned"]
        let told = table.events("frames-skipped").filter {
            reasons.contains($0["why"] as? String ?? "")
        }
        .reduce(into: Set<Int>()) { places, event in
            guard let from = event["from_sequence"] as? Int else { return }
            for number in from..<from + (event["count"] as? Int ?? 1) {
                places.formUnion(self.places(ofSequence: number))
            }
        }
        let left = (before.place + 1..<here.place).filter {
            truth[$0].fate == .delivered && !told.contains($0)
        }
        if !left.isEmpty {
            complain("\(left.count) frames came between slots \(before.index) and \(here.index)")
        }
    }
}
