internal import ArgumentParser
internal import Calibration
internal import Devices
internal import Imaging
internal import Instrument
internal import Notation
internal import Recipes
internal import Simulation
internal import Timebase

/// `framelock calibrate white-balance`: a point of a camera's colour curve.
///
/// A point is raw red and blue of a grey over its green, at the illuminant's temperature.
struct BalanceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "white-balance",
        abstract: "Measures how a camera sees grey under a known illuminant, for its colour curve.",
        discussion: """
            The middle of the picture is a grey card, lit by one illuminant whose colour temperature you know. Each \
            measurement adds a point to the profile's curve, or replaces that of the same temperature. A first point \
            makes no curve: give it with --point when you measure the second. Without --write nothing is written.
            """)

    /// Kelvin, with or without `K`; the command can't measure it, and the curve is as right as this is.
    @OptionGroup var options: CalibrationOptions
    @Option(help: ArgumentHelp("The illuminant's colour temperature.", valueName: "kelvin"))
    var illuminant: String
    @Option(
        help: ArgumentHelp(
            "A point of an earlier measurement: how red and how blue grey is to green 1 (the reciprocals of its"
                + " gains), for example 2856,0.86,0.41.",
            valueName: "kelvin,red,blue"))
    /// Points of earlier sessions, each `kelvin,red,blue`; for a profile that has no curve to add to.
    var point: [String] = []
    @Option(
        help: ArgumentHelp(
            "Simulated camera: red and blue of its light, green being 1.", valueName: "red,blue"))
    /// Red and blue of the simulated scene's light, in two numbers; nil for its usual light.
    var simulateLight: String?

    /// Measures the middle of the picture, and prints where the curve then goes.
    ///
    /// The profile that is to be written is read before the camera is opened, and a format with colour comes first.
    func run() throws {
        try Console.run(asJSON: options.camera.json) {
            let kelvin = try Typed.kelvin("--illuminant", illuminant).value
            guard Quantity.temperatures.contains(kelvin) else {
                throw Failure.usage(
                    "--illuminant takes 1000 K to 25000 K, as recipes do, not \(illuminant)")
            }
            let points = try point.map { text in
                let parts = try Self.numbers("--point", text, count: 3)
                return ColourCurve.Point(
                    kelvin: parts[0] / 1_000_000, redMillionths: parts[1], blueMillionths: parts[2])
            }
            let light = try simulateLight.map { try Self.numbers("--simulate-light", $0, count: 2) }
            let target = try options.target()
            let camera = try options.open(prefersColour: true) {
                if let light {
                    $0.scene.redMillionths = light[0]
                    $0.scene.blueMillionths = light[1]
                }
            }
            let report = try BalanceCalibration(kelvin: kelvin, points: points).measure(
                in: camera.camera.world, profile: camera.camera.profile,
                configuration: camera.format)
            try say(report, camera, target)
        }
    }

    /// Numbers with commas between, in millionths.
    ///
    /// - Throws: ``Failure`` with exit code 64 where there are more or fewer than `count`.
    private static func numbers(_ option: String, _ text: String, count: Int) throws -> [Int64] {
        let parts = text.split(separator: ",").map(String.init)
        guard parts.count == count else {
            throw Failure.usage("\(option) \(text): expected \(count) numbers with commas between")
        }
        return try parts.map { try Typed(option, $0, Quantity.millionths).value }
    }

    /// Prints the point, the gains that balance it and what is left after they were tried on the camera.
    ///
    /// `off neutral` is what remains with these gains; it is not measured on a camera that does not take them.
    private func say(
        _ report: BalanceReport, _ camera: CalibratedCamera, _ target: ProfileFile?
    ) throws {
        func text(_ millionths: Int64) -> String {
            (millionths < 0 ? "-" : "") + decimalText(millionths.magnitude, unit: 1_000_000)
        }
        func json(_ point: ColourCurve.Point) -> JSONValue {
            [
                "temperature_k": .integer(point.kelvin),
                "red_millionths": .integer(point.redMillionths),
                "blue_millionths": .integer(point.blueMillionths),
            ]
        }
        let (point, gains) = (report.point, report.gains)
        try options.finish(
            camera, command: "white-balance",
            rows: [
                ("point", BalanceReport.text(point)),
                ("gains", "\(text(gains.red)),1,\(text(gains.blue))"),
                ("by the profile", report.expected.map { BalanceReport.text($0) } ?? "nothing"),
                (
                    "off neutral",
                    report.residual.map { "red \(text($0.red)), blue \(text($0.blue))" }
                        ?? "not measured: the camera can't be given these gains"
                ),
                ("curve", report.points.count.of("point")),
            ],
            json: [
                ("point", json(point)),
                ("gains_millionths", [.integer(gains.red), 1_000_000, .integer(gains.blue)]),
                ("profile_point", report.expected.map(json) ?? .null),
                ("residual_millionths", Self.json(report.residual)),
                ("curve", .array(report.points.map(json))),
            ], target: target
        ) { try report.figures(conditions: camera.conditions) }
    }

    /// What remained of red and blue, in millionths; null where it was not tried.
    private static func json(_ residual: (red: Int64, blue: Int64)?) -> JSONValue {
        guard let residual else { return .null }
        return [.integer(residual.red), .integer(residual.blue)]
    }
}
