internal import Notation
internal import Recipes
internal import Timebase

/// Checks that everything in a run folder fits together: hashes, plan, ledger, events, frames, counts, verdict.
///
/// Nothing is taken from the manifest that can be counted again; what the record states of itself is held against what
/// is there. Reads every frame.
public enum RunVerifier {
    /// What of a run is checked beyond what any record has: that its files agree with each other.
    package struct Scope: OptionSet, Sendable {
        /// The bits.
        package let rawValue: UInt8
        /// Creates a scope from its bits.
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        /// The recipe compiles to the plan.
        package static let recipe = Scope(rawValue: 1)
        /// Rows and manifest are as the engine makes them of plan and log.
        package static let engine = Scope(rawValue: 2)
    }

    /// Verifies a run; one that still goes on, or was cut, as far as it is there.
    ///
    /// - Parameter path: the run's folder.
    /// - Throws: ``UnreadableRun`` if there is no manifest or plan to check anything against.
    public static func verify(_ path: String) throws(UnreadableRun) -> VerificationReport {
        try verify(path, scope: [.recipe, .engine])
    }

    /// Verifies a run that was not made of a recipe, or not by the engine.
    ///
    /// - Parameter scope: what it was made of.
    package static func verify(
        _ path: String, scope: Scope
    ) throws(UnreadableRun) -> VerificationReport {
        let folder = RunFolder(path: path)
        if folder.isCutAtStart {
            var report = VerificationReport(path: folder.path, isFinalised: false)
            report.isCutAtStart = true
            return report
        }
        return verify(try RecordedRun(folder), scope: scope)
    }

    /// Verifies a run that was opened.
    ///
    /// - Parameter ends: of ledger and log, where what stands behind them is not to be looked at.
    static func verify(
        _ run: RecordedRun, scope: Scope, upTo ends: RecordEnds? = nil
    ) -> VerificationReport {
        let folder = run.folder
        var report = VerificationReport(
            path: folder.path, isFinalised: run.manifest.state == .finalised)
        report.hasPixels = run.container != nil
        checkHashes(run, &report)
        if scope.contains(.recipe) { RecipeCheck.check(run, &report) }
        if scope.contains(.engine) { ManifestCheck.check(run, &report) }
        RefitCheck.check(run, &report)
        do {
            let events = try EventCheck.read(run, scope, upTo: ends, &report)
            var ledger = LedgerCheck(run, events)
            let tally = try ledger.read(&report)
            checkFrames(run, tally, &report)
            if run.manifest.state == .finalised {
                checkOutcome(run, tally, &report)
                checkClocks(run, events.clocks, &report)
                ledger.checksums.check(run, &report)
            }
        } catch {
            report.add(unreadable: relative(error.path, folder), error)
        }
        return report
    }

    /// The files against `checksums`, recipe and plan against the manifest.
    ///
    /// Of a run that goes on only recipe and plan: the other files are still growing.
    private static func checkHashes(_ run: RecordedRun, _ report: inout VerificationReport) {
        var digests: [String: FileDigest] = [:]
        let isFinalised = run.manifest.state == .finalised
        let hashed = RunFolder.hashedFiles(run.container)
        for name in isFinalised ? hashed : ["plan.json", "recipe.yaml"] {
            do {
                digests[name] = try FileDigest.ofFile("\(run.folder.path)/\(name)")
            } catch {
                report.add(unreadable: name, error)
            }
        }
        let manifest = run.manifest
        for (name, noted) in [
            ("recipe.yaml", manifest.recipeDigest), ("plan.json", manifest.planDigest),
        ] {
            if let digest = digests[name], noted != digest {
                report.add(name, "the SHA-256 is not the one in run.json")
            }
        }
        guard isFinalised else { return }
        let lines: [Substring]
        do {
            let text = String(decoding: try WholeFile.read(run.folder.checksums), as: UTF8.self)
            lines = text.split(separator: "\n")
        } catch {
            return report.add(unreadable: "checksums", error)
        }
        for name in hashed {
            guard let digest = digests[name] else { continue }
            let named = lines.firstIndex { $0.hasSuffix("  \(name)") }
            guard let named else {
                report.add("checksums", "\(name) is not listed")
                continue
            }
            if lines[named] != "\(digest)  \(name)" {
                report.add(name, "the SHA-256 is not the one in checksums:\(named + 1)")
            }
        }
        let rows = ChecksumCheck(run)
        if lines.count(where: { !rows.isOfRows($0) }) > hashed.count {
            report.add("checksums", "there are more lines than files")
        }
    }

    /// The files that describe the frames against the manifest and the ledger.
    private static func checkFrames(
        _ run: RecordedRun, _ tally: RunTally, _ report: inout VerificationReport
    ) {
        guard let container = run.container, let frames = run.openFrames() else { return }
        for problem in frames.problems(
            slots: run.manifest.state == .finalised ? tally.namedSlots : nil)
        {
            report.add("\(container.path)/\(problem.file)", problem.message)
        }
    }

    /// The manifest's counts and verdict against a recount.
    ///
    /// Member by member, so that a problem names what differs; `ending` alone can't be counted again.
    private static func checkOutcome(
        _ run: RecordedRun, _ tally: RunTally, _ report: inout VerificationReport
    ) {
        typealias Outcome = Manifest.Outcome
        var noted = Outcome.blank
        guard (try? [Outcome.end].read(run.json, into: &noted)) != nil else {
            return report.add("run.json", "`ending` is missing")
        }
        let judgement = Judgement(
            tally, ending: noted.ending, isEndless: run.names.isEndless, limits: run.plan.require)
        let recount = (Outcome.counts + Outcome.stills + Outcome.judged + [Outcome.findings])
            .object(Outcome(noted.ending, judgement, tally))
        for member in recount.members where run.json[member.name] != member.value {
            let found = run.json[member.name]?.text() ?? "missing"
            report.add(
                "run.json",
                "`\(member.name)` is \(found), a recount gives \(member.value.text())")
        }
    }

    /// The clocks' relations in the manifest against what the readings in the log give.
    private static func checkClocks(
        _ run: RecordedRun, _ clocks: RunClocks, _ report: inout VerificationReport
    ) {
        var outcome = Manifest.Outcome.blank
        outcome.clocks = clocks.relations
        let recount = [Manifest.Outcome.related].object(outcome).members[0]
        guard let found = run.json[recount.name] else {
            return report.add("run.json", "`\(recount.name)` is missing")
        }
        let noted = found.objectValue?.names ?? []
        let expected = recount.value.objectValue?.names ?? []
        for name in Set(noted + expected).sorted() where found[name] != recount.value[name] {
            let what =
                switch (found[name], recount.value[name]) {
                case (nil, _): "is missing, the log has readings of it"
                case (_, nil): "has no reading in the log"
                default: "is not what the readings in the log give"
                }
            report.add("run.json", "clock `\(name)` \(what)")
        }
    }

    /// A path as it stands in problems.
    private static func relative(_ path: String, _ folder: RunFolder) -> String {
        path.hasPrefix(folder.path + "/") ? String(path.dropFirst(folder.path.count + 1)) : path
    }
}
