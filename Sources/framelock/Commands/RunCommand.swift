internal import ArgumentParser
internal import Engine
internal import LinuxDevices
internal import Records
internal import Simulation
internal import Timebase

/// `framelock run`: runs a recipe and records it.
struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Runs a recipe and records it; the verdict is the exit code.")

    @OptionGroup var options: RecipeOptions
    @Option(
        help: ArgumentHelp(
            "Record into exactly this new folder.", valueName: "folder"),
        completion: .directory)
    var output: String?
    @Option(
        help: ArgumentHelp(
            "Record into a new folder in this one, named after time and recipe (default: runs).",
            valueName: "folder"),
        completion: .directory)
    var runsIn: String?
    @Flag(
        help: """
            Let the kernel refuse other programs' writes to the camera while the run lasts (V4L2 priority); without it \
            they succeed, and are recorded as lock violations.
            """)
    var exclusive = false
    @Flag(help: "At the end print what `framelock show --json` prints.")
    var json = false
    @Flag(help: "No progress bar.")
    var quiet = false

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
        guard output == nil || runsIn == nil else {
            throw ValidationError("give --output or --runs-in, not both")
        }
        guard (0...100).contains(simulateDrops) else {
            throw ValidationError("--simulate-drops takes 0 to 100 (percent)")
        }
    }

    func run() throws {
        try Console.run {
            let session = try RunSession(self)
            throw ExitCode(try session.run())
        }
    }

    var simulation: SimulationOptions {
        SimulationOptions(
            seed: seed, dropsPerMillion: simulateDrops * 10_000, isRealTime: realTime)
    }
}
