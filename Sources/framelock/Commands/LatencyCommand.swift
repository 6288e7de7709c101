internal import ArgumentParser
internal import Calibration
internal import Devices
internal import Instrument
internal import LinuxDevices
internal import Logging
internal import Notation

/// `framelock calibrate latency`: how many frames each control takes to show.
///
/// The figure is that of profiles: frames from the one that is being exposed at the write to the first that surely
/// shows it.
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
    /// Words with commas; nil for all that the profile has a control for.
    var controls: String?
    /// 2 to 10,000 of each control at each of five phases of the frame.
    @Option(
        help: ArgumentHelp(
            "Trials of each control at each phase, 2 to 10000; half of them upwards, half downwards, so an odd number"
                + " is raised by one.",
            valueName: "count"))
    var trials = 50
    @Flag(help: "Write the figures into the profile that --profile names.")
    var write = false

    /// Refuses what needs no camera to be seen as wrong.
    ///
    /// One trial does not show how constant a latency is, so there are two at least.
    func validate() throws {
        guard (2...10_000).contains(trials) else {
            throw ValidationError("--trials takes 2 to 10000")
        }
        guard !write || options.profile != nil else {
            throw ValidationError(
                "--write needs --profile: name the file that takes the figures, a copy of your own")
        }
    }

    /// Measures, writes if that was asked for, prints, and only then fails for what could not be measured.
    ///
    /// So what was measured is never lost because something else was not.
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

    /// What `--controls` names; nil where it is left out.
    ///
    /// - Throws: ``Failure`` with exit code 64 for a word that is none of the subjects.
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

    /// Opens the camera and measures in the format that it streams.
    ///
    /// A format with colour is preferred where white balance is named, or nothing is.
    ///
    /// Signals are caught meanwhile, so that Ctrl-C ends the measurement in order and the camera is put back.
    ///
    /// - Throws: ``Failure`` with exit code 69 where the profile has nothing to measure, 130 after a signal.
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

    /// Decides what a subject that was skipped amounts to.
    ///
    /// What was asked for by name and could not be measured is a failure (exit code 69); anything else is only printed.
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
