internal import Devices
internal import Recipes
internal import Timebase

/// Writes the end of a record whose run was cut.
///
/// Each file is replaced as a whole, the manifest last: as long as that says `running`, all of it can be done again.
struct RecoveredRecord {
    private let run: RecordedRun
    private let ends: RecordEnds
    private let rows: RecoveredRows
    private var counter: TallyCounter
    private var frames: [(name: String, digest: FileDigest)] = []
    /// What the log gets.
    private var events: [RunEvent]
    private(set) var judgement = Judgement.notFinalised

    /// Frames that were there without a row.
    private(set) var unrecordedFrames: Int64 = 0
    /// Bytes of unfinished lines.
    private(set) var cutByteCount: Int64 = 0

    init(_ run: RecordedRun, _ ends: RecordEnds) throws(StorageError) {
        self.run = run
        self.ends = ends
        rows = try RecoveredRows(run, ends)
        (counter, events) = (rows.counter, [])
        if let mark = ends.mark {
            (unrecordedFrames, cutByteCount) = (mark.frames, mark.bytes)
        } else {
            (unrecordedFrames, cutByteCount) = (try countUnrecorded(), ends.cut)
        }
        // The log comes first, so that what is taken out is told, and told once; and this first of all that it gets.
        if !ends.isMarked {
            note(.recordRecovered(frames: unrecordedFrames, bytes: cutByteCount))
        }
        events += rows.additions
        let stills = stills()
        try writeLog()
        try recoverFrames()
        try writeLedger()
        try finish(stills)
    }

    private func countUnrecorded() throws(StorageError) -> Int64 {
        guard let container = run.container, let path = run.framesPath else { return 0 }
        return try container.unrecorded(path, run.frames, rows.recorded)
    }

    private mutating func note(_ event: RunEvent) {
        counter.count(event)
        events.append(event)
    }

    private mutating func recoverFrames() throws(StorageError) {
        guard let container = run.container, let path = run.framesPath else { return }
        frames = try container.recover(
            path, run.frames, rows.recorded, counter.total.namedSlots)
    }

    /// The stills that are there, for `checksums`; what is missing of them is noted.
    private mutating func stills() -> [String] {
        var files: [String] = []
        // What was not written to its end, and what is of a frame without a row.
        let recorded = Set(rows.stills.map { StillFolder.name(slot: $0.slot, $0.format) })
        for name in (try? Folder.names(in: run.folder.stills)) ?? []
        where !recorded.contains(name) {
            WholeFile.remove("\(run.folder.stills)/\(name)")
        }
        for still in rows.stills {
            let name = "stills/\(StillFolder.name(slot: still.slot, still.format))"
            if WholeFile.exists("\(run.folder.path)/\(name)") {
                files.append(name)
            } else {
                note(.stillMissed(slot: still.slot, errno: 0))
            }
        }
        return files
    }

    private func writeLog() throws(StorageError) {
        let log = EventLog(run.names)
        try rewrite(run.folder.events, upTo: ends.events) { text in
            for event in events { log.write(event, at: rows.latest, to: &text) }
        }
    }

    private func writeLedger() throws(StorageError) {
        let corrected = rows.corrected
        try rewrite(run.folder.ledger, upTo: ends.ledger) { line in
            guard !corrected.isEmpty,
                var entry = try? LedgerTable.shared.entry(line.text, run.names),
                let row = corrected[entry.row.slot]
            else { return nil }
            entry.row = row
            return LedgerTable.shared.line(entry, run.names)
        } adding: { text in
            guard let rest = rows.rest else { return }
            var places = SlotPlaces(run.names.program)
            let entry = LedgerEntry(
                rest, at: places.of(slot: rest.slot) ?? SlotPlace(), measure: nil)
            text += LedgerTable.shared.line(entry, run.names)
        }
    }

    /// Replaces a text file, line by line.
    ///
    /// - Parameters:
    ///   - end: of what is kept.
    ///   - change: what stands for a line, with its line end; nil for the line as it is.
    ///   - add: appends what comes behind the last line.
    private func rewrite(
        _ path: String, upTo end: Int64,
        _ change: (LineReader.Line) -> [UInt8]? = { _ in nil },
        adding add: (inout [UInt8]) -> Void
    ) throws(StorageError) {
        let reader = try LineReader(path, upTo: end)
        try WholeFile.replace(path) { take throws(StorageError) in
            var bytes: [UInt8] = []
            while let line = try reader.next() {
                bytes += change(line) ?? line.bytes + [UInt8(ascii: "\n")]
                guard bytes.count >= 1 << 20 else { continue }
                try take(bytes)
                bytes.removeAll(keepingCapacity: true)
            }
            add(&bytes)
            try take(bytes)
        }
    }

    /// The verdict, the checksums, and the manifest that says that all is done.
    private mutating func finish(_ stills: [String]) throws(StorageError) {
        let tally = counter.total
        judgement = Judgement(
            tally, ending: .cut, isEndless: run.names.isEndless, limits: run.plan.require)
        let duration = rows.latest - Instant(nanoseconds: 0)
        let manifest = run.manifest.recovered(duration).bytes(
            Manifest.Outcome(.cut, judgement, tally, clocks: rows.clocks.relations))
        try WholeFile.replace(run.folder.checksums, try checksums(manifest, stills))
        try WholeFile.replace(run.folder.manifest, manifest)
    }

    private func checksums(
        _ manifest: [UInt8], _ stills: [String]
    ) throws(StorageError) -> [UInt8] {
        var text = ""
        for name in RunFolder.hashedFiles(run.container) {
            let digest =
                name == "run.json"
                ? FileDigest(of: manifest) : try FileDigest.ofFile("\(run.folder.path)/\(name)")
            text += "\(digest)  \(name)\n"
        }
        for (name, digest) in frames {
            text += "\(digest)  \(run.container?.path ?? "")/\(name)\n"
        }
        for name in stills {
            text += "\(try FileDigest.ofFile("\(run.folder.path)/\(name)"))  \(name)\n"
        }
        return Array(text.utf8)
    }
}

extension LedgerTable {
    /// An entry's line, with its line end.
    fileprivate func line(_ entry: LedgerEntry, _ names: RunNames) -> [UInt8] {
        var bytes: [UInt8] = []
        write(entry, names, to: &bytes)
        return bytes
    }
}
