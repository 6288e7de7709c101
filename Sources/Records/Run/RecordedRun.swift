internal import CStorage
internal import Devices
internal import Imaging
internal import Notation
package import Recipes
package import Timebase

/// A run folder that can't be read as one because something is missing that nothing else makes sense without; or
/// something that it does not have was asked of it.
public struct UnreadableRun: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, with which file, and what that may mean.
    public var message: String
    /// Whether the run can be read and has not what was asked for, or there is no such folder.
    public var isRequest: Bool
    /// Whether a file could be read and is not what a run has there.
    public var isDamaged: Bool
    /// What `framelock` exits with: 64 for a request or a folder that is not there, 65 for one that is damaged, 74 for
    /// one that can't be read.
    public var exitCode: Int32 { isRequest ? 64 : isDamaged ? 65 : 74 }

    init(_ message: String, isRequest: Bool = false, isDamaged: Bool = false) {
        self.message = message
        self.isRequest = isRequest
        self.isDamaged = isDamaged
    }

    /// The message.
    public var description: String { message }
}

/// A run folder as it is read: manifest and plan.
///
/// Ledger, events and frames are read piece by piece. A run that still goes on, or was cut, is read as far as it is
/// there.
///
/// A folder comes from anywhere: nothing in it is trusted that was not read by a form that refuses what no run can
/// have.
package struct RecordedRun {
    package let folder: RunFolder
    /// What `run.json` has since the run began.
    package let manifest: Manifest
    /// `run.json` as it stands, to hold it against a recount.
    let json: JSONValue
    /// What came of it, or why `run.json` does not have that; nil for a run that has not ended.
    let outcome: Result<Manifest.Outcome, JSONFault>?
    /// The plan; of the camera's profile it has what the plan rests on.
    package let plan: Plan
    let names: RunNames
    /// What its frames are.
    package let frames: FrameSeries

    /// Reads manifest and plan.
    ///
    /// - Throws: ``UnreadableRun`` where manifest or plan is missing, no JSON, or of another version. An outcome that
    ///   can't be read is no reason: the rest of the record is still of use.
    init(_ folder: RunFolder) throws(UnreadableRun) {
        self.folder = folder
        json = try Self.json(folder.manifest, "run.json")
        do {
            manifest = try JSONForm<Manifest>.manifest.read(json)
        } catch {
            throw UnreadableRun(
                "\(folder.manifest) is no manifest of format \(Manifest.format): \(error)")
        }
        let plan = try Self.json(folder.plan, "plan.json")
        do {
            self.plan = try Plan(json: plan)
        } catch {
            guard (try? FileDigest.ofFile(folder.plan)) == manifest.planDigest else {
                throw UnreadableRun(
                    "\(folder.plan) is not the plan of this run, whose SHA-256 \(folder.manifest) has: it was"
                        + " changed or cut", isDamaged: true)
            }
            throw UnreadableRun("\(folder.plan) is no plan of this version of framelock: \(error)")
        }
        let json = json
        outcome =
            manifest.state == .running
            ? nil
            : Result { () throws(JSONFault) in try JSONForm<Manifest.Outcome>.outcome.read(json) }
        names = RunNames(self.plan)
        frames = FrameSeries(
            self.plan, manifest.configuration, names, slots: manifest.plannedSlots)
    }

    /// The container of its frames; nil if they were recorded without their pixels.
    package var container: FrameContainer? { manifest.container.map(FrameContainer.of) }

    /// The path of that.
    package var framesPath: String? { container.map { "\(folder.path)/\($0.path)" } }

    /// What its folder is called.
    package var name: String {
        folder.path.split(separator: "/").last.map(String.init) ?? folder.path
    }

    /// Its verdict's word; `not-finalised` for a run that goes on or was cut, and where nobody can read it.
    package var verdictWord: String {
        guard case .success(let outcome) = outcome else {
            return Judgement.Finding.Kind.notFinalised.rawValue
        }
        return outcome.judgement.verdict.rawValue
    }

    /// Whether the run has ended, and its record is complete.
    package var isFinalised: Bool { manifest.state == .finalised }

    /// The name of the first of ledger, plan and recipe that is not the one that the run wrote; nil where all are, and
    /// of a run that has not ended, whose files nobody has hashed yet.
    ///
    /// - Throws: ``UnreadableRun`` where one can't be read.
    package func alteredFile() throws(UnreadableRun) -> String? {
        guard isFinalised else { return nil }
        do {
            let text = String(decoding: try WholeFile.read(folder.checksums), as: UTF8.self)
            let lines = Set(text.split(separator: "\n"))
            for name in ["ledger.csv", "plan.json", "recipe.yaml"] {
                let digest = try FileDigest.ofFile("\(folder.path)/\(name)")
                guard lines.contains("\(digest)  \(name)") else { return name }
            }
        } catch {
            throw UnreadableRun("\(error)")
        }
        return nil
    }

    /// The lights of a slot as the ledger writes them: lines by name, joined by `+`; empty for none.
    package func lights(of place: SlotPlace) -> String { names.lights(place.lights) }

    /// What the recipe calls the frames of a step; nil without a label.
    package func label(ofStep step: Int32) -> String? { names.labels[step] }

    /// Reads its frames.
    ///
    /// Nil for a run without pixels; what is missing or broken of the frames shows when they are read.
    func openFrames() -> (any FrameReader)? {
        guard let container, let framesPath else { return nil }
        return container.open(framesPath, frames)
    }

    /// Opens a run.
    ///
    /// - Parameter path: the run's folder.
    package init(path: String) throws(UnreadableRun) { try self.init(RunFolder(path: path)) }

    private static func json(_ path: String, _ name: String) throws(UnreadableRun) -> JSONValue {
        let bytes: [UInt8]
        do {
            bytes = try WholeFile.read(path)
        } catch {
            throw UnreadableRun(
                "\(error); is this the folder of a run?",
                isRequest: fl_kind(Folder.parent(of: path)) == 0)
        }
        do {
            return try JSONReader.read(bytes, name: path)
        } catch {
            let what = error.diagnostics.first?.description ?? "\(path) is not JSON"
            throw UnreadableRun("\(what); \(name) was changed or cut", isDamaged: true)
        }
    }
}

// From the beginning to the end, for who computes something from it.
extension RecordedRun {
    /// What a reading came to.
    package struct Reading: Hashable, Sendable {
        /// The counts of everything that was read.
        package var tally: RunTally
        /// Lines of the ledger and the log that could not be read and were passed over.
        package var faults: Int64
    }

    /// Reads the event log, then the ledger, each from the beginning.
    ///
    /// Both files may grow meanwhile: the ledger is read as far as it was before the log, so that no row comes without
    /// its events. Lines that are cut short at the end are passed over without counting as faults.
    ///
    /// - Parameters:
    ///   - event: takes each event with the session time at which it was handled.
    ///   - row: takes each row, in the order of slots.
    /// - Throws: ``UnreadableRun`` where a file can't be read at all.
    package func read(
        event: (RunEvent, Instant<Session>) -> Void = { _, _ in },
        row: (LedgerEntry) -> Void = { _ in }
    ) throws(UnreadableRun) -> Reading {
        var counter = TallyCounter(names, plan.require)
        var faults: Int64 = 0
        do {
            // First: the log has the events of these rows, and perhaps more.
            let end = try OpenFile.size(of: folder.ledger)
            let events = try EventReader(folder.events, names)
            while let item = try events.next() {
                guard case .event(let logged, _) = item else {
                    if case .fault = item { faults += 1 }
                    continue
                }
                counter.count(logged.event)
                event(logged.event, logged.time)
            }
            let ledger = try LedgerReader(folder.ledger, names, upTo: end)
            while let item = try ledger.next() {
                guard case .entry(let entry, _) = item else {
                    if case .fault = item { faults += 1 }
                    continue
                }
                counter.count(entry)
                row(entry)
            }
        } catch {
            throw UnreadableRun("\(error)")
        }
        return Reading(tally: counter.total, faults: faults)
    }

    /// Whether the run came to an end of its own, so that its log has everything that belongs to one.
    var isWhole: Bool { manifest.state == .finalised && ending != .cut }

    /// How the run ended; nil where its manifest does not have it.
    package var ending: RunEnding? { try? outcome?.get().ending }

    /// What the run is judged to be: by its manifest, or, where that does not have it, by the counts so far.
    ///
    /// - Parameter tally: the counts that the record gives; not looked at where the manifest has a verdict.
    package func judgement(_ tally: RunTally) -> Judgement {
        if case .success(let outcome) = outcome { return outcome.judgement }
        let soFar = Judgement(tally, ending: .completed, isEndless: true, limits: plan.require)
        var judgement = Judgement.notFinalised
        judgement.findings += soFar.findings
        return judgement
    }
}

extension Judgement {
    /// Of a run that has no outcome.
    static let notFinalised = Judgement(
        .partial, exitCode: 84,
        findings: [
            Finding(
                .notFinalised,
                message: "the run still goes on, or was cut; what is there was counted",
                isOverLimit: true)
        ])
}
