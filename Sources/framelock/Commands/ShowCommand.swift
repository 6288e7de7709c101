internal import ArgumentParser
internal import Notation
internal import Records

/// `framelock show`: what a run recorded.
///
/// The verdict is printed as `run.json` has it; `verify` computes it again.
struct ShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Shows what a run recorded, and its verdict.")

    @Argument(help: "The run folder.", completion: .directory)
    var folder: String
    @Flag(help: "Print as JSON.")
    var json = false
    @Option(
        help: ArgumentHelp(
            "When this slot was exposed, on every clock of the run, and its row of the ledger.",
            valueName: "number"))
    /// The slot's number from 0; nil for the summary of the run.
    var slot: Int64?
    @Option(
        help: ArgumentHelp(
            "With --slot: these rows too, from 0 at the top, for example 0,239,479.",
            valueName: "rows"))
    /// As it was typed; ``rowNumbers`` reads it.
    var rows: String?

    /// Refuses what needs no run folder to be seen as wrong.
    func validate() throws {
        guard rows == nil || slot != nil else {
            throw ValidationError("--rows takes the slot that they belong to: give --slot too")
        }
        guard rowNumbers != nil else {
            throw ValidationError("--rows takes row numbers with commas, for example 0,239,479")
        }
    }

    /// The rows; empty where none are asked for, nil where a word between commas is not a whole number.
    private var rowNumbers: [Int64]? {
        let words = rows?.split(separator: ",", omittingEmptySubsequences: false) ?? []
        let numbers = words.compactMap { Int64($0) }
        return numbers.count == words.count ? numbers : nil
    }

    /// Prints the slot's times where one is named, else the summary; the run's verdict is no failure of this command.
    func run() throws {
        try Console.run(asJSON: json) {
            if let slot {
                let times = try SlotTimes(folder, slot: slot, rows: rowNumbers ?? [])
                return try Console.output(json ? times.json.text(.pretty) : times.text)
            }
            let summary = try RunSummary.read(folder)
            try Console.output(json ? summary.json.text(.pretty) : summary.text)
        }
    }
}
