public import Devices
public import Notation
public import Recipes
public import Timebase

/// A run folder that is read once from its beginning to its end, for who computes something from it.
///
/// A run that still goes on, or was cut, is read as far as it is there.
public struct RunReading {
    private let run: RecordedRun

    /// Opens a run.
    ///
    /// - Parameter path: the run's folder.
    /// - Throws: ``UnreadableRun``.
    public init(_ path: String) throws(UnreadableRun) {
        run = try RecordedRun(RunFolder(path: path))
    }

    init(_ run: RecordedRun) { self.run = run }

    /// The folder.
    public var folder: RunFolder { run.folder }
    /// `run.json`.
    public var manifest: JSONValue { run.manifest }
    /// The limits of the verdict.
    public var limits: Requirements { run.plan.require }
    /// The recipe's name.
    public var name: String { run.plan.name }
    /// Paths of the plan's steps; rows point into them.
    public var steps: [String] { run.names.steps }
    /// Names of the plan's lines.
    public var lines: [String] { run.names.lines }
    /// Each set of settings as the recipe asks for it.
    public var requested: [FrameSettings] { run.names.requested }
    /// Each set of settings as the device was to have it.
    public var quantised: [FrameSettings] { run.names.quantised }
    /// Whether a line exposes the camera, so that its frames come when edges do.
    public var isTriggered: Bool { run.names.triggerLine != nil }
    /// Whether frames were recorded with their pixels.
    public var keepsPixels: Bool { run.keepsPixels }
    /// Slots of a plan that ends; nil for an endless one.
    public var plannedSlots: Int64? { run.plannedSlots }
    /// The zero of session time; nil if the manifest has none.
    public var epoch: Instant<Monotonic>? {
        manifest["session"]?["epoch_ns"]?.integerValue.map { Instant(nanoseconds: $0) }
    }

    /// What a reading came to.
    public struct Result: Hashable, Sendable {
        /// The counts of everything that was read.
        public var tally: RunTally
        /// Lines of the ledger and the log that could not be read and were passed over.
        public var faults: Int64
    }

    /// Reads the event log, then the ledger, each from the beginning.
    ///
    /// - Parameters:
    ///   - event: takes each event with the session time at which it was handled.
    ///   - row: takes each row, in the order of slots.
    public func read(
        event: (RunEvent, Instant<Session>) -> Void, row: (LedgerEntry) -> Void
    ) throws(UnreadableRun) -> Result {
        var counter = TallyCounter(run.names, run.plan.require)
        var faults: Int64 = 0
        do {
            // First: the log has the events of these rows, and perhaps more.
            let end = try OpenFile.size(of: run.folder.ledger)
            let events = try EventReader(run.folder.events, run.names)
            while let item = try events.next() {
                guard case .event(let logged, _) = item else {
                    if case .fault = item { faults += 1 }
                    continue
                }
                counter.count(logged.event)
                event(logged.event, logged.time)
            }
            let ledger = try LedgerReader(run.folder.ledger, run.names, upTo: end)
            while let item = try ledger.next() {
                guard case .entry(let entry, _) = item else {
                    if case .fault = item { faults += 1 }
                    continue
                }
                counter.count(entry.row)
                row(entry)
            }
        } catch {
            throw UnreadableRun("\(error)")
        }
        return Result(tally: counter.total, faults: faults)
    }
}

extension RunReading {
    /// What the run is judged to be: by its manifest, or, where it has not ended, by the counts so far.
    public func judgement(_ tally: RunTally) -> Judgement {
        guard run.state == .finalised,
            let verdict = manifest["verdict"]?.stringValue.flatMap({ Verdict(rawValue: $0) }),
            let exitCode = manifest["exit_code"]?.integerValue.flatMap({ Int32(exactly: $0) }),
            let findings = manifest["findings"]?.arrayValue
        else {
            var soFar = Judgement(
                tally, ending: .completed, isEndless: true, limits: run.plan.require)
            soFar.findings.insert(.notFinalised, at: 0)
            (soFar.verdict, soFar.exitCode) = (.partial, 84)
            return soFar
        }
        var judgement = Judgement(
            tally, ending: .completed, isEndless: true, limits: run.plan.require)
        (judgement.verdict, judgement.exitCode) = (verdict, exitCode)
        judgement.findings = findings.map { finding in
            Judgement.Finding(
                id: finding["id"]?.stringValue ?? "?",
                message: finding["message"]?.stringValue ?? "?",
                isOverLimit: finding["over_limit"]?.boolValue ?? false)
        }
        return judgement
    }
}

extension Judgement.Finding {
    /// Of a run that has no outcome.
    static let notFinalised = Judgement.Finding(
        id: "not-finalised",
        message: "the run still goes on, or was cut; what is there was counted", isOverLimit: true)
}
