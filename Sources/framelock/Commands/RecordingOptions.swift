internal import ArgumentParser
internal import Instrument

/// Where a run is recorded, and what is said of it.
struct RecordingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Record into exactly this new folder.", valueName: "folder"),
        completion: .directory)
    var output: String?
    @Option(
        help: ArgumentHelp(
            "Record into a new folder in this one, named after time and recipe (default: runs).",
            valueName: "folder"),
        completion: .directory)
    var runsIn: String?
    @Flag(help: "At the end print what `framelock show --json` prints.")
    var json = false
    @Flag(help: "No progress bar.")
    var quiet = false

    func validate() throws {
        guard output == nil || runsIn == nil else {
            throw ValidationError("give --output or --runs-in, not both")
        }
    }

    /// Where the run is recorded.
    var destination: RunDestination { output.map { .exactly($0) } ?? .new(in: runsIn ?? "runs") }
}
