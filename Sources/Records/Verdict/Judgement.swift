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
        var found: [Finding] = []
        if early {
            let slots =
                tally.notReached.map { "\(tally.slots) of \(($0.upperBound + 1).of("slot"))" }
                ?? tally.slots.of("slot")
            let error = tally.storageErrno.map { ": \(StorageError.text($0))" } ?? ""
            found.add(
                .endedEarly,
                "the run ended early (\(ending.rawValue)\(error)) after \(slots)",
                isOver: true)
        }
        found += Self.frames(tally, limits) + Self.settings(tally, limits)
        found += Self.temperature(tally, limits) + Self.triggers(tally, limits)
        found += Self.clocks(tally, limits)
        // The gravest first; equals stay in their order.
        findings = found.filter(\.isOverLimit) + found.filter { !$0.isOverLimit }
        verdict = found.first(where: \.isOverLimit)?.kind.verdict ?? .trustworthy
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
        counted(.missingFrames, tally, limits) + evidence(tally, limits) + lostFrames(tally)
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
        unknownCamera(tally) + periodMismatch(tally, limits) + counted(.lockViolated, tally, limits)
            + proof(tally, limits) + metadata(tally)
    }

    private static func triggers(_ tally: RunTally, _ limits: Requirements) -> [Finding] {
        triggerAdvice(tally) + counted(.triggerMismatch, tally, limits)
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
        return findings + counted(.clockUncertain, tally, limits)
    }

    /// The findings with this verdict that are a count.
    private static func counted(
        _ verdict: Verdict, _ tally: RunTally, _ limits: Requirements
    ) -> [Finding] {
        Finding.Kind.allCases.compactMap {
            $0.verdict == verdict ? $0.count?.finding($0, tally, limits) : nil
        }
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
