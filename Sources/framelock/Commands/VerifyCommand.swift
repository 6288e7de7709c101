internal import ArgumentParser
internal import Notation
internal import Records

/// `framelock verify`: whether a run folder is complete and agrees with itself.
///
/// It needs nothing but the folder, no camera and no profile. The verdict is computed again from the record and
/// compared.
struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Checks a run: hashes, completeness, and that ledger, events and frames agree.")

    @Argument(help: "The run folder.", completion: .directory)
    var folder: String
    @Flag(help: "Print as JSON.")
    var json = false

    /// Prints the report, and throws its exit code: 0 where all fits, 65 where files do not agree, 74 where one can't
    /// be read, 84 where what is there fits and the run was not finalised.
    func run() throws {
        try Console.run(asJSON: json) {
            let report = try RunVerifier.verify(folder)
            try Console.output(json ? report.json.text(.pretty) : report.text)
            throw ExitCode(report.exitCode)
        }
    }
}
