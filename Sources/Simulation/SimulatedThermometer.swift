public import Devices
public import Timebase

/// The simulated rig's thermometer: it warms up by the run's own time, fast at first.
public struct SimulatedThermometer: Thermometer, Hashable {
    /// The temperature at the start.
    public var start: Temperature
    /// How much warmer it gets in the end, in thousandths of a degree.
    public var riseMillidegrees: Int64
    /// After how long it is half as much warmer.
    public var halfTime: Interval
    /// Whether it fails whenever it is read.
    public var isBroken = false

    /// A rig that warms up from 40 degC to 55 degC in some minutes.
    public static let usual = SimulatedThermometer(
        start: Temperature(millidegrees: 40_000), riseMillidegrees: 15_000,
        halfTime: .seconds(300))

    /// Creates a thermometer.
    public init(start: Temperature, riseMillidegrees: Int64, halfTime: Interval) {
        precondition(halfTime > .zero, "nothing warms up at once")
        self.start = start
        self.riseMillidegrees = riseMillidegrees
        self.halfTime = halfTime
    }

    /// What the manifest calls it.
    public var name: String { "simulated" }

    /// The temperature: `start + rise · t / (t + halfTime)`.
    public func read(at time: Instant<Session>) -> Temperature? {
        if isBroken { return nil }
        let elapsed = Int128(max(0, time.nanoseconds))
        let rise = Int128(riseMillidegrees) * elapsed / (elapsed + Int128(halfTime.nanoseconds))
        return Temperature(millidegrees: start.millidegrees + Int64(rise))
    }
}
