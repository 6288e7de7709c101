internal import ArgumentParser
internal import Notation
internal import Records

/// `framelock diff`: in what two runs differ.
struct DiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Shows in what two runs differ.",
        discussion: """
            Recipe, plan and manifest are compared member by member, ledgers slot by slot and column by column, pixels \
            sample by sample, logs line by line, stills and descriptions of frames as files. Clocks and dates differ \
            too of two runs in real time. Not compared is what is no part of the record (truth.jsonl, refit.*), or \
            only sums it up (checksums). The exit code is 0 where nothing differs, and 1 where something does.
            """)

    @Argument(help: "A run folder.", completion: .directory)
    var a: String
    @Argument(help: "Another one.", completion: .directory)
    var b: String
    @Flag(help: "Compare the CRCs of the ledgers alone, and read no frame.")
    var noPixels = false
    @Flag(help: "Print as JSON.")
    var json = false

    func run() throws {
        try Console.run(asJSON: json) {
            let comparison = try RunComparison(a, b, comparesPixels: !noPixels)
            try Console.output(json ? comparison.json.text(.pretty) : comparison.text)
            throw ExitCode(comparison.exitCode)
        }
    }
}
