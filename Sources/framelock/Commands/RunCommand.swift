internal import ArgumentParser
internal import Instrument
internal import Simulation

/// `framelock run`: runs a recipe and records it.
///
/// A usage error, an invalid recipe or a camera that is not there ends it before a folder is made; afterwards the exit
/// code is the verdict's.
struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Runs a recipe and records it; the verdict is the exit code.")

    @OptionGroup var options: RecipeOptions
    @OptionGroup var recording: RecordingOptions
    @Flag(
        help: """
            Let the kernel refuse other programs' writes to the camera while the run lasts (V4L2 priority); without it \
            they succeed, and are recorded as lock violations. It covers the video node alone: a raw sensor's controls \
            are on sub-devices, for which V4L2 has no priority, so writes there succeed and are recorded all the same.
            """)
    /// Asks the driver for V4L2 priority as long as the camera is open, and not until the stream starts only.
    var exclusive = false

    @Option(
        help: ArgumentHelp(
            "Write the newest recorded frame into this folder as preview.jpg, once a second; the run never waits.",
            valueName: "folder"),
        completion: .directory)
    /// The folder of `preview.jpg`; nil for no pictures.
    ///
    /// A picture that can't be written ends the preview, not the run.
    var preview: String?
    @OptionGroup var previewFlags: PreviewFlags
    @Option(
        help: ArgumentHelp(
            "Simulated camera: the seed of all that is random (default: 1).", valueName: "number")
    )
    /// Nil for the default; an attached camera refuses it, like the three options below.
    var seed: UInt64?
    @Option(
        help: ArgumentHelp(
            "Simulated camera: lose so many percent of the frames (default: 0).",
            valueName: "percent"))
    /// Whole percent, 0 to 100; finer chances and all other faults are the business of `simulate`.
    var simulateDrops: Int?
    @Option(
        help: ArgumentHelp(
            "Simulated camera: what it looks at, for example chart,moving=5%; `framelock simulate --help` has the"
                + " list.", valueName: "list"))
    /// Nil for the usual scene.
    var scene: String?
    /// For trying displays and previews: in virtual time an hour is over in seconds.
    @Flag(help: "Simulated camera: take as long as the recipe asks, instead of jumping over waits.")
    var realTime = false

    func validate() throws {
        guard (0...100).contains(simulateDrops ?? 0) else {
            throw ValidationError("--simulate-drops takes 0 to 100 (percent)")
        }
        guard preview != nil || previewFlags.isEmpty else {
            throw ValidationError(
                "--peaking, --zoom and --zoom-factor are for a preview: give --preview too")
        }
    }

    /// What was asked of the simulated camera; nil for nothing.
    private func simulation() throws -> SimulationOptions? {
        guard seed != nil || simulateDrops != nil || scene != nil || realTime else { return nil }
        var simulation = SimulationOptions(isRealTime: realTime)
        if let seed { simulation.seed = seed }
        if let scene { simulation.scene = try SceneList.parse(scene) }
        if let simulateDrops { simulation.dropsPerMillion = simulateDrops * 10_000 }
        return simulation
    }

    /// Runs the session, and throws the verdict's exit code for ArgumentParser to exit with, 0 too.
    func run() throws {
        try Console.run(asJSON: recording.json) {
            var acquisition = AcquisitionOptions()
            acquisition.isExclusive = exclusive
            acquisition.preview = try preview.map(previewFlags.options)
            acquisition.simulation = try simulation()
            throw ExitCode(try RunSession(options.request, recording, acquisition).run())
        }
    }
}
