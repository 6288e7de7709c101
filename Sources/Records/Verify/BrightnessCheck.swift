internal import Devices
internal import Imaging
internal import Notation
internal import Recipes
internal import Tracking

/// Weighs the brightness of the recorded frames once more, and holds rows and log against what it shows.
///
/// The filter is deterministic, the frames are there, and the log has what was reported of each frame that its row has
/// otherwise: so whatever the run concluded has to come out again. Rows and events that somebody changed together, with
/// all counts and hashes, do not.
///
/// Left out are runs in which something else decides: a camera that sends metadata, a control that another program
/// changed, a period that is not the registers', and frames that share their numbers.
struct BrightnessCheck {
    /// A problem, and the line of the ledger that has it; nil for the log.
    struct Problem {
        let line: Int?
        let text: String
    }

    /// A row as the recorded frames show it.
    struct Settled {
        let row: LedgerRow
        let line: Int
        /// What the log has not of what it lost.
        let missing: [RunEvent]
    }

    /// A frame of which nothing is found yet.
    private struct Waiting {
        let row: LedgerRow
        let line: Int
        /// The row as it was before its pixels were looked at.
        let reported: LedgerRow
    }

    private let names: RunNames
    private var pixels: PixelEvidence
    /// Whether the pictures of this camera can be those of later frames.
    private let canDisplace: Bool
    /// What can't be weighed again.
    private var isLeftOut = false
    /// Frames are missing, so that a row may be without values for that.
    private var mayBeDisplaced = false
    /// A control could not be read or written, or a triggered frame may be of another edge: a row may be without values
    /// for that.
    private var mayBeUnread = false

    /// What the log has of frames, by what was believed of them; exposure in nanoseconds, gain in millionths.
    private var contradicted: [FrameSetting: Int64] = [:]
    private var doubted: [FrameSetting: Int64] = [:]
    private var shown: Set<FrameSetting> = []
    private var unresponsive = PerGroup<Int64>(repeating: 0)
    private var late = PerGroup<Int64>(repeating: 0)
    private var mismatches = PerGroup<Int64>(repeating: 0)

    /// Writes and readings of exposure and gain, and slots that began anew, in the order of the log.
    private var writes: [RunEvent] = []
    /// How many of them have been passed on.
    private var passed = 0
    /// For each of them the first slot that waits for it or for one behind it.
    private var slots: [Int64] = []

    private var waiting: [Int64: Waiting] = [:]
    private var doubtedRows = PerGroup<Int64>(repeating: 0)
    /// Rows that may be without values for their brightness, or since their pictures may be others'.
    private var unclear: Int64 = 0
    private var problems: [Problem] = []

    /// - Parameter tally: the counts of the whole run.
    /// - Returns: nil for a run that has no pixels or sends metadata.
    init?(_ run: RecordedRun, _ tally: RunTally?) {
        guard run.container != nil, !run.names.sendsMetadata,
            let layout = FrameLayout(pixelFormat: run.frames.pixelFormat, size: run.frames.size)
        else { return nil }
        let camera = run.plan.camera
        names = run.names
        mayBeUnread = camera.trigger != nil
        pixels = PixelEvidence(run.plan, layout)
        if let tally { pixels.refute(tally) }
        canDisplace =
            DisplacedPictures(camera.profile, isTriggered: camera.trigger != nil) != nil
    }

    // MARK: The log

    /// Takes the next event; all of them come before the first row.
    mutating func note(_ event: RunEvent) {
        switch event {
        case .settingsWritten(_, _, _, let errno):
            if errno != 0 { mayBeUnread = true }
            writes.append(event)
        case .readBack, .groupRepeated, .slotRetaken, .streamStarted, .streamStopped:
            writes.append(event)
        case .readBackFailed:
            mayBeUnread = true
            writes.append(event)
        case .settingContradicted(let settings, let sequence, let group, let believed, _, _):
            contradicted[FrameSetting(group, settings, sequence)] = believed
            pixels.note(event)
        case .settingDoubted(let settings, let sequence, let group, let believed, _):
            // The first one: what is doubted again was found by pixels in between.
            let frame = FrameSetting(group, settings, sequence)
            doubted[frame] = doubted[frame] ?? believed
        case .settingShown(let settings, let sequence, let group, _):
            shown.insert(FrameSetting(group, settings, sequence))
        case .controlUnresponsive(let group):
            unresponsive[group] += 1
            pixels.note(event)
        case .settingsLate(let group, let frames): late[group] = frames
        case .brightnessMismatch(let group, let frames): mismatches[group] += frames
        case .framesMissing, .sequenceTimestampMismatch, .timestampInvalid:
            mayBeDisplaced = canDisplace
        case .controlChanged, .periodMismatch, .sequenceJumped, .quirkSeen(.sequenceIsStuck, _, _):
            isLeftOut = true
        default: break
        }
    }

    /// To be called once, after the last event.
    mutating func sort() {
        var next = Int64.max
        slots = writes.reversed().map { event in
            switch event {
            case .settingsWritten(_, let slot?, _, 0), .groupRepeated(_, let slot, _),
                .slotRetaken(let slot, _, _):
                next = min(next, slot)
            default: break
            }
            return next
        }
        slots.reverse()
    }

    // MARK: The ledger

    /// Takes the next row.
    ///
    /// - Parameter statistics: of its frame; nil for a hole, and for a frame that can't be read.
    /// - Returns: the rows that are clear now.
    @discardableResult
    mutating func take(
        _ row: LedgerRow, _ statistics: FrameStatistics?, line: Int
    ) -> [Settled] {
        guard !isLeftOut else { return [] }
        passWrites(through: row.slot)
        guard row.reason == nil else {
            pixels.skip(row)
            return []
        }
        guard let statistics, row.deviceSequence != nil else {
            isLeftOut = true
            return []
        }
        let reported = reported(row)
        waiting[row.slot] = Waiting(row: row, line: line, reported: reported)
        var found: [BrightnessFilter.Finding] = []
        let isJudged = pixels.take(reported, statistics) { found.append($0) }
        var settled = found.compactMap { settle($0.name, $0.verdicts) }
        if !isJudged {
            settled += [settle(row.slot, PerGroup(repeating: .unseen))].compactMap { $0 }
        }
        return settled
    }

    /// The rows that were not clear before the last one; to be asked after that.
    @discardableResult
    mutating func settleRest() -> [Settled] {
        guard !isLeftOut else { return [] }
        var found: [BrightnessFilter.Finding] = []
        pixels.finish { found.append($0) }
        return found.compactMap { settle($0.name, $0.verdicts) }
    }

    /// Whether what was taken so far can be weighed again.
    var isWeighing: Bool { !isLeftOut }

    /// What the log has not of the run as a whole; to be asked after ``settleRest()``.
    var missingAtEnd: [RunEvent] {
        guard !isLeftOut else { return [] }
        let groups = PixelEvidence.groups
        return groups.filter { pixels.unresponsive.has($0) && unresponsive[$0] == 0 }
            .map { .controlUnresponsive($0) }
            + groups.filter { pixels.late[$0] != late[$0] }
            .map { .settingsLate($0, frames: pixels.late[$0]) }
            + groups.filter { doubtedRows[$0] > mismatches[$0] }
            .map { .brightnessMismatch($0, frames: doubtedRows[$0] - mismatches[$0]) }
    }

    /// What is wrong with rows and log by then; to be asked after the last row.
    mutating func finish() -> [Problem] {
        guard !isLeftOut else { return [] }
        settleRest()
        for group in PixelEvidence.groups {
            if pixels.late[group] != late[group] {
                add(
                    "settings-late has \(late[group].of("frame")) of \(group.words),"
                        + " the recorded frames show \(pixels.late[group])")
            }
            if unresponsive[group] != (pixels.unresponsive.has(group) ? 1 : 0) {
                add("control-unresponsive of \(group.words) is not what the recorded frames show")
            }
            if !(doubtedRows[group]...doubtedRows[group] + unclear).contains(mismatches[group]) {
                add(
                    "brightness-mismatch has \(mismatches[group].of("frame")) of \(group.words),"
                        + " the recorded frames show \(doubtedRows[group])")
            }
        }
        return problems
    }

    /// Passes on what was written before a row came: all up to the last write that it may have waited for.
    private mutating func passWrites(through slot: Int64) {
        while passed < writes.count, slots[passed] <= slot { passNext() }
        // What was read after the last one.
        while passed > 0, passed < writes.count {
            switch writes[passed] {
            case .readBack, .readBackFailed: passNext()
            default: return
            }
        }
    }

    private mutating func passNext() {
        pixels.note(writes[passed])
        passed += 1
    }

    private func frame(_ group: ControlGroup, of row: LedgerRow) -> FrameSetting {
        FrameSetting(group, row.settings, row.deviceSequence ?? 0)
    }

    /// A row as it was before its pixels were looked at.
    private func reported(_ row: LedgerRow) -> LedgerRow {
        var reported = row
        for group in ControlGroup.all {
            let frame = frame(group, of: row)
            if shown.contains(frame) {
                reported.applied[group] = nil
            } else if let believed = contradicted[frame] ?? doubted[frame] {
                reported.applied[group] = believed
            }
            if reported.applied[group] != nil {
                reported.applied[knownBy: group] = .readBack
            }
        }
        return reported
    }

    /// A row that may be without values for its picture is as it was, but for what pixels of others refute.
    ///
    private mutating func settle(_ slot: Int64, _ found: PerGroup<PixelVerdict>) -> Settled? {
        guard let one = waiting.removeValue(forKey: slot) else { return nil }
        if isDisplaced(one) {
            unclear += 1
            var row = one.row
            pixels.withdraw(late: late, from: &row)
            return settled(one, row, [], from: one.row)
        }
        var verdicts = found
        // What was contradicted as it was written is not believed again.
        for group in PixelEvidence.groups
        where contradicted[frame(group, of: one.row)] != nil && !found[group].isContradicted {
            verdicts[group] = .doubted
        }
        for group in PixelEvidence.groups
        where verdicts[group] == .doubted && one.reported.applied[group] != nil {
            doubtedRows[group] += 1
        }
        var expected = one.reported
        let events = pixels.apply(verdicts, to: &expected)
        let shown = expected
        pixels.withdraw(late: late, from: &expected)
        for group in ControlGroup.all {
            let (own, other) = (text(one.row, group), text(expected, group))
            if own != other {
                add("\(group.words) is \(own), and \(other) by the recorded frames", one.line)
            }
        }
        for group in PixelEvidence.groups where isUnexplained(one, group) {
            add("\(group.words) is not known, and no event says why", one.line)
        }
        for event in events where !isLogged(event) {
            add("\(EventName(event).rawValue) of this frame is missing in the log", one.line)
        }
        return settled(one, expected, events, from: shown)
    }

    /// A row as it is in the end, with what the log has not of it.
    ///
    /// - Parameter shown: the row before it lost what the camera's word alone is no evidence of.
    private func settled(
        _ one: Waiting, _ row: LedgerRow, _ events: [RunEvent], from shown: LedgerRow
    ) -> Settled {
        let missing = (events + shown.doubts(leaving: row)).filter { !isLogged($0) }
        return Settled(row: row, line: one.line, missing: missing)
    }

    /// Whether a row has no value, though one was read back, and nothing was found against it.
    private func isUnexplained(_ one: Waiting, _ group: ControlGroup) -> Bool {
        guard !mayBeUnread, !mayBeDisplaced, one.reported.applied[group] == nil,
            let component = group.component, !shown.contains(frame(group, of: one.row))
        else { return false }
        return names.quantised[Int(one.row.settings)].asked(component) != nil
    }

    /// Whether a row may be without values since its picture may be another frame's.
    private func isDisplaced(_ one: Waiting) -> Bool {
        mayBeDisplaced
            && PixelEvidence.groups.allSatisfy { one.row.applied[$0] == nil }
            && PixelEvidence.groups.contains { doubted[frame($0, of: one.row)] != nil }
    }

    private func isLogged(_ event: RunEvent) -> Bool {
        switch event {
        case .settingContradicted(let settings, let sequence, let group, _, _, _):
            return contradicted[FrameSetting(group, settings, sequence)] != nil
        case .settingDoubted(let settings, let sequence, let group, _, _):
            let frame = FrameSetting(group, settings, sequence)
            return doubted[frame] != nil || contradicted[frame] != nil
        case .settingShown(let settings, let sequence, let group, _):
            return shown.contains(FrameSetting(group, settings, sequence))
        default: return true
        }
    }

    private func text(_ row: LedgerRow, _ group: ControlGroup) -> String {
        row.applied[group].map { "\($0) by \(row.applied[knownBy: group].rawValue)" }
            ?? "not known"
    }

    private mutating func add(_ text: String, _ line: Int? = nil) {
        problems.append(Problem(line: line, text: text))
    }
}
