public import Timebase

/// How the simulated rig behaves.
public struct SimulationOptions: Hashable, Sendable {
    /// The seed of everything that is random.
    public var seed: UInt64
    /// Frames lost before delivery, per million; they leave a gap in the sequence.
    public var dropsPerMillion: Int
    /// Whether the run takes as long as it says; otherwise the clock jumps over every wait.
    public var isRealTime: Bool
    /// Mean time between edges on every input line; each one varies by up to a quarter of it.
    public var edgeInterval: Interval
    /// Read and shot noise of the sensor.
    public var hasNoise: Bool
    /// What the camera looks at.
    public var scene = SimulatedScene.usual
    /// How its lens moves.
    public var lens = SimulatedLensDrive()
    /// Whether the camera's own automatics do their work; otherwise they hold what they have.
    public var hasWorkingAutomatics = false
    /// What goes wrong.
    public var faults = SimulatedFaults()
    /// What goes wrong with its lines.
    public var lineFaults = SimulatedLineFaults()
    /// The line that exposes the camera, by its name; nil for a free-running one.
    public var triggerLine: String?

    /// Creates options; the defaults are a faultless rig in virtual time.
    public init(
        seed: UInt64 = 1, dropsPerMillion: Int = 0, isRealTime: Bool = false,
        edgeInterval: Interval = .milliseconds(250), hasNoise: Bool = true
    ) {
        self.seed = seed
        self.dropsPerMillion = dropsPerMillion
        self.isRealTime = isRealTime
        self.edgeInterval = edgeInterval
        self.hasNoise = hasNoise
    }
}
