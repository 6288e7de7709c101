internal import ArgumentParser
internal import Notation
internal import Records

/// `framelock recover`: the end of a record whose run was cut.
struct RecoverCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recover",
        abstract: "Ends the record of a run that was cut by a crash, a kill or a power cut.",
        discussion: """
            What is on the disk stays, and nothing is invented: rows are put right by the frames that are there, as \
            every run does at its end; slots without a row are one row of reason `cut`; frames without a row are \
            taken out, since nobody knows when and how they were taken. Verdict, manifest and checksums follow, and \
            the whole folder is verified, before and after: what no cut does is damage, and then nothing is changed. A \
            run that is finalised, or still goes on, is left alone.
            """)

    @Argument(help: "The run folder.", completion: .directory)
    var folder: String?
    @Option(
        help: ArgumentHelp("All runs in this folder that were cut.", valueName: "folder"),
        completion: .directory)
    var runsIn: String?
    @Flag(help: "Print as JSON.")
    var json = false

    func validate() throws {
        guard (folder == nil) != (runsIn == nil) else {
            throw ValidationError(
                "recover takes a run folder, or --runs-in with the folder of runs")
        }
    }

    /// Ends the record, and throws the exit code: 0 where all fits or was finalised before, 64 where the run still goes
    /// on, 65 where it is damaged, 74 where a file can't be read or written, 84 where nothing was recorded.
    func run() throws {
        try Console.run(asJSON: json) {
            guard let folder else { return try recoverAll(in: runsIn ?? "") }
            let recovery = try RunRecovery(folder)
            try Console.output(json ? recovery.json.text(.pretty) : recovery.text)
            throw ExitCode(recovery.exitCode)
        }
    }

    /// Those that go on are nobody's business; one that can't be recovered does not keep the others from it.
    private func recoverAll(in runs: String) throws {
        var (found, exitCode): ([RunRecovery], Int32) = ([], 0)
        var failures: [JSONValue] = []
        for path in try RunRecovery.candidates(in: runs) {
            do {
                let recovery = try RunRecovery(path)
                guard recovery.outcome != .running else { continue }
                found.append(recovery)
                exitCode = max(exitCode, recovery.exitCode)
            } catch {
                Console.say("framelock: error: \(error)\n")
                exitCode = max(exitCode, error.exitCode)
                failures.append([
                    "path": .string(path), "error": .string(error.message),
                    "exit_code": .integer(Int64(error.exitCode)),
                ])
            }
        }
        let text = found.map(\.text) + (found.isEmpty ? ["no run was recovered in \(runs)"] : [])
        let object: JSONValue = ["runs": .array(found.map(\.json)), "failed": .array(failures)]
        try Console.output(json ? object.text(.pretty) : text.joined(separator: "\n"))
        throw ExitCode(exitCode)
    }
}
