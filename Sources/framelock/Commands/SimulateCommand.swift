internal import ArgumentParser
internal import Instrument

/// `framelock simulate`: runs a recipe on the simulated rig, with faults, and records the truth beside the record.
struct SimulateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract:
            "Runs a recipe on simulated hardware with chosen faults; the verdict is the exit code.",
        discussion: """
            Time is virtual: with --no-pixels a day takes about a minute. The same recipe, seed, faults and scene make \
            the same record, byte for byte. Beside the record, truth.jsonl has what was injected, what each frame of \
            the sensor really had, and what became of each edge. The camera is a simulated one whichever the recipe \
            means; a name in a rig needs the rig, for example --rig hardware/rigs/simulated.yaml.

            Faults are separated by commas, for example --faults drop=1%,late-write=5%,disk-stall=2s@30s; times count \
            from the start of the stream:
            \(FaultList.help)

            The scene is a list too, for example --scene brightness=1%,drift=10%/s:
            \(SceneList.help)
            """)

    /// Decides everything that is random, the record's dates included, so that the record is the same byte for byte.
    @OptionGroup var options: RecipeOptions
    @OptionGroup var recording: RecordingOptions
    @Option(help: ArgumentHelp("The seed of all that is random.", valueName: "number"))
    var seed: UInt64 = 1
    /// The list as it was typed; ``FaultList/parse(_:)`` reads it, and the manifest keeps it.
    ///
    /// Empty for a run without faults.
    @Option(help: ArgumentHelp("What goes wrong.", valueName: "list"))
    var faults = ""
    /// The list as it was typed; ``SceneList/parse(_:)`` reads it, and the manifest keeps it.
    ///
    /// Empty for the usual scene.
    @Option(help: ArgumentHelp("What the camera looks at.", valueName: "list"))
    var scene = ""
    @Flag(
        help: ArgumentHelp(
            "Record no pixels, for long simulations of time and triggers. Brightness proves nothing then: lost, late"
                + " and ignored writes are found by metadata only."))
    /// Ledger, events and truth are complete, and measures of the pixels are empty; a recipe that makes stills is
    /// refused.
    var noPixels = false

    /// Runs the recipe on the simulated rig, whatever camera it names, and throws the verdict's exit code.
    func run() throws {
        try Console.run(asJSON: recording.json) {
            let request = SimulationRequest(
                seed: seed, faults: faults, scene: scene, keepsPixels: !noPixels)
            let session = try request.session(options.request, recording)
            throw ExitCode(try session.run())
        }
    }
}
