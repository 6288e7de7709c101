public import Timebase

/// How the simulated rig behaves.
public struct SimulationOptions: Hashable, Sendable {
    /// A disk for the record.
    public enum Disk: Hashable, Sendable {
        /// The host's, in its own time.
        case host
        /// One in virtual time; the host's takes what it takes.
        case simulated
        /// The same, for everything but pixels.
        case simulatedWithoutPixels
    }

    /// The seed of everything that is random.
    public var seed: UInt64
    /// Frames lost before delivery, per million; they leave a gap in the sequence.
    public var dropsPerMillion: Int
    /// Whether the run takes real time; otherwise the clock jumps over every wait.
    public var isRealTime: Bool
    /// Mean time between edges on every input line; each one varies by up to a quarter of it.
    public var edgeInterval: Interval
    /// Read and shot noise of the sensor.
    public var hasNoise: Bool
    /// What the camera looks at.
    public var scene = SimulatedScene.usual
    /// How long things take in it.
    public var delays = SimulatedDelays()
    /// How it exposes rows and timestamps frames.
    public var shutter = SimulatedShutter()
    /// Which lines are joined.
    public var wiring = SimulatedWiring()
    /// How its lens moves.
    public var lens = SimulatedLensDrive()
    /// Whether the camera's own automatics do their work; otherwise they hold what they have.
    public var hasWorkingAutomatics = false
    /// How the host's clocks and the camera's own run.
    public var timekeeping = SimulatedTimekeeping()
    /// How warm it gets; nil for a rig without thermometer.
    public var thermometer: SimulatedThermometer? = .usual
    /// Which disk the rig has.
    public var disk = Disk.host
    /// What goes wrong.
    public var faults = SimulatedFaults()
    /// What the driver reports falsely of its frames.
    public var driverFaults = SimulatedDriverFaults()
    /// What goes wrong with its lines.
    public var lineFaults = SimulatedLineFaults()
    /// Whether the camera is a raw sensor: it keeps time by its blanking, and has no rate of its own.
    public var isRawSensor = false
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
