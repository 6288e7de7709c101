internal import Devices
internal import Imaging
internal import Recipes
internal import Timebase
internal import Tracking

/// What `verify` takes from the event log: counts, and what rows of the ledger must agree with.
///
/// The log is read before the ledger, and memory goes with its length.
struct EventCheck {
    private(set) var counter: TallyCounter
    private(set) var clocks: RunClocks
    private(set) var coverage = SequenceCoverage()
    /// Starts of the camera's stream: sequences may restart at each.
    private(set) var streamStarts = 0
    /// Slots whose frames the disk refused.
    private(set) var refusedSlots: Set<Int64> = []
    /// Slots whose stills are missing.
    private(set) var missedStills: Set<Int64> = []
    /// Where the device's count restarted, in order: the last number before and the first one after.
    private(set) var resets: [(from: UInt32, to: UInt32)] = []
    /// Missing frames of which the log knows and that have no sequence numbers, by reason.
    private(set) var unnumbered: [HoleReason: Int64] = [:]
    /// What the log has of the driver.
    private(set) var quirks: Set<CameraQuirk> = []
    /// Frames whose timestamps the log does not believe.
    private(set) var invalidTimestamps: Int64 = 0
    /// How long the ledger was before the log was read: only of those rows the log is sure to have the events.
    private(set) var ledgerEnd: Int64 = .max
    /// What rows claim to know, against the log; nil where that is not looked at.
    private(set) var engine: EngineCheck?
    /// What the log has of missing frames, against those that came; nil where that is not looked at.
    private(set) var losses: LossCheck?
    /// What the brightness of the recorded frames shows; nil where that is not looked at.
    private var brightness: BrightnessCheck?
    /// What frames had by their rows, against the plan and the log.
    private var applied: AppliedCheck
    private var edges: Set<UInt64> = []
    private var decisions: [UInt64: EdgeDecision] = [:]
    /// Edges that have more than one class.
    private var repeatedDecisions: Int64 = 0
    /// Frames of a triggered camera whose class the log has.
    private var classedFrames: Set<UInt32> = []
    /// How often a number was classed once more.
    private var classedAgain: [UInt32: Int64] = [:]

    /// What became of an edge of a triggered camera.
    struct EdgeDecision {
        var outcome: TriggerClass
        var sequence: UInt32?
    }

    init(_ run: RecordedRun, _ scope: RunVerifier.Scope) {
        engine = scope.contains(.engine) ? EngineCheck(run) : nil
        losses = scope.contains(.engine) ? LossCheck(run) : nil
        brightness =
            scope.contains(.engine) && run.manifest.state == .finalised
            ? BrightnessCheck(run, try? run.outcome?.get().tally) : nil
        applied = AppliedCheck(run)
        counter = TallyCounter(run.names, run.plan.require)
        clocks = RunClocks(
            run.names, cameraTicksPerSecond: run.manifest.configuration.cameraTicksPerSecond,
            resolution: run.manifest.clockResolution)
    }

    /// Reads the whole log, and before that how far the ledger of a run that goes on is to be read.
    ///
    /// - Throws: ``StorageError`` if the log can't be read; lines that are no events are problems of the report.
    static func read(
        _ run: RecordedRun, _ scope: RunVerifier.Scope, upTo ends: RecordEnds? = nil,
        _ report: inout VerificationReport
    ) throws(StorageError) -> EventCheck {
        var check = EventCheck(run, scope)
        if run.manifest.state == .running {
            let size = try OpenFile.size(of: run.folder.ledger)
            check.ledgerEnd = ends?.ledger ?? size
        }
        let reader = try EventReader(run.folder.events, run.names, upTo: ends?.events ?? .max)
        while let item = try reader.next() {
            switch item {
            case .event(let logged, _):
                check.note(logged.event)
                check.engine?.note(logged)
            case .fault(let message, let line): report.add("events.jsonl", line: line, message)
            case .cut(let line):
                if run.manifest.state == .finalised {
                    report.add("events.jsonl", line: line, "the line is cut short")
                }
            }
        }
        check.coverage.sort()
        check.engine?.sort()
        check.brightness?.sort()
        var problems = check.classProblems(run.names, isFinalised: run.isWhole)
        if check.counter.total.retakenSlots > 0, run.plan.onLost == .hole {
            problems.append("slots are taken again, and the plan makes holes of lost frames")
        }
        problems += check.applied.problems
        problems += check.losses?.problems() ?? []
        for problem in problems + (check.engine?.problems ?? []) {
            report.add("events.jsonl", problem)
        }
        return check
    }

    /// What is wrong with the events of an operation of the plan; nil for nothing.
    mutating func pass(_ operation: PlanCursor.Operation, isRest: Bool) -> String? {
        engine?.pass(operation, isRest: isRest)
    }

    /// What is wrong with what a frame had by its row.
    mutating func problems(ofFrame row: LedgerRow) -> [String] { applied.problems(row) }

    /// What is wrong with a row for what is missing before it; nil for nothing.
    mutating func missing(before row: LedgerRow) -> String? { losses?.problem(row) }

    /// What the log has beyond the plan and the rows; to be asked once, at the end of the ledger.
    var rest: [String] {
        (engine?.rest ?? [])
            + [losses?.rest, ledgerEnd == .max ? applied.rest : nil].compactMap { $0 }
    }

    /// Takes what the frame of a row shows; nil for a hole, and for a frame that can't be read.
    mutating func weigh(_ row: LedgerRow, _ statistics: FrameStatistics?, line: Int) {
        brightness?.take(row, statistics, line: line)
    }

    /// What is wrong with rows and log by the brightness of all frames; to be asked once, at the end of the ledger.
    mutating func finishWeighing() -> [BrightnessCheck.Problem] { brightness?.finish() ?? [] }

    /// Counts a row too.
    mutating func count(_ entry: LedgerEntry) { counter.count(entry) }

    /// Whether the log has an edge of a line.
    func has(_ line: Int32, _ number: UInt32) -> Bool {
        edges.contains(Self.key(line, number))
    }

    /// What became of an edge by the log; nil if nothing.
    func decision(_ line: Int32, _ number: UInt32) -> EdgeDecision? {
        decisions[Self.key(line, number)]
    }

    /// What is wrong with the classes of edges and frames; to be asked once, after the last event.
    func classProblems(_ names: RunNames, isFinalised: Bool) -> [String] {
        var problems: [String] = []
        let repeated = repeatedDecisions + repeatedFrames
        if repeated > 0 {
            problems.append(
                "\(repeated) edges or frames of the camera's trigger are classed twice")
        }
        guard isFinalised, let line = names.triggerLine else { return problems }
        let unclassed = edges.count {
            $0 >> 32 == UInt64(UInt32(bitPattern: line)) && decisions[$0] == nil
        }
        if unclassed > 0 {
            problems.append("\(unclassed) edges of the camera's trigger have no class")
        }
        return problems
    }

    private mutating func note(_ event: RunEvent) {
        counter.count(event)
        clocks.note(event)
        coverage.note(event)
        applied.note(event)
        losses?.note(event)
        brightness?.note(event)
        switch event {
        case .streamStarted: streamStarts += 1
        case .edge(let edge): edges.insert(Self.key(edge.line, edge.lineSequence))
        case .edgeClassified(let line, let number, let outcome, let sequence):
            let key = Self.key(line, number)
            if decisions[key] != nil { repeatedDecisions += 1 }
            decisions[key] = EdgeDecision(outcome: outcome, sequence: sequence)
            if let sequence { noteClass(ofFrame: sequence) }
        case .frameClassified(_, let sequence, _): noteClass(ofFrame: sequence)
        case .sequenceJumped(let from, let to): resets.append((from, to))
        case .storageFailed(let slot, _): refusedSlots.insert(slot)
        case .stillMissed(let slot, _): missedStills.insert(slot)
        case .framesMissing(let count, _, let reason) where !reason.hasNumber:
            unnumbered[reason, default: 0] += count
        case .quirkSeen(let quirk, _, _): quirks.insert(quirk)
        case .timestampInvalid(let count, _, _): invalidTimestamps += count
        default: break
        }
    }

    private mutating func noteClass(ofFrame sequence: UInt32) {
        if !classedFrames.insert(sequence).inserted { classedAgain[sequence, default: 0] += 1 }
    }

    /// Frames with more classes than frames can have their number.
    ///
    /// Decisions come some time after their frames, so a number may be decided again before the log has that the
    /// sequence jumped, and after it. One that stands still has any number of frames; one that goes back has each from
    /// there on once more.
    private var repeatedFrames: Int64 {
        if quirks.contains(.sequenceIsStuck) { return 0 }
        let returns = resets.filter { Int32(bitPattern: $0.to &- $0.from) <= 0 }
        return classedAgain.reduce(0) { total, frame in
            let allowed = returns.count { Int32(bitPattern: frame.key &- $0.to) >= 0 }
            return total + max(0, frame.value - Int64(allowed))
        }
    }

    /// A line in the upper 32 bits, an edge's number in the lower.
    private static func key(_ line: Int32, _ number: UInt32) -> UInt64 {
        UInt64(UInt32(bitPattern: line)) << 32 | UInt64(number)
    }
}
