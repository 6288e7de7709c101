internal import ArgumentParser
internal import Records
internal import Reports

/// `framelock report`: what a run recorded, with everything that was found and where.
struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Reports on a run in full, as text or as a page.",
        discussion: """
            The page is one file that needs nothing but itself: no network, no other file. A run that still goes on, \
            or was cut, is reported as far as it is there.
            """)

    @Argument(help: "The run folder.", completion: .directory)
    var folder: String
    @Option(help: "Write the report as an HTML page into this file, instead of text.")
    var html: String?

    func run() throws {
        try Console.run {
            let report = try RunReport(folder)
            guard let html else { return try Console.output(report.text) }
            try TextFile.write(report.page, to: html)
        }
    }
}
