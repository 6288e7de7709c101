internal import Cameras
internal import Lines
internal import Recipes
internal import Timebase

/// Counts a run from its rows and events.
///
/// Rows come in the order of slots, events in the order of the log; how the two interleave makes no difference, so
/// that a count from the files equals the one made during the run.
struct TallyCounter {
    private var tally = RunTally()
    /// What is later than this counts as late.
    private let pulseTolerance: Interval
    /// For each line of the plan, whether a step waits for its edges.
    private let isAwaited: [Bool]
    private let stillSteps: Set<Int32>
    private var accepted: [EdgeCount]
    private var referenced: [EdgeCount]
    /// The edge that the latest rows belong to, and whether all of those rows have frames.
    private var open: (trigger: TriggerReference, isWhole: Bool)?

    /// How many different edges of a line were seen, their numbers rising.
    private struct EdgeCount {
        var count: Int64 = 0
        var last: UInt32?

        mutating func note(_ number: UInt32) {
            // The kernel's numbers are 32 bits wide and start anew.
            if let last, Int32(bitPattern: number &- last) <= 0 { return }
            count += 1
            last = number
        }
    }

    init(_ names: RunNames, _ limits: Requirements) {
        pulseTolerance = limits.pulseTolerance
        var isAwaited = names.lines.map { _ in false }
        for case .waitForEdge(let line, _, _) in names.program { isAwaited[Int(line)] = true }
        self.isAwaited = isAwaited
        stillSteps = Set(names.stills.keys)
        if !stillSteps.isEmpty { tally.stills = 0 }
        accepted = names.lines.map { _ in EdgeCount() }
        referenced = accepted
    }

    mutating func count(_ row: LedgerRow) {
        tally.slots += 1
        if let reason = row.reason {
            tally.holes[reason, default: 0] += 1
        } else {
            tally.frames += 1
            if stillSteps.contains(row.step) { tally.stills? += 1 }
            if let time = row.exposureTime {
                tally.widestHalfWidth = max(tally.widestHalfWidth, time.halfWidth)
            } else {
                tally.untimedFrames += 1
            }
        }
        count(row.trigger, isFrame: row.reason == nil)
    }

    mutating func count(_ event: RunEvent) {
        switch event {
        case .edge(let edge): tally.edges += isAwaited[Int(edge.line)] ? 1 : 0
        case .edgesLost(let line, let count, _):
            tally.lostEdges += isAwaited[Int(line)] ? Int64(count) : 0
        case .edgeAccepted(let line, let number, _): accepted[Int(line)].note(number)
        case .triggerTimeout: tally.missingEdges += 1
        case .settingsWritten(_, _, let errno): tally.lockViolations += errno == 0 ? 0 : 1
        case .readBack(_, _, let asked, let found), .lensApproach(_, _, let asked, let found):
            tally.lockViolations += asked == found ? 0 : 1
        case .readBackFailed: tally.unreadSettings += 1
        case .stillMissed:
            tally.stills? -= 1
            tally.missedStills += 1
        case .controlChanged: tally.lockViolations += 1
        case .outputSet(_, _, let late):
            tally.latestOutput = max(tally.latestOutput, late)
            tally.latePulses += late > pulseTolerance ? 1 : 0
        case .temperature(let temperature?):
            tally.hottest = max(tally.hottest ?? temperature, temperature)
        case .temperature(nil): tally.unreadTemperatures += 1
        case .outputFailed: tally.failedOutputs += 1
        case .periodOverrun(_, _, let late):
            tally.periodOverruns += 1
            tally.latestRound = max(tally.latestRound, late)
        case .witnessesDisagree: tally.disputedGaps += 1
        case .framesUnwitnessed(let count, _): tally.unwitnessedFrames += count
        case .stampsDoubted(let count, _, _): tally.doubtedStamps += count
        case .quirkSeen(let quirk, _, let isKnown):
            if !isKnown { tally.unknownQuirks.insert(quirk) }
        case .bufferRefused: tally.refusedBuffers += 1
        case .rateDiffers, .streamStarted, .streamStopped, .framesMissing, .sequenceJumped,
            .frameDamaged,
            .framesSkipped, .groupRepeated, .groupPartial, .interrupted, .streamFailed,
            .storageFailed, .clockSample, .clockDiscipline:
            break
        case .stampClock: tally.foreignStampClocks += 1
        case .cameraClockStepped: tally.cameraClockSteps += 1
        }
    }

    /// The counts so far; edges whose last slot may be still to come count as they stand.
    var total: RunTally {
        var result = tally
        if let open { Self.close(open.isWhole, into: &result) }
        var used: Int64 = 0
        for (accepted, referenced) in zip(accepted, referenced) {
            used += max(accepted.count, referenced.count)
        }
        result.unusedEdges = max(0, result.edges - used)
        return result
    }

    private mutating func count(_ trigger: TriggerReference?, isFrame: Bool) {
        guard let trigger, trigger.outcome != .edgeMissing else { return }
        referenced[Int(trigger.line)].note(trigger.lineSequence)
        if let current = open, current.trigger.line == trigger.line,
            current.trigger.lineSequence == trigger.lineSequence
        {
            open?.isWhole = current.isWhole && isFrame
            return
        }
        if let open { Self.close(open.isWhole, into: &tally) }
        open = (trigger, isFrame)
    }

    private static func close(_ isWhole: Bool, into tally: inout RunTally) {
        if isWhole { tally.matchedEdges += 1 } else { tally.edgesWithoutFrame += 1 }
    }
}
