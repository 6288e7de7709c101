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
    @Option(
        help: ArgumentHelp(
            "When this slot was exposed, on every clock of the run.", valueName: "number"))
    var slot: Int64?
    @Option(
        help: ArgumentHelp(
            "With --slot: these rows too, from 0 at the top, for example 0,239,479.",
            valueName: "rows"))
    var rows: String?

    func validate() throws {
        guard rows == nil || slot != nil else {
            throw ValidationError("--rows takes the slot that they belong to: give --slot too")
        }
        guard rowNumbers != nil else {
            throw ValidationError("--rows takes row numbers with commas, for example 0,239,479")
        }
    }

    private var rowNumbers: [Int64]? {
        let words = (rows ?? "").split(separator: ",")
        let numbers = words.compactMap { Int64($0) }
        return numbers.count == words.count ? numbers : nil
    }

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
