internal import Devices
internal import Imaging
internal import Recipes
internal import Timebase

/// The rows of a run that was cut, as its recorded frames show them in the end, and the events that go with that.
///
/// A run puts its rows right when it ends, by what later frames showed; this does the same from the files. Rows are
/// weighed again until nothing changes any more, since what is found of some tells against the camera's word in others.
struct RecoveredRows {
    /// More rounds than any record takes; what would still change then is left to `verify`.
    private static let mostRounds = 8

    private let run: RecordedRun
    private let ends: RecordEnds
    /// Rows that are other ones now, by slot.
    private(set) var corrected: [Int64: LedgerRow] = [:]
    /// Events that the log has not.
    private(set) var additions: [RunEvent] = []
    /// The slots that have frames.
    private(set) var recorded = SlotSet()
    /// The last that is known of the run.
    private(set) var latest = Instant<Session>(nanoseconds: 0)
    /// The row of the slots that have none; nil where all have theirs, and for a plan without an end.
    private(set) var rest: LedgerRow?
    /// Counts of the log and the rows, that one included.
    private(set) var counter: TallyCounter
    private(set) var clocks: RunClocks
    /// Slots with a still of which the log does not say that it is missing, with its format.
    private(set) var stills: [(slot: Int64, format: StillFormat)] = []

    init(_ run: RecordedRun, _ ends: RecordEnds) throws(StorageError) {
        self.run = run
        self.ends = ends
        counter = TallyCounter(run.names, run.plan.require)
        clocks = Self.clocks(run)
        for _ in 0..<Self.mostRounds {
            let before = (corrected, additions.count, counter.total.mostlyDoubted)
            try weigh()
            if before == (corrected, additions.count, counter.total.mostlyDoubted) { break }
        }
    }

    private static func clocks(_ run: RecordedRun) -> RunClocks {
        RunClocks(
            run.names, cameraTicksPerSecond: run.manifest.configuration.cameraTicksPerSecond,
            resolution: run.manifest.clockResolution)
    }

    private mutating func weigh() throws(StorageError) {
        var check = BrightnessCheck(run, counter.total)
        var pixels = pixels()
        var counter = TallyCounter(run.names, run.plan.require)
        var clocks = Self.clocks(run)
        var (missed, doubts): (Set<Int64>, Set<RunEvent>) = ([], [])
        try readLog { event in
            counter.count(event)
            clocks.note(event)
            check?.note(event)
            pixels?.note(event)
            if case .stillMissed(let slot, _) = event { missed.insert(slot) }
            if case .settingDoubted = event { doubts.insert(event) }
        }
        (self.counter, self.clocks) = (counter, clocks)
        check?.sort()
        var (rows, missing) = try settle(&check, missed)
        if check?.isWeighing != true { (rows, missing) = try withdraw(pixels, doubts) }
        corrected = rows
        additions += missing
    }

    private func pixels() -> PixelEvidence? {
        FrameLayout(pixelFormat: run.frames.pixelFormat, size: run.frames.size).map {
            PixelEvidence(run.plan, $0)
        }
    }

    /// The log up to its end, and what was added to it.
    private mutating func readLog(_ take: (RunEvent) -> Void) throws(StorageError) {
        let reader = try EventReader(run.folder.events, run.names, upTo: ends.events)
        while let item = try reader.next() {
            guard case .event(let logged, _) = item else { continue }
            latest = max(latest, logged.time)
            take(logged.event)
        }
        for event in additions { take(event) }
    }

    private func readLedger(_ take: (LedgerEntry, Int) -> Void) throws(StorageError) {
        let reader = try LedgerReader(
            run.folder.ledger, run.names, upTo: ends.ledger, isStrict: false)
        while let item = try reader.next() {
            if case .entry(let entry, let line) = item { take(entry, line) }
        }
    }

    /// Counts the rows, and weighs them again where that is possible.
    ///
    /// - Parameter missed: slots whose stills are missing by the log.
    /// - Returns: the rows that are other ones, and what the log has not.
    private mutating func settle(
        _ check: inout BrightnessCheck?, _ missed: Set<Int64>
    ) throws(StorageError) -> (rows: [Int64: LedgerRow], missing: [RunEvent]) {
        var found = Found()
        var slots = Slots(stillSteps: run.names.stills, missed)
        let frames = run.openFrames()
        var (counter, latest) = (counter, latest)
        try readLedger { entry, line in
            let row = entry.row
            var counted = entry
            counted.row = corrected[row.slot] ?? row
            counter.count(counted)
            slots.note(row)
            if let end = row.exposureTime?.end { latest = max(latest, end) }
            if check?.isWeighing == true { found.note(row, line) }
            let statistics = row.reason == nil ? statistics(entry, frames) : nil
            for settled in check?.take(row, statistics, line: line) ?? [] { found.note(settled) }
        }
        rest = slots.next.flatMap(rest)
        if let rest {
            counter.count(rest)
            // What was written ahead for it counts too.
            for settled in check?.take(rest, nil, line: 0) ?? [] { found.note(settled) }
        }
        for settled in check?.settleRest() ?? [] { found.note(settled) }
        (self.counter, self.latest) = (counter, latest)
        (recorded, stills) = (slots.recorded, slots.stills)
        // Of the run as a whole once its rows are clear.
        let atEnd = found.missing.isEmpty ? check?.missingAtEnd ?? [] : []
        return (found.rows, found.missing + atEnd)
    }

    private func rest(from next: Int64) -> LedgerRow? {
        guard !run.names.isEndless else { return nil }
        let program = run.names.program
        var cursor = PlanCursor()
        while true {
            switch cursor.next(in: program.span) {
            case .slot(let slot) where slot.number == next:
                return LedgerRow(
                    slot: next, step: slot.step, settings: slot.settings, reason: .cut,
                    lastSlot: program.numberedSlots - 1)
            case .end: return nil
            default: continue
            }
        }
    }

    /// What was measured of a frame; nil where the file does not have the frame of the row.
    private func statistics(
        _ entry: LedgerEntry, _ frames: (any FrameReader)?
    ) -> FrameStatistics? {
        guard let frames, frames.read(slot: entry.row.slot) == .frame else { return nil }
        let measure = frames.withFrame {
            FrameBrightness(of: $0, format: run.frames.pixelFormat, size: run.frames.size)
        }
        return measure.crc32c == entry.crc32c ? measure.statistics : nil
    }

    /// Where frames can't be weighed again, rows lose what rests on a word that the log refutes.
    ///
    /// - Parameter doubts: what the log has of that.
    private func withdraw(
        _ pixels: PixelEvidence?, _ doubts: Set<RunEvent>
    ) throws(StorageError) -> (rows: [Int64: LedgerRow], missing: [RunEvent]) {
        var found = Found()
        guard let pixels, !pixels.refuted.isEmpty else { return ([:], []) }
        try readLedger { entry, line in
            guard entry.row.lastSlot == nil, entry.row.reason == nil else { return }
            found.note(entry.row, line)
            var row = entry.row
            pixels.withdraw(late: PerGroup(repeating: 0), from: &row)
            let missing = entry.row.doubts(leaving: row).filter { !doubts.contains($0) }
            found.note(BrightnessCheck.Settled(row: row, line: line, missing: missing))
        }
        return (found.rows, found.missing)
    }

    /// What a round finds.
    private struct Found {
        var rows: [Int64: LedgerRow] = [:]
        var missing: [RunEvent] = []
        /// The rows that are not settled yet, by their lines.
        private var open: [Int: LedgerRow] = [:]

        mutating func note(_ row: LedgerRow, _ line: Int) {
            if row.reason == nil { open[line] = row }
        }

        mutating func note(_ settled: BrightnessCheck.Settled) {
            // Times follow from what was applied, and only once.
            if let row = open.removeValue(forKey: settled.line),
                row.applied != settled.row.applied
            {
                rows[row.slot] = settled.row
            }
            missing += settled.missing
        }
    }

    /// What the rows say of their slots.
    private struct Slots {
        let stillSteps: [Int32: StillFormat]
        let missed: Set<Int64>
        var recorded = SlotSet()
        var next: Int64? = 0
        var stills: [(slot: Int64, format: StillFormat)] = []

        init(stillSteps: [Int32: StillFormat], _ missed: Set<Int64>) {
            (self.stillSteps, self.missed) = (stillSteps, missed)
        }

        mutating func note(_ row: LedgerRow) {
            next = row.lastSlot == nil ? row.slot + 1 : nil
            guard row.reason == nil else { return }
            recorded.insert(row.slot)
            if let format = stillSteps[row.step], !missed.contains(row.slot) {
                stills.append((row.slot, format))
            }
        }
    }
}
