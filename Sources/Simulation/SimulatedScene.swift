public import Devices
public import Timebase

/// What the simulated camera looks at.
public struct SimulatedScene: Hashable, Sendable {
    /// How bright ambient light and outputs are, in millionths of the usual.
    public var luminanceMillionths: Int64
    /// Red light relative to white light, in millionths: above a million is warmer.
    public var redMillionths: Int64
    /// Blue light relative to white light, in millionths: above a million is colder.
    public var blueMillionths: Int64
    /// Where the lens is sharpest.
    public var bestFocus: LensPosition
    /// What is in the picture.
    public var subject = Subject.plain
    /// How it changes.
    public var changes = SceneChanges()

    /// What there is to see.
    public enum Subject: Hashable, Sendable {
        /// A gradient with a fine texture in its middle: the same everywhere, so that brightness is told exactly.
        case plain
        /// A test chart: gray steps, colours, slanted edges and bars.
        case chart
    }

    /// The usual scene: white light, sharpest at 0.4.
    public static let usual = SimulatedScene()

    /// Creates a scene; what is not given is as usual.
    public init(
        luminanceMillionths: Int64 = 1_000_000, redMillionths: Int64 = 1_000_000,
        blueMillionths: Int64 = 1_000_000, bestFocus: LensPosition? = nil
    ) {
        self.luminanceMillionths = luminanceMillionths
        self.redMillionths = redMillionths
        self.blueMillionths = blueMillionths
        self.bestFocus = bestFocus ?? Self.usualFocus
    }

    private static let usualFocus: LensPosition = {
        guard let position = LensPosition(millionths: 400_000) else {
            preconditionFailure("0.4 is a lens position")
        }
        return position
    }()

    /// The mean of what the scene reflects of green light, or in its plain form of any.
    var meanReflectance: Float { subject == .plain ? 0.8 : TestChart.meanGreen }

    /// The lens code of ``bestFocus``; codes run from 1000 (near) to 0 (far).
    var bestFocusCode: Int64 { (1_000_000 - bestFocus.millionths + 500) / 1_000 }
}

/// How the simulated lens moves.
public struct SimulatedLensDrive: Hashable, Sendable {
    /// The lens stops this many codes short of where it is sent, on the side that it comes from.
    public var hysteresisCodes: Int64
    /// The distance to its rest falls to 1/e in this time; zero jumps.
    public var settleTime: Interval

    /// Creates a drive; without figures it is ideal.
    public init(hysteresisCodes: Int64 = 0, settleTime: Interval = .zero) {
        self.hysteresisCodes = hysteresisCodes
        self.settleTime = settleTime
    }
}

/// What goes wrong with the simulated camera's controls.
public struct SimulatedFaults: Hashable, Sendable {
    /// Controls whose writes fail with EIO.
    public var refusedControls: Set<CameraControl>
    /// The camera is unplugged before this frame is delivered.
    public var unpluggedBeforeFrame: Int64?

    /// What goes wrong by chance or at a time.
    public var injected = InjectedFaults()

    /// Creates faults; none unless they are named.
    public init(refusedControls: Set<CameraControl> = [], unpluggedBeforeFrame: Int64? = nil) {
        self.refusedControls = refusedControls
        self.unpluggedBeforeFrame = unpluggedBeforeFrame
    }
}
