internal import Devices
internal import Imaging
internal import Recipes
public import Timebase

/// Writes the folder of one run, slot by slot, so that it can be read at any moment.
///
/// Called from one thread, and it need not be quick: nothing of it belongs on the capture thread. Times are passed in.
/// What was appended can be read by others after the next flush, which ``flushIfDue(at:)`` does once a second and every
/// 64 frames; it is to be called after every append and, while nothing comes, several times a second.
public final class RunRecord {
    /// What became of a frame.
    public enum FrameResult: Hashable, Sendable {
        /// It is written.
        case recorded
        /// It could not be written: its slot is a hole now, and the event is in the log.
        case storageFailed(StorageError)
    }

    /// How long anything appended waits for its flush, and how many frames do: what a power cut may cost at most.
    static let window = (time: Interval.milliseconds(900), frames: 64)

    /// The folder.
    public let folder: RunFolder
    /// Bytes of memory that a frame needs to be written, at an address that is a multiple of 4096.
    public var paddedFrameByteCount: Int {
        store?.paddedFrameByteCount ?? FrameContainer.paddedByteCount(1)
    }
    /// Whether frames are recorded with their pixels.
    public var keepsPixels: Bool { store != nil }
    /// The counts so far.
    public var tally: RunTally { counter.total }
    /// The slot that the next row must have.
    public private(set) var nextSlot: Int64 = 0

    /// What is known of the run.
    public let description: RunDescription
    /// Where stills go; nil if the plan asks for none.
    public let stills: StillFolder?
    private let manifest: Manifest
    /// While it is held nobody takes the run for one that was cut; nil where the file system knows no locks.
    private let lock: FolderLock?
    /// Whether a flush waits for the disk.
    private let isDurable: Bool
    /// The container of the frames; nil for a record without their pixels.
    package let container: FrameContainer?
    private let store: (any FrameStore)?
    /// Rows, in the order of slots.
    private let ledger: AppendFile
    private let names: RunNames
    let events: AppendFile
    /// What is written when the run ends, with its room; none where a flush does not wait for the disk.
    private var prepared: EndOfRecord?
    private let eventLog: EventLog
    /// Being stopped is the end that such a plan has.
    private let isEndless: Bool
    /// Counts rows as they leave ``held``, and events as they come.
    private var counter: TallyCounter
    /// Rows that are not yet clear; the ledger gets them from here alone.
    private var held: HeldRows
    private var places: SlotPlaces
    /// Rows that left otherwise than they should have, by slot; written at the end.
    private var revised: [Int64: LedgerEntry] = [:]
    /// The latest session time that was passed in; only grows.
    private var latest = Instant<Session>(nanoseconds: 0)
    /// Relations so far, for the manifest.
    private var clocks: RunClocks
    private var lastFlush = Instant<Session>(nanoseconds: 0)
    /// Frames that were written since.
    private var unflushedFrames = 0

    /// Starts the record in a new, empty folder: recipe, plan, empty ledger and log, manifest in the state `running`.
    ///
    /// - Parameters:
    ///   - folder: as ``RunFolder/create(at:)`` made it.
    ///   - description: what is known of the run.
    ///   - isDurable: whether a flush waits for the disk, so that a power cut costs at most a second or 64 frames, and
    ///     room is kept for ledger, log and manifest. Runs in virtual time do without: their seconds are shorter than a
    ///     disk's.
    ///   - keepsPixels: whether frames come with their pixels; if not, the folder has no `frames.zarr` and states that.
    /// - Throws: ``StorageError``; what was made of the folder stays.
    public init(
        in folder: RunFolder, _ description: RunDescription, isDurable: Bool = true,
        keepsPixels: Bool = true
    ) throws(StorageError) {
        self.folder = folder
        self.description = description
        self.isDurable = isDurable
        lock = try? FolderLock(folder)
        let names = RunNames(description.plan)
        let layout = description.accepted.layout
        let slots = PlanEstimate(description.plan, bytesPerFrame: 0).slots
        isEndless = slots == nil
        manifest = Manifest(
            description, recipeDigest: FileDigest(of: description.recipe), plannedSlots: slots,
            keepsPixels: keepsPixels)
        try WholeFile.create(folder.recipe, description.recipe, isDurable: isDurable)
        try WholeFile.create(folder.plan, isDurable: isDurable) { take throws(StorageError) in
            try description.plan.writeFile(take)
        }
        ledger = try AppendFile(creating: folder.ledger, reserving: isDurable)
        self.names = names
        events = try AppendFile(creating: folder.events, reserving: isDurable)
        eventLog = EventLog(names)
        counter = TallyCounter(names, description.plan.require)
        let camera = description.plan.camera
        places = SlotPlaces(description.plan.program)
        held = HeldRows(
            PixelEvidence(description.plan, layout),
            DisplacedPictures(camera.profile, isTriggered: camera.trigger != nil))
        clocks = RunClocks(
            names, cameraTicksPerSecond: description.accepted.cameraTicksPerSecond,
            resolution: description.clockResolution)
        container = keepsPixels ? .of(description.plan.output.format) : nil
        store = try container?.create(
            "\(folder.path)/\(container?.path ?? "")",
            FrameSeries(description.plan, description.accepted, names, slots: slots), isDurable)
        stills =
            description.plan.stills.isEmpty || !keepsPixels
            ? nil : try StillFolder(creating: folder, isDurable: isDurable)
        ledger.append { $0.append(contentsOf: "\(LedgerColumn.header)\n".utf8) }
        try ledger.write()
        if isDurable { try ledger.sync() }
        // Last and whole: where there is a manifest, everything else of a run has begun too.
        try WholeFile.replace(folder.manifest, manifest.bytes(), isDurable: isDurable)
        if isDurable { try WholeFile.syncFolders(above: folder.manifest, levels: 2) }
        prepared = isDurable ? EndOfRecord(folder) : nil
    }

    /// Appends a slot with its frame.
    ///
    /// - Parameters:
    ///   - row: the slot's row, without a reason.
    ///   - measure: what was measured on exactly these bytes.
    ///   - bytes: the frame in the record's layout; ``paddedFrameByteCount`` bytes, at a multiple of 4096.
    ///   - time: the present, for the log.
    public func append(
        frame row: LedgerRow, measure: FrameBrightness, bytes: UnsafeRawBufferPointer,
        at time: Instant<Session>
    ) -> FrameResult {
        precondition(row.reason == nil, "a frame has no reason to be a hole")
        precondition(keepsPixels, "the record was made for frames without pixels")
        do {
            try store?.write(slot: row.slot, bytes: bytes)
        } catch {
            append(refused: row, errno: error.errno, at: time)
            return .storageFailed(error)
        }
        latest = max(latest, time)
        unflushedFrames += 1
        append(entry(row, measure), measure.statistics)
        return .recorded
    }

    /// Appends a slot whose frame the disk refused: it is a hole, and the event is in the log.
    public func append(refused row: LedgerRow, errno: Int32, at time: Instant<Session>) {
        var hole = row
        hole.reason = .storageFailed
        append(hole: hole)
        append(.storageFailed(slot: row.slot, errno: errno), at: time)
    }

    /// Appends a slot with its frame, in a record that keeps no pixels.
    public func append(frameWithoutPixels row: LedgerRow) {
        precondition(!keepsPixels && row.reason == nil, "a frame has its pixels, if any has")
        append(entry(row, nil))
    }

    /// Appends a slot without its frame.
    public func append(hole row: LedgerRow) {
        append(entry(row, nil))
    }

    /// Appends an event that was handled at a time.
    ///
    /// - Parameters:
    ///   - event: what happened.
    ///   - time: session time at which it was handled; the log is in the order of calls, not of times.
    public func append(_ event: RunEvent, at time: Instant<Session>) {
        latest = max(latest, time)
        counter.count(event)
        clocks.note(event)
        held.note(event)
        events.append { eventLog.write(event, at: time, to: &$0) }
    }

    /// Makes everything so far readable, if the last time was long enough ago or much waits.
    ///
    /// - Throws: ``StorageError`` if the disk refuses; nothing is lost by that yet, the next call tries again.
    public func flushIfDue(at time: Instant<Session>) throws(StorageError) {
        guard
            time - lastFlush >= Self.window.time || unflushedFrames >= Self.window.frames
                || ledger.isFull || events.isFull
        else { return }
        latest = max(latest, time)
        release(at: latest)
        // The next attempt after a failure is due a second later, not at once.
        (lastFlush, unflushedFrames) = (time, 0)
        try flush()
    }

    /// Makes everything so far readable, if much waits: for runs whose seconds mean nothing to a reader.
    ///
    /// - Throws: ``StorageError`` if the disk refuses; nothing is lost by that yet, the next call tries again.
    public func flushIfFull() throws(StorageError) {
        if ledger.isFull || events.isFull { try flush() }
    }

    /// Makes everything so far readable.
    ///
    /// What is spoken of comes first, so that neither a reader nor a power cut finds a row without its frame and its
    /// events, or an index without its frames.
    public func flush() throws(StorageError) {
        try store?.sync()
        try store?.flush()
        try events.write()
        if isDurable {
            try store?.sync()
            try events.sync()
        }
        try ledger.write()
        if isDurable { try ledger.sync() }
        prepared?.reserve(ledger.written)
    }

    /// Ends the record: the verdict, the manifest in the state `finalised`, the checksums.
    ///
    /// - Parameters:
    ///   - ending: how the run ended.
    ///   - time: when it ended.
    ///   - realtime: how realtime read then.
    /// - Throws: ``StorageError``; the folder then stays in the state `running`. It may be called again, which helps
    ///   against a full disk and not against one that lost what it was given: a failed sync stays failed.
    public func finish(
        _ ending: RunEnding, at time: Instant<Monotonic>,
        realtime: ClockRelation<Monotonic, Realtime>
    ) throws(StorageError) -> Judgement {
        held.finish()
        release(at: nil)
        for group in ControlGroup.all where held.unresponsive.has(group) {
            append(.controlUnresponsive(group), at: latest)
        }
        let late = held.late
        for group in ControlGroup.all where late[group] > 0 {
            append(.settingsLate(group, frames: late[group]), at: latest)
        }
        for group in ControlGroup.all where held.doubted[group] > 0 {
            append(.brightnessMismatch(group, frames: held.doubted[group]), at: latest)
        }
        held.refute(tally)
        // First, since it gives space back.
        try store?.finish(slots: tally.namedSlots)
        try flush()
        try revise(late: late)
        try stills?.finish()
        for file in [ledger, events] { try file.releaseRoom() }
        for file in [ledger, events] where file.lostByteCount > 0 {
            // ENOSPC: the only way to lose bytes is a disk that refused for long.
            throw StorageError("complete", path: file.path, errno: 28)
        }
        let judgement = Judgement(
            tally, ending: ending, isEndless: isEndless, limits: description.plan.require)
        let text = manifest.ended(at: time, realtime, host: description.hostAtEnd?()).bytes(
            Manifest.Outcome(ending, judgement, tally, clocks: clocks.relations))
        // The manifest states that all is done, so it comes last.
        try WholeFile.replace(
            folder.checksums, by: prepared?.takeChecksums(), try checksums(text),
            isDurable: isDurable)
        try WholeFile.replace(
            folder.manifest, by: prepared?.takeManifest(), text, isDurable: isDurable)
        prepared?.discardRest()
        return judgement
    }

    private func entry(_ row: LedgerRow, _ measure: FrameBrightness?) -> LedgerEntry {
        LedgerEntry(row, at: places.of(slot: row.slot) ?? SlotPlace(), measure: measure)
    }

    /// - Precondition: the entry's slot is ``nextSlot``: a slot that is missing or comes twice is a fault of the
    ///   engine.
    private func append(_ entry: LedgerEntry, _ statistics: FrameStatistics? = nil) {
        precondition(entry.row.slot == nextSlot, "every slot ends once, in the order of numbers")
        if entry.row.lastSlot == nil { nextSlot += 1 }
        held.add(entry, statistics, at: latest)
        release(at: latest)
    }

    /// Writes down the rows that wait no longer; all of them at the end.
    private func release(at time: Instant<Session>?) {
        while let next = held.next(at: time) {
            for event in next.events { append(event, at: latest) }
            counter.count(next.entry, isOpen: next.isOpen)
            ledger.append { LedgerTable.shared.write(next.entry, names, to: &$0) }
        }
        for revision in held.takeRevisions() {
            for event in revision.events { append(event, at: latest) }
            counter.revise(revision.before.row, to: revision.after.row)
            guard revision.before != revision.after else { continue }
            revised[revision.after.row.slot] = revision.after
        }
    }

    /// Puts rows right that left before it was known what their pictures show, and what the camera's word is worth.
    ///
    /// - Parameter late: how many frames the camera was late with each group over the whole run; no row has it then.
    private func revise(late: PerGroup<Int64>) throws(StorageError) {
        let isWithdrawing = late != PerGroup(repeating: 0) || held.isRefuted
        guard !revised.isEmpty || isWithdrawing else { return }
        // Counts change with the file: where the disk refuses the new one, the old rows stand.
        var revisedCounter = counter
        var slot: Int64 = -1  // the header
        try ledger.rewrite(by: prepared?.takeLedger(), isDurable: isDurable) {
            line, bytes throws(StorageError) in
            // What rows lose has its events before the ledger is replaced, however many these are.
            if events.isFull { try events.write() }
            let known = slot < 0 ? nil : revised[slot]
            let entry =
                isWithdrawing && slot >= 0 ? withdrawn(known, line, late, &revisedCounter) : known
            if let entry {
                LedgerTable.shared.write(entry, names, to: &bytes)
            } else {
                bytes.append(contentsOf: line)
                bytes.append(UInt8(ascii: "\n"))
            }
            slot += 1
        }
        counter = revisedCounter
        revised = [:]
        // What rows lost just now has its events.
        if isWithdrawing { try flush() }
    }

    /// What stands for a line of the ledger without what is not known any more; nil where it stays.
    ///
    /// - Parameter revision: the row that stands for it already; nil for none.
    private func withdrawn(
        _ revision: LedgerEntry?, _ line: ArraySlice<UInt8>, _ late: PerGroup<Int64>,
        _ counter: inout TallyCounter
    ) -> LedgerEntry? {
        guard
            let entry = revision
                ?? (try? LedgerTable.shared.entry(String(decoding: line, as: UTF8.self), names))
        else { return nil }
        let withdrawn = held.withdrawn(late: late, from: entry)
        for event in entry.row.doubts(leaving: withdrawn.row) { append(event, at: latest) }
        counter.revise(entry.row, to: withdrawn.row)
        return withdrawn == entry ? revision : withdrawn
    }

    /// What `sha256sum -c` reads.
    ///
    /// Those of frames and stills are known by then.
    ///
    /// - Parameter manifestText: of `run.json` as it will be, since the manifest is replaced after the checksums.
    private func checksums(_ manifestText: [UInt8]) throws(StorageError) -> [UInt8] {
        var text = ""
        for name in RunFolder.hashedFiles(container) {
            let digest: FileDigest =
                switch name {
                case "events.jsonl": events.digest
                case "ledger.csv": ledger.digest
                case "plan.json": manifest.planDigest
                case "recipe.yaml": manifest.recipeDigest
                case "run.json": FileDigest(of: manifestText)
                default: try FileDigest.ofFile("\(folder.path)/\(name)")
                }
            text += "\(digest)  \(name)\n"
        }
        for (name, digest) in store?.digests ?? [] {
            text += "\(digest)  \(container?.path ?? "")/\(name)\n"
        }
        text += stills?.checksums ?? ""
        return Array(text.utf8)
    }
}
