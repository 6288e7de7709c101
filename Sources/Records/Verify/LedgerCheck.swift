internal import Devices
internal import Imaging
internal import Recipes
internal import Timebase

/// Holds each row of the ledger against the plan, the events, the frames and the rows before it.
///
/// The plan is walked along with the rows, so each row is held against the slot that has its turn there.
struct LedgerCheck {
    private static let file = "ledger.csv"

    private let run: RecordedRun
    private let program: [Instruction]
    private let frames: (any FrameReader)?
    /// Counts rows too, so that its tally is of both files.
    private var events: EventCheck
    /// The files that the rows promise.
    private(set) var checksums: ChecksumCheck
    private var cursor = PlanCursor()
    private var sequence: SequenceCheck
    /// Problems of the container that were reported; each is reported once.
    private var broken: Set<FrameProblem> = []

    init(_ run: RecordedRun, _ events: EventCheck) {
        self.run = run
        program = run.names.program
        self.events = events
        checksums = ChecksumCheck(run)
        sequence = SequenceCheck(isWhole: run.isWhole)
        frames = run.openFrames()
    }

    /// Reads the whole ledger.
    ///
    /// To be called once.
    ///
    /// - Returns: the counts of rows and events.
    /// - Throws: ``StorageError`` if the ledger can't be read; whatever is wrong with rows goes into the report.
    mutating func read(_ report: inout VerificationReport) throws(StorageError) -> RunTally {
        let reader = try LedgerReader(run.folder.ledger, run.names, upTo: events.ledgerEnd)
        while let item = try reader.next() {
            switch item {
            case .entry(let entry, let line): check(entry, line, &report)
            case .fault(let message, let line):
                report.add(Self.file, line: line, message)
                // The row's place in the plan is taken all the same.
                _ = nextSlot(line, &report)
            case .cut(let line):
                if run.manifest.state == .finalised {
                    report.add(Self.file, line: line, "the line is cut short")
                }
            }
        }
        if run.manifest.state == .finalised {
            let missing = nextSlot(nil, &report, isRest: true)
            if let missing, !run.names.isEndless {
                report.add(Self.file, "the rows from slot \(missing.number) on are missing")
            }
            for problem in run.isWhole ? events.rest : [] { report.add("events.jsonl", problem) }
            for problem in events.finishWeighing() {
                let file = problem.line == nil ? "events.jsonl" : Self.file
                report.add(file, line: problem.line, problem.text)
            }
        }
        return events.counter.total
    }

    /// Everything that one row has to agree with.
    private mutating func check(
        _ entry: LedgerEntry, _ line: Int, _ report: inout VerificationReport
    ) {
        let row = entry.row
        if let last = row.lastSlot { return checkNotReached(entry, through: last, line, &report) }
        report.slots += 1
        events.count(entry)
        checksums.note(row, isMissed: events.missedStills.contains(row.slot))
        let planned = nextSlot(line, &report)
        if let planned {
            checkPlan(entry, planned, line, &report)
        } else {
            report.add(Self.file, line: line, "slot \(row.slot) is not in the plan")
        }
        checkTrigger(row, line, &report)
        var problems = sequence.problems(row, events)
        problems += [events.missing(before: row)].compactMap { $0 }
        if row.reason == nil { problems += events.problems(ofFrame: row) }
        problems += events.engine?.problems(row, lights: planned?.lights ?? 0) ?? []
        for problem in problems {
            report.add(Self.file, line: line, problem)
        }
        events.weigh(row, checkPixels(entry, line, &report), line: line)
    }

    /// The slots that had no turn are all the rest of the plan.
    private mutating func checkNotReached(
        _ entry: LedgerEntry, through last: Int64, _ line: Int, _ report: inout VerificationReport
    ) {
        let row = entry.row
        events.count(entry)
        // What was written ahead for it counts too.
        events.weigh(row, nil, line: line)
        guard let planned = nextSlot(line, &report, isRest: true) else {
            return report.add(Self.file, line: line, "slot \(row.slot) is not in the plan")
        }
        checkPlan(entry, planned, line, &report)
        if last != program.numberedSlots - 1 {
            report.add(
                Self.file, line: line,
                "the last slot is \(last), the plan's is \(program.numberedSlots - 1)")
        }
        cursor.skipAll(of: program.count)
    }

    /// Walks the plan to its next slot, past everything else, which has its events; nil at its end.
    ///
    /// - Parameter isRest: whether no row follows that had its turn.
    private mutating func nextSlot(
        _ line: Int?, _ report: inout VerificationReport, isRest: Bool = false
    ) -> PlanSlot? {
        let program = program
        while true {
            let operation = cursor.next(in: program.span)
            switch operation {
            case .slot(let slot): return slot
            case .end: return nil
            default:
                if let problem = events.pass(operation, isRest: isRest) {
                    report.add(Self.file, line: line, problem)
                }
            }
        }
    }

    /// Number, step, settings, lights and rounds are the plan's.
    private func checkPlan(
        _ entry: LedgerEntry, _ planned: PlanSlot, _ line: Int, _ report: inout VerificationReport
    ) {
        let row = entry.row
        if row.slot != planned.number {
            report.add(
                Self.file, line: line, "the row is slot \(row.slot), expected \(planned.number)")
        }
        if row.step != planned.step {
            report.add(
                Self.file, line: line,
                "the step is `\(run.names.steps[Int(row.step)])`, "
                    + "the plan has `\(run.names.steps[Int(planned.step)])`")
        }
        if row.settings != planned.settings {
            report.add(
                Self.file, line: line,
                "the settings are \(row.settings), the plan has \(planned.settings)")
        }
        let place = SlotPlace(lights: planned.lights, rounds: cursor.rounds)
        if entry.place != place {
            report.add(
                Self.file, line: line, "lights and rounds are not those that the plan has there")
        }
    }

    /// A row without a trigger has nothing to be held against here.
    private func checkTrigger(
        _ row: LedgerRow, _ line: Int, _ report: inout VerificationReport
    ) {
        guard let trigger = row.trigger else { return }
        for problem in TriggerCheck.problems(row, trigger, run.names, events) {
            report.add(Self.file, line: line, problem)
        }
    }

    /// A frame's row has its pixels, a hole's has none.
    ///
    /// Where the container has a frame it is read, and hashed and measured again.
    ///
    /// - Returns: what was measured; nil for a hole, and for a frame that is not the row's.
    private mutating func checkPixels(
        _ entry: LedgerEntry, _ line: Int, _ report: inout VerificationReport
    ) -> FrameStatistics? {
        let slot = entry.row.slot
        if run.manifest.keepsPixels, entry.row.reason == nil, entry.crc32c == nil {
            report.add(Self.file, line: line, "a frame has a crc32c")
            return nil
        }
        if !run.manifest.keepsPixels, entry.crc32c != nil {
            report.add(Self.file, line: line, "a record without pixels has no crc32c")
        }
        if entry.row.reason != nil,
            entry.lumaMeanThousandths != nil || entry.saturatedMillionths != nil
        {
            report.add(Self.file, line: line, "a hole has no luma_mean and no saturated_fraction")
        }
        guard slot >= 0, let frames else { return nil }
        var found = frames.read(slot: slot)
        // A run that goes on may have written its index since.
        if run.manifest.state == .running, entry.row.reason == nil, found != .frame {
            found = frames.read(slot: slot, isFresh: true)
        }
        switch (found, entry.row.reason) {
        // A cut may have left a shard that no row speaks of yet.
        case (.broken, .some) where run.manifest.state == .running: break
        case (.broken(let problem), _):
            // One damaged index is one problem, not one for each of its slots.
            if broken.insert(problem).inserted {
                report.add("\(run.container?.path ?? "")/\(problem.file)", problem.message)
            }
        case (.missing, nil):
            report.add(Self.file, line: line, "the frame of slot \(slot) is missing")
        case (.frame, .some):
            report.add(Self.file, line: line, "slot \(slot) is a hole and has a frame")
        case (.missing, .some): break
        case (.frame, nil):
            report.frames += 1
            return compare(entry, frames, line, &report)
        }
        return nil
    }

    /// The checksum first: a frame that is not the recorded one has other brightness too, which would show less.
    private func compare(
        _ entry: LedgerEntry, _ frames: any FrameReader, _ line: Int,
        _ report: inout VerificationReport
    ) -> FrameStatistics? {
        let measure = frames.withFrame {
            FrameBrightness(of: $0, format: run.frames.pixelFormat, size: run.frames.size)
        }
        let found = LedgerEntry(entry.row, at: entry.place, measure: measure)
        if found.crc32c != entry.crc32c {
            report.add(
                Self.file, line: line,
                "the frame of slot \(entry.row.slot) has another CRC-32C than the row")
            return nil
        }
        if found != entry {
            report.add(
                Self.file, line: line, "luma_mean or saturated_fraction is not the frame's")
        }
        return measure.statistics
    }
}
