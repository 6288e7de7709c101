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
    @Option(
        help: ArgumentHelp(
            "The run has to be signed (`framelock sign`) by a key of this file: a name and a public key a line, as"
                + " ssh-keygen has them.", valueName: "file"),
        completion: .file())
    var allowedSigners: String?
    @Flag(help: "Print as JSON.")
    var json = false

    /// A run that has not ended has no signature, and its exit code says so already.
    ///
    /// Prints the report, and throws its exit code: 0 where all fits, 65 where files do not agree, 74 where one can't
    /// be read, 84 where what is there fits and the run was not finalised.
    func run() throws {
        try Console.run(asJSON: json) {
            var report = try RunVerifier.verify(folder)
            if let allowedSigners, report.isFinalised {
                switch try RunSignature(folder).signer(allowed: allowedSigners) {
                case .success(let name): report.signature = .good(name)
                case .failure(let problem): report.add("checksums.sig", problem.text)
                }
            } else if RunSignature.isThere(in: folder) {
                report.signature = .unchecked
            }
            try Console.output(json ? report.json.text(.pretty) : report.text)
            throw ExitCode(report.exitCode)
        }
    }
}
