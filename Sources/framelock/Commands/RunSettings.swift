internal import Simulation

/// What a run is to be, from whichever command.
struct RunSettings {
    let options: RecipeOptions
    let recording: RecordingOptions
    /// The simulated rig, where the recipe or the command asks for it.
    let simulation: SimulationOptions
    /// Whether other programs' writes to the camera are refused meanwhile.
    var isExclusive = false
    /// For `simulate`: the faults as they were asked for; then any recipe runs on the simulated rig, and the truth is
    /// recorded too.
    var faults: String?
}
