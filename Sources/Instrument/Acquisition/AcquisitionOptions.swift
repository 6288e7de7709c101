package import Simulation

/// How an acquisition deals with the world around it.
///
/// What only the command line sets is package-wide: programs that use the library get no simulated faults.
public struct AcquisitionOptions {
    /// Whether other programs' writes to the camera are refused while the run lasts.
    public var isExclusive = false
    /// Is handed what may be wrong with the recipe, as text with places, before any device is set.
    public var onWarning: @Sendable (String) -> Void = { _ in }
    /// Whether a run may begin that its disk has no room for; it ends when that is full.
    public var fillsDisk = false
    /// Pictures of the newest recorded frame, once a second; nil for none.
    public var preview: PreviewOptions?
    /// How the simulated rig behaves; nil for its defaults.
    ///
    /// With an attached camera anything else is refused.
    package var simulation: SimulationOptions?
    /// The same with the defaults.
    var simulationOrDefault: SimulationOptions { simulation ?? SimulationOptions() }
    /// The faults of a simulation as they were asked for; then any recipe runs on the simulated rig, and the truth is
    /// recorded too.
    package var faults: String?
    /// The scene of a simulation as it was asked for.
    package var scene = ""
    /// Counts requests to stop; signals may be passed to it.
    package var stop: StopSignals?

    /// Usual options.
    public init() {}
}
