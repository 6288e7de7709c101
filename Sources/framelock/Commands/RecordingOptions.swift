internal import ArgumentParser
internal import Instrument

/// Where a run is recorded, and its description; of `run` and `simulate` alike.
struct RecordingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Record into exactly this new folder.", valueName: "folder"),
        completion: .directory)
    /// The exact folder, which must not be there yet; nil for one named after time and recipe.
    var output: String?
    @Option(
        help: ArgumentHelp(
            "Record into a new folder in this one, named after time and recipe (default: runs).",
            valueName: "folder"),
        completion: .directory)
    /// The folder of that one; nil for `runs` in the working directory.
    ///
    /// Made where it is missing.
    var runsIn: String?
    @Flag(
        help: "Record also where the disk has no room for the whole run: it ends when that is full."
    )
    var force = false
    /// Standard output then holds the run's summary and nothing else; the words for people stay on standard error.
    @Flag(help: "At the end print what `framelock show --json` prints.")
    var json = false
    /// Leaves the progress line out on a terminal; elsewhere there is none anyway.
    @Flag(help: "No progress bar.")
    var quiet = false

    func validate() throws {
        guard output == nil || runsIn == nil else {
            throw ValidationError("give --output or --runs-in, not both")
        }
    }

    /// Where the run is recorded.
    var destination: RunDestination {
        output.map { .exactly($0) } ?? .new(in: runsIn ?? RunDestination.defaultFolder)
    }
}
