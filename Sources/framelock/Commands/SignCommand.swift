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
            frames. It is the file `checksums.sig`, made by ssh-keygen, and replaces one that is there. `framelock \
            verify --allowed-signers` checks it.
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
            let path = try RunSignature(folder).sign(key: key)
            let object: JSONValue = ["signature": .string(path)]
            try Console.output(json ? object.text(.pretty) : path)
        }
    }
}
