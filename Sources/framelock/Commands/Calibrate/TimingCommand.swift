internal import ArgumentParser
internal import Calibration
internal import Devices
internal import Instrument
internal import LinuxDevices
internal import Notation
internal import Recipes
internal import Simulation
internal import Timebase

/// `framelock calibrate timing`: when rows are exposed, and how late timestamps are.
///
/// Bounds hold whatever the camera's response to light is; more flashes make them narrower, never wrong.
struct TimingCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "timing",
        abstract: "Measures when a camera exposes its rows, and how late its timestamps are.",
        discussion: """
            With --light a light on an output line of the rig flashes at chosen times of the frame, and the rows that \
            are lit show shutter, readout time and timestamps; the camera looks straight at it or at a surface that it \
            lights evenly, in a dark room. With --strobe the camera's own strobe output on an input line shows its \
            timestamps alone. All bounds are guaranteed; how long the light itself takes to go on and off is not in \
            them. The camera is left as it was found. Without --write nothing is written.
            """)

    /// Needed for an attached camera; the machine's own rig is not looked for.
    @OptionGroup var options: CalibrationOptions
    @Option(help: ArgumentHelp("The rig that names the lines.", valueName: "file"))
    var rig: String?
    /// An output; excludes ``strobe``.
    @Option(help: ArgumentHelp("The output that drives the light.", valueName: "line"))
    var light: String?
    /// An input that sees when the output really switched, which makes the bounds narrower.
    @Option(help: ArgumentHelp("An input that is joined to that output.", valueName: "line"))
    var back: String?
    /// An input; it shows the camera's timestamps and nothing of its rows.
    ///
    /// Excludes ``light``.
    @Option(help: ArgumentHelp("The input that the camera's strobe drives.", valueName: "line"))
    var strobe: String?
    /// 10 µs to 20 ms.
    @Option(help: ArgumentHelp("How long a flash is.", valueName: "duration"))
    var pulse = "200 us"
    @Option(
        help: ArgumentHelp("Flashes of the sweep, or frames with --strobe.", valueName: "count"))
    /// 16 to 10,000.
    var flashes = 64
    @Option(
        help: ArgumentHelp(
            "How late edges of the strobe are timestamped at most, in place of the line's max_delay.",
            valueName: "duration"))
    /// The bound that strobe edges are believed with: what the kernel takes to timestamp one, at most.
    var edgeDelay = "100 us"
    @Option(
        help: ArgumentHelp("Simulated camera: time from row to row.", valueName: "duration"))
    /// Row time of the simulated shutter; nil for rows that are all exposed at once.
    var simulateRow: String?

    /// Refuses combinations that no measurement has, before a camera is opened.
    func validate() throws {
        guard (light == nil) != (strobe == nil) else {
            throw ValidationError("give --light or --strobe, one of the two")
        }
        guard back == nil || light != nil else { throw ValidationError("--back goes with --light") }
        guard (16...10_000).contains(flashes) else {
            throw ValidationError("--flashes takes 16 to 10000")
        }
    }

    /// Measures by light or by strobe.
    ///
    /// This thread's waits are made precise before that: flashes have to come at chosen times of the frame.
    func run() throws {
        try Console.run(asJSON: options.camera.json) {
            let pulse = try Typed("--pulse", self.pulse, Quantity.duration).value
            guard (Interval.microseconds(10)...Interval.milliseconds(20)).contains(pulse) else {
                throw Failure.usage("--pulse takes 10 us to 20 ms")
            }
            let late = try Typed("--edge-delay", edgeDelay, Quantity.duration).value
            let target = try options.target()
            let lines = try CalibrationLines(rig: rig)
            let camera = try options.open { try describe(&$0, late) }
            guard rig != nil || CameraBackend(camera.camera.device.identity).isBuiltIn else {
                throw Failure.usage("name the rig whose lines these are with --rig")
            }
            WaitPrecision.raise()
            let report = try measure(camera, lines, pulse, late)
            try say(report, camera, target)
        }
    }

    /// A simulated camera with a light, or a strobe, on these lines.
    ///
    /// Its timestamps are 50 µs late; its strobe's edges at most 20 µs, and never later than `--edge-delay`.
    ///
    /// - Parameter late: the value of `--edge-delay`.
    private func describe(_ simulation: inout SimulationOptions, _ late: Interval) throws {
        let row = try simulateRow.map {
            try Typed("--simulate-row", $0, Quantity.duration).value
        }
        simulation.shutter = SimulatedShutter(
            rowTime: row ?? .zero, timestampDelay: .microseconds(50))
        var returns: [String: String] = [:]
        if let back, let light { returns[back] = light }
        simulation.wiring = SimulatedWiring(
            returns: returns, strobe: strobe, edgeDelay: min(late, .microseconds(20)))
    }

    /// Chooses the method: the strobe if one is named, else the light, with the input that is joined to it.
    private func measure(
        _ camera: CalibratedCamera, _ lines: CalibrationLines, _ pulse: Interval, _ late: Interval
    ) throws -> TimingReport {
        let open = camera.camera
        if let strobe {
            return try StrobeCalibration(
                line: try lines.line(strobe, .input), edgeDelay: late, frames: flashes
            ).measure(in: open.world, profile: open.profile, configuration: camera.format)
        }
        var calibration = TimingCalibration(
            light: try lines.line(light ?? "", .output),
            back: try back.map { try lines.line($0, .input) }, pulse: pulse, flashes: flashes)
        calibration.progress = CalibrationOptions.progress
        return try calibration.measure(
            in: open.world, profile: open.profile, configuration: camera.format)
    }

    /// Prints shutter, readout, exposure and delay as the bounds that were found; `not known` is not zero.
    ///
    /// The time from row to row is kept in picoseconds and shown in nanoseconds, rounded outwards.
    private func say(
        _ report: TimingReport, _ camera: CalibratedCamera, _ target: ProfileFile?
    ) throws {
        func words(_ span: TimingReport.Span?) -> String {
            span.map { "\($0.lowerBound) to \($0.upperBound)" } ?? "not known"
        }
        let row = report.rowPicoseconds.map { row -> TimingReport.Span in
            .nanoseconds(row.lowerBound / 1_000) ... .nanoseconds(row.upperBound / 1_000 + 1)
        }
        let order = report.isFlipped ? ", read from the last row to the first" : ""
        let timestamps =
            "\(report.earliest) to \(report.latest) after the first row's exposure"
            + " (\(report.delay.count) frames)"
        try options.finish(
            camera, command: "timing",
            rows: [
                ("found by", report.source.rawValue),
                ("shutter", (report.shutter?.rawValue ?? "not known") + order),
                ("readout", words(report.readout)), ("row", words(row)),
                ("exposure", words(report.exposure)),
                ("set", report.exposureSet.map { "\($0)" } ?? "not known"),
                ("offset", words(report.exposureOffset)), ("timestamps", timestamps),
            ], json: Self.json(report), target: target
        ) { try report.figures(for: camera.camera.profile, conditions: camera.conditions) }
    }

    /// All bounds with their units; null for what the method can't measure.
    private static func json(_ report: TimingReport) -> [(String, JSONValue)] {
        let shutter = report.shutter.map { JSONValue.string($0.rawValue) } ?? .null
        let exposure = report.exposureSet.map { JSONValue.integer($0.nanoseconds) } ?? .null
        return [
            ("source", .string(report.source.rawValue)), ("shutter", shutter),
            ("is_flipped", .bool(report.isFlipped)),
            ("readout_ns", CalibrationOptions.json(report.readout)),
            ("row_ps", CalibrationOptions.json(report.rowPicoseconds)),
            ("exposure_ns", CalibrationOptions.json(report.exposure)),
            ("exposure_set_ns", exposure),
            ("exposure_offset_ns", CalibrationOptions.json(report.exposureOffset)),
            ("delay_ns", CalibrationOptions.json(report.earliest...report.latest)),
            ("frames", .integer(Int64(report.delay.count))),
        ]
    }
}
