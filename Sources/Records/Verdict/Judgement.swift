public import Recipes

/// A verdict with its exit code and every finding behind it.
public struct Judgement: Hashable, Sendable {
    /// One thing that a person should know of a run.
    public struct Finding: Hashable, Sendable {
        /// A stable id, for example `dropped`.
        public var id: String
        /// What was found, with figure and limit.
        public var message: String
        /// Whether it is over a limit of the recipe.
        public var isOverLimit: Bool

        /// Creates a finding.
        public init(id: String, message: String, isOverLimit: Bool) {
            self.id = id
            self.message = message
            self.isOverLimit = isOverLimit
        }
    }

    /// The verdict.
    public var verdict: Verdict
    /// The exit code of `framelock run`: 0, 80…84 or 130.
    public var exitCode: Int32
    /// All findings, the gravest first.
    public var findings: [Finding]

    /// Judges a run by its counts, its ending and its recipe's limits.
    ///
    /// A run that ended early is `partial` whatever else is true of it; else the first limit that is passed decides,
    /// in the order frames, settings, triggers, clocks. An endless recipe ends by being stopped: that alone is not
    /// partial.
    public init(_ tally: RunTally, ending: RunEnding, isEndless: Bool, limits: Requirements) {
        var findings: [Finding] = []
        let early = ending != .completed && !(ending == .interrupted && isEndless)
        if early {
            findings.append(
                Finding(
                    id: "ended-early",
                    message: "the run ended early (\(ending.rawValue)) after \(tally.slots) slots",
                    isOverLimit: true))
        }
        func check(_ id: String, _ count: Int64, _ limit: Int64?, _ what: String) -> Bool {
            let isOver = limit.map { count > $0 } ?? false
            if count > 0 {
                let bound = limit.map { "limit \($0)" } ?? "no limit set"
                findings.append(
                    Finding(id: id, message: "\(count) \(what) (\(bound))", isOverLimit: isOver))
            }
            return isOver
        }
        let dropped = check("dropped", tally.dropped, limits.dropped, "missing frames")
        let violated = check(
            "lock-violations", tally.lockViolations, limits.lockViolations,
            "settings differ from what was locked")
        let unmatched = check(
            "unmatched-triggers", tally.unmatchedTriggers, limits.unmatchedTriggers,
            "triggers without their frame or edge")
        var isUncertain = false
        if let limit = limits.clockUncertainty, tally.widestHalfWidth > limit {
            isUncertain = true
            findings.append(
                Finding(
                    id: "clock-uncertainty",
                    message:
                        "exposure times are known to ±\(tally.widestHalfWidth) (limit \(limit))",
                    isOverLimit: true))
        }
        if tally.untimedFrames > 0 {
            let isJudged = limits.clockUncertainty != nil
            isUncertain = isUncertain || isJudged
            findings.append(
                Finding(
                    id: "untimed-frames",
                    message: "the exposure times of \(tally.untimedFrames) frames are not known",
                    isOverLimit: isJudged))
        }
        if tally.unreadSettings > 0 {
            findings.append(
                Finding(
                    id: "unread-settings",
                    message: "\(tally.unreadSettings) settings could not be read back",
                    isOverLimit: false))
        }
        if tally.missedStills > 0 {
            findings.append(
                Finding(
                    id: "missed-stills",
                    message: "\(tally.missedStills) stills are missing; their frames are recorded",
                    isOverLimit: false))
        }
        // The gravest first; equals stay in their order.
        self.findings = findings.filter(\.isOverLimit) + findings.filter { !$0.isOverLimit }
        (verdict, exitCode) =
            if early {
                (.partial, 84)
            } else if dropped {
                (.missingFrames, 80)
            } else if violated {
                (.lockViolated, 81)
            } else if unmatched {
                (.triggerMismatch, 82)
            } else if isUncertain {
                (.clockUncertain, 83)
            } else {
                (.trustworthy, 0)
            }
        if ending == .interrupted { exitCode = 130 }
    }
}
