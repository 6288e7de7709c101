internal import Devices
internal import Recipes
internal import Timebase
internal import Tracking

/// Counts a run from its rows and events.
///
/// Rows come in the order of slots, events in the order of the log; how the two interleave makes no difference, so
/// that a count from the files equals the one made during the run.
///
/// The record thread has one, `verify` and every reader of a run make another.
struct TallyCounter {
    private var tally = RunTally()
    private let stillSteps: Set<Int32>
    private let requested: [FrameSettings]
    private let controllable: ControlGroups
    private var triggers: TriggerCounter
    private var outputs: OutputCounter
    private var metadata: MetadataStretches
    private var lateTimestamps = LateTimestampCounter()

    /// - Parameters:
    ///   - names: of the plan: which steps have stills, which lines are awaited.
    ///   - limits: for the tolerance of outputs.
    init(_ names: RunNames, _ limits: Requirements) {
        stillSteps = Set(names.stills.keys)
        requested = names.requested
        controllable = names.controllable
        if !stillSteps.isEmpty { tally.stills = 0 }
        metadata = MetadataStretches(isSent: names.sendsMetadata)
        tally.isCameraUnknown = names.isCameraUnknown
        tally.isTriggered = names.triggerLine != nil
        triggers = TriggerCounter(names)
        outputs = OutputCounter(names, tolerance: limits.pulseTolerance)
    }

    /// A row, and what was measured of its frame.
    mutating func count(_ entry: LedgerEntry, isOpen: Bool = false) {
        count(entry.row, isOpen: isOpen)
        guard let saturated = entry.saturatedMillionths else { return }
        if saturated >= RunTally.leastSaturated { tally.saturatedFrames += 1 }
        tally.mostSaturated = max(tally.mostSaturated, saturated)
    }

    /// A row of slots without a turn counts no slot.
    ///
    /// - Parameter isOpen: whether ``revise(_:to:)`` will be called for it: its bound is counted then.
    mutating func count(_ row: LedgerRow, isOpen: Bool = false) {
        if let last = row.lastSlot {
            tally.notReached = row.slot...max(row.slot, last)
            return
        }
        tally.slots += 1
        if let reason = row.reason {
            tally.holes[reason, default: 0] += 1
        } else {
            tally.frames += 1
            if stillSteps.contains(row.step) { tally.stills? += 1 }
            if let time = row.exposureTime {
                if !isOpen { tally.widestHalfWidth = max(tally.widestHalfWidth, time.halfWidth) }
            } else {
                tally.untimedFrames += 1
            }
            metadata.count(row.applied)
            count(evidenceOf: row, by: 1)
        }
        triggers.count(row)
    }

    /// A row that was counted is final; it may have become another one, in what it says of settings and times.
    ///
    /// Of a slot without a frame nothing was counted that could change.
    mutating func revise(_ row: LedgerRow, to other: LedgerRow) {
        guard row.reason == nil else { return }
        count(evidenceOf: row, by: -1)
        count(evidenceOf: other, by: 1)
        if let time = other.exposureTime {
            tally.widestHalfWidth = max(tally.widestHalfWidth, time.halfWidth)
        }
    }

    /// Of the settings that a frame was to have, and of those that nobody set though the camera has them.
    private mutating func count(evidenceOf row: LedgerRow, by step: Int64) {
        for group in ControlGroup.all
        where controllable.has(group) || requested[Int(row.settings)].kind(of: group) != .free {
            tally.knownBy[group][row.applied[knownBy: group], default: 0] += step
        }
    }

    /// Without a default, so that the compiler asks what a new event counts as.
    mutating func count(_ event: RunEvent) {
        switch event {
        case .edge, .edgesLost, .edgeAccepted, .edgeClassified, .frameClassified, .edgesUncounted,
            .triggerTimeout:
            triggers.count(event)
        case .framesSkipped:
            triggers.count(event)
            lateTimestamps.count(event)
        case .settingsWritten(_, _, _, let errno): tally.lockViolations += errno == 0 ? 0 : 1
        case .readBack(_, _, let asked, let found), .lensApproach(_, _, let asked, let found):
            tally.lockViolations += asked == found ? 0 : 1
        case .readBackFailed: tally.unreadSettings += 1
        case .settingContradicted: tally.contradictedSettings += 1
        case .brightnessMismatch(let group, let frames): tally.doubted[group] += frames
        case .settingsLate(let group, let frames): tally.late[group] = frames
        case .controlUnresponsive(let group): tally.unresponsive.append(group)
        case .storageFailed(_, let errno): tally.storageErrno = tally.storageErrno ?? errno
        case .stillMissed:
            tally.stills? -= 1
            tally.missedStills += 1
        case .controlChanged: tally.lockViolations += 1
        case .temperature(let temperature?):
            tally.hottest = max(tally.hottest ?? temperature, temperature)
        case .temperature(nil): tally.unreadTemperatures += 1
        case .outputSet, .outputFailed, .outputSensed, .outputUnsensed: outputs.count(event)
        case .roundLate(_, _, let late):
            tally.lateRounds += 1
            tally.latestRound = max(tally.latestRound, late)
        case .sequenceTimestampMismatch: tally.disputedGaps += 1
        case .gapUnverifiable(let count, _): tally.unverifiableGaps += count
        case .timestampInvalid(_, _, .late): lateTimestamps.count(event)
        case .timestampInvalid(let count, _, _): tally.invalidTimestamps += count
        case .quirkSeen(let quirk, _, let isKnown):
            if !isKnown { tally.unknownQuirks.insert(quirk) }
        case .periodMismatch(_, let expected, let found):
            if tally.periodFound == nil {
                (tally.periodExpected, tally.periodFound) = (expected, found)
            }
        case .earlierTimestampsLate(_, let least):
            tally.unseenDelay = max(tally.unseenDelay, least)
        case .bufferRefused: tally.refusedBuffers += 1
        case .metadataMismatch: metadata.noteMismatch()
        case .framesMissing(let count, _, _): tally.lostFrames += count
        case .frameDamaged: tally.lostFrames += 1
        case .slotRetaken: tally.retakenSlots += 1
        // Rows have what they are about.
        case .settingDoubted, .settingShown: break
        // The ending has it.
        case .recordRecovered: break
        case .writeRepeated, .rateDiffers, .streamStarted, .streamStopped,
            .sequenceJumped, .groupRepeated, .groupPartial, .interrupted,
            .streamFailed, .clockSample, .clockDiscipline:
            break
        case .timestampClock: tally.unexpectedTimestampClocks += 1
        case .cameraClockStepped: tally.cameraClockSteps += 1
        }
    }

    /// The counts so far; edges whose last slot may be still to come count as they stand.
    var total: RunTally {
        var result = tally
        for group in ControlGroup.all {
            result.knownBy[group] = tally.knownBy[group].filter { $0.value != 0 }
        }
        triggers.add(to: &result)
        outputs.add(to: &result)
        metadata.add(to: &result)
        lateTimestamps.add(to: &result)
        return result
    }
}
