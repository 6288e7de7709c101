internal import ArgumentParser
internal import Devices
internal import Instrument
internal import LinuxDevices
internal import Logging
internal import Notation
internal import Simulation
internal import Timebase

/// `framelock devices`: what is there, in the words that recipes and rigs use.
///
/// What can't be opened is a warning on standard error, and the rest is listed all the same.
struct DevicesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "Lists cameras with formats, rates and controls, and GPIO chips with lines.")

    @Flag(help: "Print as JSON.")
    var json = false
    @Option(
        help: ArgumentHelp(
            "Also write everything that media devices report of themselves to a file, for a report of what fails.",
            valueName: "file"))
    /// The file, which is replaced if it is there; nil for none.
    var report: String?

    /// Searches, warns, writes the report, prints; to find no camera is no failure.
    func run() throws {
        try Console.run(asJSON: json) {
            let cameras = CameraDiscovery.ofThisMachine.search()
            let chips = LineDiscovery().search()
            let simulated = try SimulatedWorld(SimulationOptions()).camera.describe()
            let library = ProfileLibrary()
            let listing = DeviceListing(
                cameras: cameras.cameras + [simulated], emptyReceivers: cameras.emptyReceivers,
                chips: chips.chips
            ) { camera in
                (try? library.profile(for: camera.identity, warns: false))?.narrowed(to: camera)
            }
            for problem in cameras.problems { Console.log.warning("\(problem.message)") }
            for problem in chips.problems { Console.log.warning("\(problem.message)") }
            if let report { try write(listing, to: report) }
            try Console.output(json ? listing.json.text(.pretty) : listing.text)
        }
    }

    /// Media devices with all formats, routes and controls, and the cameras as the listing has them.
    ///
    /// Problems of reading them are warnings, and stand in the file too: who reads the report sees what it lacks.
    ///
    /// - Throws: ``Failure`` where the file can't be written.
    private func write(_ listing: DeviceListing, to path: String) throws {
        var problems: [DeviceError] = []
        let report = MediaReport(problems: &problems)
        for problem in problems { Console.log.warning("\(problem.message)") }
        guard var members = report.json.objectValue else { return }
        members["framelock"] = .string(FramelockVersion.text)
        members["problems"] = .array(problems.map { .string($0.message) })
        members["cameras"] = listing.json["cameras"]
        members["chips"] = listing.json["chips"]
        try TextFile.write(JSONValue.object(members).text(.pretty) + "\n", to: path)
    }
}
