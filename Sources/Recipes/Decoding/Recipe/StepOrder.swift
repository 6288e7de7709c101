import Notation

/// What must hold between the steps of one list.
///
/// Each of these would be a recipe that runs and does not do what was meant.
enum StepOrder {
    /// Reports a step that stands after an endless loop.
    ///
    /// - Parameters:
    ///   - step: the step that was just read.
    ///   - before: the list so far; only its last step counts, so that one loop is one message.
    static func refuseUnreachable(_ step: Step, after before: [Step], _ context: DecodingContext) {
        guard let last = before.last, case .repeat(nil, _, _) = last.kind else { return }
        context.report(
            "unreachable-step", at: SourceRange(at: step.range.start, columns: 1),
            "this step never runs: an endless loop stands before it",
            notes: [context.note("the endless loop", at: last.range)],
            hint: "move it before the loop, or give the loop a number of rounds")
    }

    /// Reports lights that no frame follows in their list.
    ///
    /// To be called only for a list that was read whole: a capture that could not be read may be the one that is
    /// missing.
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

    /// Whether a step takes any frame, itself or in the steps under it.
    private static func takesFrames(_ step: Step) -> Bool {
        switch step.kind {
        case .capture, .bracket: true
        case .sweep(_, let steps), .repeat(_, _, let steps): steps.contains(where: takesFrames)
        case .wait, .waitForEdge, .pulse, .pulseWithExposure: false
        }
    }
}
