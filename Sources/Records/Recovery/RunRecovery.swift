internal import Devices
public import Notation
internal import Recipes
internal import Timebase

/// Ends the record of a run that was cut: by a crash, a kill or a power cut.
///
/// What is there stays, and nothing is invented: rows are put right by the frames that are there, as every run does at
/// its end; slots without a row are one row of reason `cut`; frames without a row are taken out, since nobody knows
/// when and how they were taken; verdict, manifest and checksums follow. Its ending is `cut`.
///
/// May be called any number of times: a cut in the middle of it does no harm.
public struct RunRecovery: Hashable, Sendable {
    /// What there was to do.
    public enum Outcome: String, Hashable, Sendable {
        /// The record was ended.
        case recovered
        /// It had been ended before.
        case alreadyFinalised = "already-finalised"
        /// The run still goes on: nothing was changed.
        case running
        /// The run was cut before its record had begun.
        case empty
    }

    /// The run's folder.
    public let path: String
    /// What there was to do.
    public let outcome: Outcome
    /// Frames that were there without a row, and were taken out.
    public private(set) var unrecordedFrames: Int64 = 0
    /// Bytes of unfinished lines that were cut off.
    public private(set) var cutByteCount: Int64 = 0
    /// What the run is judged to be; nil for a record that has not begun.
    public private(set) var judgement: Judgement?
    /// Whether everything that is there fits together; nil where that was not looked at.
    public private(set) var verification: VerificationReport?

    /// Ends the record of a run.
    ///
    /// - Parameter path: the run's folder.
    /// - Throws: ``UnreadableRun`` where it is damaged in a way that no cut does, or can't be read or written.
    public init(_ path: String) throws(UnreadableRun) {
        try self.init(path, scope: [.recipe, .engine])
    }

    /// Ends the record of a run that was not made of a recipe, or not by the engine.
    ///
    /// - Parameter scope: what it was made of, for the check at the end.
    package init(_ path: String, scope: RunVerifier.Scope) throws(UnreadableRun) {
        let folder = RunFolder(path: path)
        self.path = folder.path
        do {
            if let run = try? RecordedRun(folder), run.manifest.state == .finalised {
                outcome = .alreadyFinalised
                judgement = try? run.outcome?.get().judgement
                Self.tidy(run)
                return
            }
            // What there is of a folder that is none is said below.
            let isFolder = Folder.exists(folder.path)
            let lock = isFolder ? try FolderLock(folder) : nil
            guard !isFolder || lock != nil else {
                outcome = .running
                return
            }
            defer { withExtendedLifetime(lock) {} }
            if folder.isCutAtStart {
                outcome = .empty
                return
            }
            let run = try RecordedRun(folder)
            guard run.manifest.state == .running else {
                outcome = .alreadyFinalised
                judgement = try? run.outcome?.get().judgement
                return
            }
            let end = try RecoveredRecord(run, Self.soundEnds(run, scope))
            outcome = .recovered
            unrecordedFrames = end.unrecordedFrames
            cutByteCount = end.cutByteCount
            judgement = end.judgement
        } catch let error as UnreadableRun {
            throw error
        } catch {
            throw UnreadableRun("\(error)")
        }
        verification = try RunVerifier.verify(path, scope: scope)
    }

    /// The folders in a folder that are to be looked at: runs that are not finalised, those whose manifest can't be
    /// read, and those that were cut before they had one.
    ///
    /// - Throws: ``StorageError`` if the folder can't be read.
    public static func candidates(in folder: String) throws(StorageError) -> [String] {
        let runs = RunFolder(path: folder).path
        let finished = Set(
            try RunList(runs).entries.filter {
                Verdict(rawValue: $0.verdict) != nil
            }.map(\.name))
        return try Folder.names(in: runs).sorted()
            .filter { !$0.hasPrefix(".") && !finished.contains($0) }
            .map { RunFolder(path: "\(runs)/\($0)") }
            .filter { WholeFile.isThere($0.manifest) || WholeFile.isThere($0.checksums) }
            .map(\.path)
    }

    /// How far the record is whole.
    ///
    /// - Throws: ``UnreadableRun`` for what a cut can't have made: ended, it would be hidden, or lost.
    private static func soundEnds(
        _ run: RecordedRun, _ scope: RunVerifier.Scope
    ) throws(UnreadableRun) -> RecordEnds {
        let ends = try RecordEnds(run)
        let report = RunVerifier.verify(run, scope: scope, upTo: ends)
        if report.isConsistent { return ends }
        if let before = ends.beforeMark,
            RunVerifier.verify(run, scope: scope, upTo: before).isConsistent
        {
            return before
        }
        let first = report.problems.first.map { ": \($0)" } ?? ""
        let others = report.problemCount > 1 ? ", and \(report.problemCount - 1) more" : ""
        throw UnreadableRun(
            "\(report.path) is damaged in a way that no cut does, so nothing was changed\(first)\(others);"
                + " `framelock verify` lists what is wrong",
            isDamaged: !report.isUnreadable)
    }

    /// What a cut right before the end of the run left beside its files goes, unless that is still at work.
    private static func tidy(_ run: RecordedRun) {
        guard let lock = try? FolderLock(run.folder) else { return }
        defer { withExtendedLifetime(lock) {} }
        let files = [run.folder.ledger, run.folder.checksums, run.folder.manifest]
        for file in files { WholeFile.remove(file + ".new") }
    }

    /// What `framelock recover` exits with: 0 where the record is ended and fits together, what `verify` exits with
    /// where it does not, 64 where the run still goes on, 84 where there is none.
    public var exitCode: Int32 {
        switch outcome {
        case .empty: 84
        case .running: 64
        case .recovered, .alreadyFinalised: verification?.exitCode ?? 0
        }
    }

    /// For people, several lines.
    public var text: String {
        switch outcome {
        case .empty: return "\(path): nothing was recorded: the run was cut at its start"
        case .alreadyFinalised: return "\(path): finalised already, nothing to do"
        case .running:
            return
                "\(path): in use: the run still goes on, or another `recover` is at work; nothing was changed"
        case .recovered: break
        }
        var lines: [String] = []
        if unrecordedFrames > 0 {
            lines.append(
                "taken out: \(unrecordedFrames.of("frame")) without a row, which nothing is known of"
            )
        }
        if cutByteCount > 0 {
            lines.append("cut off: \(cutByteCount.of("byte")) of unfinished lines")
        }
        for finding in judgement?.findings ?? [] where finding.isOverLimit {
            lines.append("! \(finding.message) [\(finding.id)]")
        }
        if let verification { lines.append(verification.text) }
        lines.append("\(path): recovered; its verdict is \(judgement?.verdict.rawValue ?? "")")
        return lines.joined(separator: "\n")
    }

    /// As data.
    public var json: JSONValue {
        [
            "path": .string(path), "outcome": .string(outcome.rawValue),
            "frames_without_row": .integer(unrecordedFrames),
            "cut_bytes": .integer(cutByteCount),
            "verdict": judgement.map { .string($0.verdict.rawValue) } ?? .null,
            "exit_code": .integer(Int64(exitCode)),
            "verification": verification?.json ?? .null,
        ]
    }
}
