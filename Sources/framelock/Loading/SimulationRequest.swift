internal import Instrument
internal import Logging
internal import Simulation
internal import Timebase

/// A simulation as it is asked for, and as the manifest of its run keeps it.
struct SimulationRequest {
    let seed: UInt64
    /// The lists as they were typed.
    let faults, scene: String
    let keepsPixels: Bool

    /// Prepares a run on the simulated rig, and warns of faults that it can't have.
    ///
    /// The realtime clock begins at a second of the years from 2020 on that follows from the seed.
    func session(_ recipe: RecipeRequest, _ recording: RecordingOptions) throws -> RunSession {
        var simulation = SimulationOptions(seed: seed)
        simulation.faults.injected = try FaultList.parse(faults)
        simulation.scene = try SceneList.parse(scene)
        simulation.lineFaults = simulation.faults.injected.lines
        simulation.disk = keepsPixels ? .simulated : .simulatedWithoutPixels
        // Some second of the years from 2020 on: the record has nothing from outside its seed.
        simulation.timekeeping.realtime = SimulatedCourse(
            offset: .seconds(1_577_836_800 + Int64(seed % 100_000_000)))
        var acquisition = AcquisitionOptions()
        acquisition.simulation = simulation
        (acquisition.faults, acquisition.scene) = (faults, scene)
        let session = try RunSession(recipe, recording, acquisition)
        for text in FaultList.withoutEffect(simulation.faults.injected, on: session.plan) {
            Console.log.warning("\(text)")
        }
        return session
    }
}
