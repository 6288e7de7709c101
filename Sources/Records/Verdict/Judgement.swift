internal import Notation
public import Recipes
internal import Timebase

/// A verdict with its exit code and every finding behind it.
///
/// Made from counts alone, so that whoever has the record comes to the same one.
public struct Judgement: Hashable, Sendable {
    /// One thing that a person should know of a run.
    public struct Finding: Hashable, Sendable {
        /// What it is of.
        public var kind: Kind
        /// What was found, with figure and limit.
        public var message: String
        /// Whether it is over a limit of the recipe.
        public var isOverLimit: Bool

        /// Creates a finding.
        public init(_ kind: Kind, message: String, isOverLimit: Bool) {
            self.kind = kind
            self.message = message
            self.isOverLimit = isOverLimit
        }

        /// A stable id, for example `dropped`.
        public var id: String { kind.rawValue }
    }

    /// The verdict.
    public var verdict: Verdict
    /// The exit code of `framelock run`: 0, 80…84 or 130.
    public var exitCode: Int32
    /// All findings, the gravest first.
    public var findings: [Finding]

    init(_ verdict: Verdict, exitCode: Int32, findings: [Finding]) {
        (self.verdict, self.exitCode, self.findings) = (verdict, exitCode, findings)
    }

    /// Judges a run by its counts, its ending and its recipe's limits.
    ///
    /// A run that ended early is `partial` whatever else is true of it; else the first limit that is passed decides,
    /// in the order frames, settings and temperature, triggers and outputs, clocks. Being stopped is the end that an
    /// endless recipe has: that alone is not partial, and its exit code is 130 only where no limit is passed.
    ///
    /// - Parameters:
    ///   - tally: the counts of ledger and log.
    ///   - ending: why the run ended.
    ///   - isEndless: whether the plan has a loop without a count.
    ///   - limits: `require` of the recipe; nil is not judged.
    public init(_ tally: RunTally, ending: RunEnding, isEndless: Bool, limits: Requirements) {
        let early = ending != .completed && !(ending == .interrupted && isEndless)
        var found: [(finding: Finding, verdict: Verdict)] = []
        if early {
            let planned = tally.notReached.map { " of \($0.upperBound + 1)" } ?? ""
            let error = tally.storageErrno.map { ": \(StorageError.text($0))" } ?? ""
            let message =
                "the run ended early (\(ending.rawValue)\(error)) after \(tally.slots)\(planned) slots"
            found.append(
                (Finding(.endedEarly, message: message, isOverLimit: true), .partial))
        }
        found += Self.frames(tally, limits).map { ($0, .missingFrames) }
        found += Self.settings(tally, limits).map { ($0, .lockViolated) }
        found += Self.temperature(tally, limits).map { ($0, .lockViolated) }
        found += Self.triggers(tally, limits).map { ($0, .triggerMismatch) }
        found += Self.clocks(tally, limits).map { ($0, .clockUncertain) }
        // The gravest first; equals stay in their order.
        findings =
            found.map(\.finding).filter(\.isOverLimit)
            + found.map(\.finding).filter { !$0.isOverLimit }
        verdict = found.first { $0.finding.isOverLimit }?.verdict ?? .trustworthy
        exitCode = verdict.exitCode
        if ending == .interrupted, early || verdict == .trustworthy { exitCode = 130 }
    }
}

extension Verdict {
    /// What `framelock run` exits with.
    fileprivate var exitCode: Int32 {
        switch self {
        case .trustworthy: 0
        case .missingFrames: 80
        case .lockViolated: 81
        case .triggerMismatch: 82
        case .clockUncertain: 83
        case .partial: 84
        }
    }
}

// What each part of a tally amounts to.
extension Judgement {
    /// Missing frames with what leaves their number open.
    private static func frames(_ tally: RunTally, _ limits: Requirements) -> [Finding] {
        var findings: [Finding] = []
        if tally.dropped > 0 {
            findings.append(
                counted(.dropped, tally.dropped, \.dropped, limits, "missing frame"))
        }
        return findings + evidence(tally, limits) + lostFrames(tally)
    }

    /// Frames that were lost and left no hole: what that cost is time.
    private static func lostFrames(_ tally: RunTally) -> [Finding] {
        let holes = HoleReason.allCases.reduce(0) {
            $0 + ($1.isLostOnTheWay ? tally.holes[$1, default: 0] : 0)
        }
        guard tally.retakenSlots > 0 || tally.lostFrames > holes else { return [] }
        let retaken = tally.retakenSlots
        let parts = [
            holes > 0 ? "\(holes.of("slot")) stayed without a frame" : nil,
            retaken > 0 ? "slots were taken again \(retaken.of("time"))" : nil,
            tally.lostFrames > holes + retaken
                ? "no slot was to take \(holes + retaken > 0 ? "the others" : "them")" : nil,
        ].compactMap { $0 }
        var findings: [Finding] = []
        findings.add(
            .lostFrames,
            "\(tally.lostFrames.of("frame")) did not come or came damaged: "
                + parts.joined(separator: ", "))
        return findings
    }

    /// A setting that could not be read back is as good as one that differs: what was locked is not shown to hold.
    ///
    /// One that frames contradict is worse: the device reads it back.
    private static func settings(_ tally: RunTally, _ limits: Requirements) -> [Finding] {
        let doubtful = tally.lockViolations + tally.unreadSettings + tally.contradictedSettings
        let isOver = limits.lockViolations.map { doubtful > $0 } ?? false
        var findings = unknownCamera(tally) + periodMismatch(tally, limits)
        if tally.contradictedSettings > 0 {
            findings.append(
                counted(
                    .settingContradicted, tally.contradictedSettings, \.lockViolations, limits,
                    "setting", "contradicted by the pixels or metadata of its frame",
                    isOver: isOver))
        }
        if tally.lockViolations > 0 {
            findings.append(
                counted(
                    .lockViolations, tally.lockViolations, \.lockViolations, limits,
                    "time",
                    "a setting was not what was locked: read back different, refused, or changed by"
                        + " another program", isOver: isOver))
        }
        if tally.unreadSettings > 0 {
            findings.append(
                counted(
                    .unreadSettings, tally.unreadSettings, \.lockViolations, limits,
                    "time", "a setting could not be read back, so that nothing shows that it holds",
                    isOver: isOver))
        }
        return findings + proof(tally, limits) + metadata(tally)
    }

    /// An output that failed, or was not seen to switch, needs no limit: its light was not the planned one.
    private static func triggers(_ tally: RunTally, _ limits: Requirements) -> [Finding] {
        var findings = triggerAdvice(tally)
        if tally.unmatchedTriggers > 0 {
            findings.append(
                counted(
                    .unmatchedTriggers, tally.unmatchedTriggers, \.unmatchedTriggers,
                    limits, "unmatched trigger", "(edges, frames or waits)"))
        }
        if tally.failedOutputs > 0 {
            findings.add(
                .failedOutputs,
                "\(tally.failedOutputs.of("time")) an output could not be switched: its light or pulse"
                    + " was not as planned", isOver: true)
        }
        if tally.unsensedOutputs > 0 {
            findings.add(
                .unsensedOutputs,
                "\(tally.unsensedOutputs.of("time")) the input that senses an output saw nothing of its"
                    + " switching", isOver: true)
        }
        if tally.uncountedLines > 0 {
            findings.add(
                .uncountedEdges,
                "the kernel does not report lost edges: whether all triggers are on record"
                    + " is not known")
        }
        return findings + latePulses(tally, limits) + lateRounds(tally, limits)
    }

    private static func lateRounds(_ tally: RunTally, _ limits: Requirements) -> [Finding] {
        guard tally.lateRounds > 0 else { return [] }
        return [
            counted(
                .lateRounds, tally.lateRounds, \.lateRounds, limits, "round",
                "began later than `every` asked, by up to \(tally.latestRound)")
        ]
    }

    /// How well times are known, and what else is reported of clocks and stills.
    private static func clocks(_ tally: RunTally, _ limits: Requirements) -> [Finding] {
        var findings: [Finding] = []
        if let limit = limits.clockUncertainty, tally.widestHalfWidth > limit {
            findings.add(
                .clockUncertainty,
                "session times of exposures are known to ±\(tally.widestHalfWidth) (limit \(limit))",
                isOver: true)
        }
        if tally.untimedFrames > 0 {
            findings.add(
                .untimedFrames,
                "\(tally.untimedFrames.of("frame")) without a known exposure time",
                isOver: limits.clockUncertainty != nil)
        }
        findings += lateTimestamps(tally) + unseenDelay(tally)
        // Their frames' times were made of what was found instead of what the driver reports.
        if tally.unexpectedTimestampClocks > 0 {
            findings.add(
                .timestampClock,
                "frames are timestamped with another clock than the driver claims (see `clock` in the"
                    + " ledger): timestamps of a clock that is known were converted")
        }
        if tally.cameraClockSteps > 0 {
            findings.add(
                .cameraClockSteps,
                "the camera's own clock jumped \(tally.cameraClockSteps.of("time")): it was related"
                    + " to the host's again")
        }
        if tally.missedStills > 0 {
            findings.add(
                .missedStills,
                "\(tally.missedStills.of("still")) missing; the frames are recorded")
        }
        return findings
    }

    /// - Parameters:
    ///   - kind: of the finding.
    ///   - count: how many.
    ///   - path: to the limit that it is held against.
    ///   - limits: of the recipe; nil is any number.
    ///   - noun: what is counted, in the singular.
    ///   - rest: of the sentence.
    ///   - isOver: decides where more than this count does; nil for count and limit alone.
    static func counted(
        _ kind: Finding.Kind, _ count: Int64, _ path: KeyPath<Requirements, Int64?>,
        _ limits: Requirements, _ noun: String, _ rest: String = "", isOver: Bool? = nil
    ) -> Finding {
        let limit = limits[keyPath: path]
        let key = CountLimit.all.first { $0.path == path }.map { " of `\($0.name)`" } ?? ""
        return Finding(
            kind,
            message: [
                count.of(noun), rest, limit.map { "(limit \($0)\(key))" } ?? "(no limit set)",
            ].filter { !$0.isEmpty }.joined(separator: " "),
            isOverLimit: isOver ?? limit.map { count > $0 } ?? false)
    }
}

extension [Judgement.Finding] {
    /// A finding without a limit of its own.
    mutating func add(
        _ kind: Judgement.Finding.Kind, _ message: String, isOver: Bool = false
    ) {
        append(Judgement.Finding(kind, message: message, isOverLimit: isOver))
    }
}
