internal import ArgumentParser
internal import Instrument
internal import Logging
internal import Notation
internal import Recipes
internal import Records

/// `framelock rerun`: once more what a run has acquired.
struct RerunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rerun",
        abstract: "Acquires once more what a run has acquired; the verdict is the exit code.",
        discussion: """
            Recipe and parameters are those in the run folder; camera, rig and profile are those of this machine, as \
            with `framelock run`. A recipe that meters does so again. If the plan comes out as another one, for \
            example since the profile has changed, a warning says so; `framelock diff` shows in what. A run of \
            `framelock simulate` is simulated again, with its seed, faults and scene: its record is the same, byte for \
            byte, with the same rig (--rig), which is not in the record. Nor is what `framelock run` was told of the \
            simulated camera (--seed, --simulate-drops, --scene).
            """)

    @Argument(help: "The run folder.", completion: .directory)
    var folder: String
    @OptionGroup var machine: MachineOptions
    @OptionGroup var recording: RecordingOptions

    func run() throws {
        try Console.run(asJSON: recording.json) {
            let run = try RecordedRun(path: folder)
            let overrides = run.manifest.parameters.filter(\.isOverridden)
                .map { "\($0.name)=\($0.value)" }
            let request = machine.request(run.folder.recipe, overrides)
            guard try FileDigest.ofFile(run.folder.recipe) == run.manifest.recipeDigest else {
                throw Failure.recipe(
                    "\(run.folder.recipe) is not the recipe of that run: `framelock run` takes it as its own"
                )
            }
            let session = try session(run.manifest, request)
            if session.plan.digest != run.manifest.planDigest {
                Console.log.warning(
                    "the plan is another one than that of \(folder): `framelock diff` shows in what"
                )
            }
            throw ExitCode(try session.run())
        }
    }

    /// On the simulated rig where the run was a simulation.
    private func session(_ manifest: Manifest, _ request: RecipeRequest) throws -> RunSession {
        let host = manifest.host
        guard host["simulated"]?.boolValue == true else {
            return try RunSession(request, recording, AcquisitionOptions())
        }
        guard let seed = host["seed"]?.stringValue.flatMap({ UInt64($0) }) else {
            throw Failure.recipe("run.json has no seed of a simulation that can be read")
        }
        return try SimulationRequest(
            seed: seed, faults: host["faults"]?.stringValue ?? "",
            scene: host["scene"]?.stringValue ?? "", keepsPixels: manifest.keepsPixels
        ).session(request, recording)
    }
}
