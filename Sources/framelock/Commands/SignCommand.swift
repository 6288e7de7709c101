internal import ArgumentParser
internal import Instrument
internal import Notation
internal import Records

/// `framelock sign`: an SSH signature of a run, which says who vouches for it.
struct SignCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign", abstract: "Signs a run with an SSH key.",
        discussion: """
            The signature is of `checksums`, and so of every file that it lists: manifest, recipe, plan, ledger, log, \
            frames. The run is verified before, and not signed where it does not agree with itself. It is the file \
            `checksums.sig`, made by ssh-keygen, and replaces one that is there. `framelock verify \
            --allowed-signers` checks it.
            """)

    @Argument(help: "The folder of a run that has ended.", completion: .directory)
    var folder: String
    @Option(
        help: ArgumentHelp(
            "The private key, or a public one whose private key ssh-agent has.", valueName: "file"),
        completion: .file())
    var key: String
    @Flag(help: "Print as JSON.")
    var json = false

    func run() throws {
        try Console.run(asJSON: json) {
            let signature = try RunSignature(folder)
            let report = try RunVerifier.verify(folder)
            guard report.isConsistent else {
                throw Failure(
                    exitCode: report.exitCode,
                    message:
                        "the run does not agree with itself, and is not signed: `framelock verify` says where"
                )
            }
            let path = try signature.sign(key: key)
            let object: JSONValue = ["signature": .string(path)]
            try Console.output(json ? object.text(.pretty) : path)
        }
    }
}
