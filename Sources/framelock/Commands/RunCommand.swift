internal import ArgumentParser
internal import Instrument
internal import Simulation

/// `framelock run`: runs a recipe and records it.
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
    var exclusive = false

    @Option(
        help: ArgumentHelp(
            "Write the newest recorded frame into this folder as preview.jpg, once a second; the run never waits.",
            valueName: "folder"),
        completion: .directory)
    var preview: String?
    @OptionGroup var previewFlags: PreviewFlags
    @Option(
        help: ArgumentHelp("Simulated camera: the seed of all that is random.", valueName: "number")
    )
    var seed: UInt64 = 1
    @Option(
        help: ArgumentHelp(
            "Simulated camera: lose so many percent of the frames.", valueName: "percent"))
    var simulateDrops = 0
    @Flag(help: "Simulated camera: take as long as the recipe says, instead of jumping over waits.")
    var realTime = false

    func validate() throws {
        guard (0...100).contains(simulateDrops) else {
            throw ValidationError("--simulate-drops takes 0 to 100 (percent)")
        }
    }

    func run() throws {
        try Console.run(asJSON: recording.json) {
            var acquisition = AcquisitionOptions()
            acquisition.isExclusive = exclusive
            acquisition.preview = try preview.map(previewFlags.options)
            acquisition.simulation = SimulationOptions(
                seed: seed, dropsPerMillion: simulateDrops * 10_000, isRealTime: realTime)
            throw ExitCode(try RunSession(options, recording, acquisition).run())
        }
    }
}
