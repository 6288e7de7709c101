internal import ArgumentParser
internal import Instrument
internal import Notation
internal import Records
internal import Reports

/// `framelock report`: what a run recorded, with everything that was found and where.
///
/// Also of a run that goes on or was cut, as far as it is there.
struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Reports on a run, as text, as a page or as JSON.",
        discussion: """
            The page is one file that needs nothing but itself: no network, no other file. It shows pictures of up to \
            24 frames, reduced and developed for the eye. A run that still goes on, or was cut, is reported as far as \
            it is there. Text and page have the first rows of a long table; JSON has all.
            """)

    @Argument(help: "The run folder.", completion: .directory)
    var folder: String
    /// The page's path; a file that is there is replaced.
    ///
    /// Standard output then stays empty, unless `--json` asks for the object too.
    @Option(help: "Write the report as an HTML page into this file, instead of text.")
    var html: String?

    @Flag(help: "Print as JSON.")
    var json = false

    func run() throws {
        try Console.run(asJSON: json) {
            let report = try RunReport(folder)
            if let html { try TextFile.write(report.page, to: html) }
            if json {
                try Console.output(report.json.text(.pretty))
            } else if html == nil {
                try Console.output(report.text)
            }
        }
    }
}
