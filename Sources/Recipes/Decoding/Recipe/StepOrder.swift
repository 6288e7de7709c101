import Notation

/// What must hold between the steps of one list.
enum StepOrder {
    /// Reports a step that stands after an endless loop.
    static func refuseUnreachable(_ step: Step, after before: [Step], _ context: DecodingContext) {
        guard let last = before.last, case .repeat(nil, _, _) = last.kind else { return }
        context.report(
            "unreachable-step", at: SourceRange(at: step.range.start, columns: 1),
            "this step never runs: an endless loop stands before it",
            notes: [context.note("the endless loop", at: last.range)],
            hint: "move it before the loop, or give the loop a number of rounds")
    }

    /// Reports lights that no frame follows.
    static func refuseIdlePulses(_ steps: [Step], _ context: DecodingContext) {
        var frameFollows = false
        for step in steps.reversed() {
            frameFollows = frameFollows || takesFrames(step)
            guard case .pulseWithExposure(let line) = step.kind, !frameFollows else { continue }
            context.report(
                "idle-pulse", at: line.range,
                "no frame follows in this list of steps, so `\(line.value)` never becomes active",
                hint: "put the `pulse` before the `capture` that it belongs to")
        }
    }

    private static func takesFrames(_ step: Step) -> Bool {
        switch step.kind {
        case .capture, .bracket: true
        case .sweep(_, let steps), .repeat(_, _, let steps): steps.contains(where: takesFrames)
        case .wait, .waitForEdge, .pulse, .pulseWithExposure: false
        }
    }
}
