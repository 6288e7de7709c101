internal import ArgumentParser
internal import Instrument
internal import Notation
internal import Records

/// `framelock runs`: the runs in a folder, by what their manifests say.
struct RunsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "runs", abstract: "Lists the runs in a folder, the newest first.",
        discussion: """
            What is listed stands in each run's run.json and is not verified. A run that still goes on, or was cut, is \
            `not-finalised`.
            """)

    @Argument(
        help: "The folder that they lie in (default: \(RunDestination.defaultFolder)).",
        completion: .directory)
    /// Of `run` without `--output` it is this one too.
    var folder = RunDestination.defaultFolder
    @Option(
        help: ArgumentHelp(
            "Only runs with this verdict, for example trustworthy or not-finalised.",
            valueName: "word"))
    var verdict: String?
    @Option(
        help: ArgumentHelp(
            "Only runs with this text in name, recipe, camera, metadata or parameters (`groups=3`).",
            valueName: "text"))
    var match: String?
    @Option(
        help: ArgumentHelp(
            "Only runs that began then or later, in UTC, for example 2026-11-20.",
            valueName: "date"))
    var since: String?
    @Flag(help: "Print as JSON.")
    var json = false

    func validate() throws {
        let words = RunList.verdicts
        if let verdict, !words.contains(verdict) {
            throw ValidationError("--verdict takes one of: \(words.joined(separator: ", "))")
        }
        let form = "0000-00-00T00:00:00Z"
        if let since {
            let fits = zip(since, form).allSatisfy {
                $1 == "0" ? $0.isASCII && $0.isNumber : $0 == $1
            }
            guard fits, since.count >= 4, since.count <= form.count else {
                throw ValidationError(
                    "--since takes a date or a time in UTC, for example 2026-11-20")
            }
        }
    }

    func run() throws {
        try Console.run(asJSON: json) {
            var filter = RunList.Filter()
            (filter.verdict, filter.text, filter.since) = (verdict, match, since)
            let list = try RunList(folder, filter)
            try Console.output(json ? list.json.text(.pretty) : list.text)
        }
    }
}
