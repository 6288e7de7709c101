internal import Devices
internal import Tracking

/// Holds the edge of a row against its frame, the log of edges, and what became of them by the log.
enum TriggerCheck {
    /// What is wrong with a row's trigger.
    ///
    /// - Parameters:
    ///   - row: a frame or a hole.
    ///   - trigger: its edge.
    ///   - names: the plan's lines.
    ///   - events: after the whole log was read.
    static func problems(
        _ row: LedgerRow, _ trigger: TriggerReference, _ names: RunNames, _ events: EventCheck
    ) -> [String] {
        guard let number = trigger.lineSequence, let outcome = trigger.outcome else {
            return row.reason == nil || trigger.outcome != nil
                ? ["a trigger without an edge is that of a hole, and has no class"] : []
        }
        let name = "\(names.lines[Int(trigger.line)]):\(number)"
        var problems: [String] = []
        if !events.has(trigger.line, number) {
            problems.append("edge \(name) is not among the events")
        }
        if row.reason == nil, outcome != .matched, outcome != .ambiguous {
            problems.append(
                "a frame's trigger is `matched` or `ambiguous`, not `\(outcome.rawValue)`")
        }
        guard trigger.line == names.triggerLine else { return problems }
        guard let decision = events.decision(trigger.line, number) else {
            return problems + ["no event reports what became of edge \(name)"]
        }
        if decision.outcome != outcome {
            problems.append(
                "edge \(name) is `\(decision.outcome.rawValue)` in the events and"
                    + " `\(outcome.rawValue)` here")
        }
        if row.reason == nil, decision.sequence != row.deviceSequence {
            problems.append("the events give edge \(name) another frame")
        }
        return problems
    }
}
