internal import Recipes
internal import Records

/// What a plan says of settings beyond single frames.
extension RunOracle {
    /// A group with a drop among its rows was taken as often as it may be, and is marked.
    package mutating func checkGroups() {
        let partial = Set(table.events("group-partial").compactMap { $0["slot"] as? Int })
        for group in PlanTree.groups(of: run.tree) {
            let rows = table.rows[group.slots.clamped(to: 0..<table.rows.count)]
            let repeats = table.events("group-repeated").count {
                $0["slot"] as? Int == group.slots.lowerBound
            }
            if repeats > group.retries {
                complain("group \(group.slots) repeated \(repeats) times")
            }
            let drops = rows.count { ($0["reason"] ?? "").hasPrefix("dropped") }
            guard drops > 0 else { continue }
            if !partial.contains(group.slots.lowerBound) {
                complain("group \(group.slots) has holes and is not marked")
            }
            if run.stopped == nil, repeats < group.retries {
                complain("group \(group.slots) has holes and was repeated \(repeats) times only")
            }
        }
    }

    /// The camera is left with what the plan says, unless it refused or went away.
    package mutating func checkLeft() {
        guard case .restore(let settings, _) = run.plan.program.last,
            ["completed", "interrupted"].contains(table.manifest["ending"] as? String ?? ""),
            run.world.testCamera.refusals == 0, run.unplugged == nil,
            run.world.testCamera.externalChanges == 0
        else { return }
        let registers = run.world.testCamera.registers
        if registers.exposure != SeededRun.exposures[Int(settings) % 4]
            || registers.lens != SeededRun.lenses[Int(settings) % 3]
        {
            complain("left with \(registers)")
        }
    }

    /// The counts that were kept during the run are those of the rows.
    mutating func checkCounts(_ tally: RunTally, _ judgement: Judgement) {
        let frames = reached.count { $0["status"] == "frame" }
        if tally.slots != Int64(reached.count) { complain("\(tally.slots) slots counted") }
        if tally.frames != Int64(frames) { complain("\(tally.frames) frames counted") }
        for reason in HoleReason.allCases {
            let rows = reached.count { $0["reason"] == reason.rawValue }
            let counted = tally.holes[reason, default: 0]
            if counted != Int64(rows) { complain("\(counted) \(reason.rawValue) counted") }
        }
        if tally.waitTimeouts != Int64(table.events("trigger-timeout").count) {
            complain("\(tally.waitTimeouts) timeouts of waits counted")
        }
        if table.manifest["verdict"] as? String != judgement.verdict.rawValue {
            complain("the verdict of the manifest is not \(judgement.verdict.rawValue)")
        }
    }
}
