internal import ArgumentParser
internal import Notation
internal import Records

/// `framelock show`: what a run recorded.
struct ShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Shows what a run recorded, and its verdict.")

    @Argument(help: "The run folder.", completion: .directory)
    var folder: String
    @Flag(help: "Print as JSON.")
    var json = false

    func run() throws {
        try Console.run {
            let summary = try RunSummary.read(folder)
            try Console.output(json ? summary.json.text(.pretty) : summary.text)
        }
    }
}
