internal import ArgumentParser
internal import Calibration
internal import Devices
internal import Instrument
internal import Notation
internal import Recipes
internal import Simulation
internal import Timebase

/// `framelock calibrate lens`: how a lens moves.
///
/// From hysteresis follows the profile's `approach`: from which side, and how far beyond, each position is to be
/// reached.
struct LensCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lens",
        abstract: "Measures how a lens moves: hysteresis, settle time, direction.",
        discussion: """
            The camera looks at a target with fine detail whose distance lies well within the lens's range. The lens \
            goes through its codes in both directions: how far the sharpest code differs is its hysteresis. Direction \
            takes two measurements: put the target farther away, measure, put it nearer, and give the first one's \
            sharpest code with --farther. The camera is left as it was found. Without --write nothing is written.
            """)

    @OptionGroup var options: CalibrationOptions
    @Option(
        help: ArgumentHelp("How long the lens is given to come to rest.", valueName: "duration"))
    /// Given after each move, so it has to be longer than the lens takes; 1 ms to 60 s.
    var rest = "500 ms"
    /// 1 to 1000.
    @Option(help: ArgumentHelp("Moves that are watched for the settle time.", valueName: "count"))
    var trials = 5
    @Option(
        help: ArgumentHelp("The sharpest code with the target farther away.", valueName: "code"))
    /// A code from the same command at a target farther away; nil leaves the direction unmeasured.
    var farther: Int64?
    /// Codes of the simulated drive, 0 for a lens that stops where it is sent.
    @Option(
        help: ArgumentHelp(
            "Simulated lens: codes that it stops short of each position (half of what lies between both directions).",
            valueName: "codes"))
    var simulateHysteresis: Int64 = 0
    /// Time constant of the simulated drive's exponential way; nil for a lens that is there at once.
    @Option(
        help: ArgumentHelp(
            "Simulated lens: time constant; after it, 37 % of the way are left.",
            valueName: "duration"))
    var simulateSettle: String?

    /// Refuses a number of trials out of range; durations are read in `run()`, where their message can name a unit.
    func validate() throws {
        guard (1...1_000).contains(trials) else {
            throw ValidationError("--trials takes 1 to 1000")
        }
    }

    /// Reads all durations before the profile and the camera, so that a typing error moves no lens.
    func run() throws {
        try Console.run(asJSON: options.camera.json) {
            let rest = try Typed("--rest", self.rest, Quantity.duration).value
            guard (Interval.milliseconds(1)...Interval.seconds(60)).contains(rest) else {
                throw Failure.usage("--rest takes 1 ms to 60 s")
            }
            let settle = try simulateSettle.map {
                try Typed("--simulate-settle", $0, Quantity.duration).value
            }
            let target = try options.target()
            let camera = try options.open {
                $0.lens = SimulatedLensDrive(
                    hysteresisCodes: simulateHysteresis, settleTime: settle ?? .zero)
            }
            var calibration = LensCalibration(rest: rest, trials: trials, fartherCode: farther)
            calibration.progress = CalibrationOptions.progress
            let report = try calibration.measure(
                in: camera.camera.world, profile: camera.camera.profile,
                configuration: camera.format)
            try say(report, camera, target)
        }
    }

    /// Prints the sharpest codes from both sides, their difference as bounds, and what follows for the profile.
    ///
    /// Codes come in thousandths, since the sharpest place lies between two of them.
    private func say(
        _ report: LensReport, _ camera: CalibratedCamera, _ target: ProfileFile?
    ) throws {
        func codes(_ thousandths: Int64) -> String {
            decimalText(UInt64(max(0, thousandths)), unit: 1_000)
        }
        let hysteresis = report.hysteresis
        try options.finish(
            camera, command: "lens",
            rows: [
                (
                    "sharpest",
                    "\(codes(report.sharpestUp)) from below, \(codes(report.sharpestDown)) from above"
                ),
                (
                    "apart",
                    "\(codes(hysteresis.lowerBound)) to \(codes(hysteresis.upperBound)) codes"
                ),
                (
                    "settle",
                    report.settle.map { "\($0.lowerBound) to \($0.upperBound)" } ?? "not seen"
                ),
                (
                    "approach",
                    report.approach.map { "from \($0.side), \($0.overTravelCodes) codes beyond" }
                        ?? "not needed"
                ),
                (
                    "nearer",
                    report.isLargerNearer.map { $0 ? "larger codes" : "smaller codes" }
                        ?? "not measured"
                ),
            ],
            json: [
                ("sharpest_up_thousandths", .integer(report.sharpestUp)),
                ("sharpest_down_thousandths", .integer(report.sharpestDown)),
                ("hysteresis_thousandths", CalibrationOptions.json(hysteresis)),
                ("settle_ns", CalibrationOptions.json(report.settle)),
                ("approach", Self.json(report.approach)),
                ("is_larger_nearer", report.isLargerNearer.map(JSONValue.bool) ?? .null),
            ], target: target
        ) { report.figures(for: camera.camera.profile, conditions: camera.conditions) }
    }

    /// An approach as profiles write it; null where none is needed.
    private static func json(_ approach: FocusModel.Approach?) -> JSONValue {
        guard let approach else { return .null }
        return [
            "from": .string(approach.side.rawValue),
            "over_travel": .integer(approach.overTravelCodes),
        ]
    }
}
