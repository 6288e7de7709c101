internal import Timebase

/// A buffer of the simulated camera, and what the frame in it was exposed with.
struct SimulatedBuffer {
    var isTaken = false
    /// The frame in it.
    var frame: Int64 = 0
    /// When its readout began.
    var readout = Instant<Monotonic>.distantPast
    var state = SensorState()
    var light = SceneLight()
    /// The light of each row, where it differs.
    var rows: [SceneLight] = []
    /// How a scene that changes was; nil for one that does not.
    var conditions: SceneConditions?
    var isRendered = false
}
