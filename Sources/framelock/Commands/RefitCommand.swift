internal import ArgumentParser
internal import Notation
internal import Records

/// `framelock refit`: a run's clocks and times once more, from all of its readings.
///
/// Writes two files beside the record, and replaces those of an earlier refit. Raw timestamps and ledger stay
/// untouched.
struct RefitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refit",
        abstract: "Fits a run's clocks again from all readings; writes refit.json and refit.csv.",
        discussion: """
            While a run goes on, a time can only be converted by earlier readings. Afterwards those that came later \
            count too, and the frames of a free-running camera, which come at equal distances, show how late each \
            timestamp was. The bounds of refit.csv and of `framelock show --slot` both hold as long as timestamps \
            are no later than the profile's max_delay: take the narrower one. The record stays as it is.
            """)

    @Argument(help: "The run folder.", completion: .directory)
    var folder: String
    @Flag(help: "Print what was written to refit.json.")
    var json = false

    /// Fits, writes `refit.csv` and `refit.json`, and prints the fit.
    func run() throws {
        try Console.run(asJSON: json) {
            let refit = try RunRefit(folder)
            try refit.write()
            try Console.output(json ? refit.json.text(.pretty) : refit.text)
        }
    }
}
