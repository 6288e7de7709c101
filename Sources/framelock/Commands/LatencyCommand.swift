internal import ArgumentParser
internal import Calibration
internal import Devices
internal import Instrument
internal import LinuxDevices
internal import Logging
internal import Notation

/// `framelock calibrate latency`: how many frames each control takes to show.
struct LatencyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "latency",
        abstract: "Measures how many frames a camera's controls take to show.",
        discussion: """
            Steps each control up and down at five phases of the frame and finds the first frame whose pixels show it. \
            The scene has to be still and evenly lit, with a grey or white surface and fine detail in its middle. The \
            camera is left as it was found. Without --write nothing is written.
            """)

    @OptionGroup var options: CameraOptions
    @Option(
        help: ArgumentHelp(
            "What to measure, for example exposure,gain (default: all that the camera has): exposure, gain, focus,"
                + " white-balance, blanking.",
            valueName: "list"))
    var controls: String?
    @Option(help: ArgumentHelp("Trials of each control at each phase.", valueName: "count"))
    var trials = 50
    @Flag(help: "Write the figures into the profile that --profile names.")
    var write = false

    func validate() throws {
        guard (2...10_000).contains(trials) else {
            throw ValidationError("--trials takes 2 to 10000")
        }
        guard !write || options.profile != nil else {
            throw ValidationError(
                "--write needs --profile: name the file that takes the figures, a copy of your own")
        }
    }

    func run() throws {
        try Console.run(asJSON: options.json) {
            let subjects = try self.subjects()
            let target =
                write ? try ProfileFile(named: options.profile, folder: options.profiles) : nil
            let report = try measure(subjects)
            let measurement = MeasurementSource(
                by: "framelock calibrate latency", at: report.time)
            var text: String?
            if let target {
                try target.set(report.figures, by: measurement)
                text = "written to \(target.path)"
            }
            try Console.output(
                options.json
                    ? report.json(writtenTo: target?.path).text(.pretty)
                    : report.text + (text.map { "\n\($0)" } ?? ""))
            try refuse(report.latencies.skipped, named: subjects)
            if report.latencies.measured.isEmpty {
                throw Failure.unavailable("nothing was measured, for the reasons above")
            }
        }
    }

    private func subjects() throws -> [LatencyReport.Subject]? {
        try controls.map { list in
            try list.split(separator: ",").map { word in
                guard let subject = LatencyReport.Subject(rawValue: String(word)) else {
                    throw Failure.usage(
                        "--controls \(word): choose from "
                            + LatencyReport.Subject.allCases.map(\.rawValue).joined(separator: ", ")
                    )
                }
                return subject
            }
        }
    }

    private func measure(_ named: [LatencyReport.Subject]?) throws -> LatencyResult {
        let camera = try options.open(prefersColour: named?.contains(.whiteBalance) ?? true)
        let subjects = named ?? LatencyReport.Subject.all(of: camera.profile)
        guard !subjects.isEmpty else {
            throw Failure.unavailable(
                "nothing of camera \(camera.device.identity.id) can be measured: its profile"
                    + " `\(camera.profile.name)` names no control of exposure, gain, focus or white balance;"
                    + " name a profile that does with --profile, or the folder that has it with --profiles"
            )
        }
        let format = try camera.streamed()
        var calibration = LatencyCalibration(subjects, trials: trials)
        if Console.isInteractive { calibration.progress = { Console.log.info("\($0)") } }
        var random = SystemRandomNumberGenerator()
        // Ctrl-C gives the camera back as it was.
        _ = Interrupts.catchSignals()
        defer { Interrupts.release() }
        let latencies: LatencyReport
        do {
            latencies = try calibration.measure(
                in: camera.world, profile: camera.profile, configuration: format, using: &random)
        } catch  where Interrupts.count() > 0 {
            throw Failure(
                exitCode: 130,
                message: "interrupted: nothing was written, and the camera is as it was before")
        }
        return LatencyResult(
            latencies: latencies, camera: camera, format: format, trials: trials)
    }

    /// What was asked for by name and could not be measured is a failure, and so is a run that measured nothing;
    /// anything else is only said.
    private func refuse(
        _ skipped: [LatencyReport.Skipped], named: [LatencyReport.Subject]?
    ) throws {
        for one in skipped where named == nil {
            Console.log.notice("\(one.subject.rawValue) was not measured: \(one.reason)")
        }
        guard named != nil, let first = skipped.first else { return }
        for one in skipped.dropFirst() {
            Console.log.error("\(one.subject.rawValue) was not measured: \(one.reason)")
        }
        throw Failure.unavailable("\(first.subject.rawValue) was not measured: \(first.reason)")
    }
}
