internal import ArgumentParser
internal import Notation
internal import Records

/// `framelock verify`: whether a run folder is complete and agrees with itself.
struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Checks a run: hashes, completeness, and that ledger, events and frames agree.")

    @Argument(help: "The run folder.", completion: .directory)
    var folder: String
    @Flag(help: "Print as JSON.")
    var json = false

    func run() throws {
        try Console.run(asJSON: json) {
            let report = try RunVerifier.verify(folder)
            try Console.output(json ? report.json.text(.pretty) : report.text)
            throw ExitCode(report.exitCode)
        }
    }
}
