public import Timebase

/// A sensor that is exposed by a line: what it takes, and what becomes of its frames.
///
/// It takes a pulse when it is idle, begins 10 to 30 µs later, and is busy for the exposure and 2 ms after it.
public struct SimulatedTriggeredSensor: Sendable {
    /// What becomes of a frame on its way to the host.
    public enum Fate: Hashable, Sendable {
        /// The driver delivers it, if it has a buffer.
        case delivered
        /// It is lost inside the camera and gets no number.
        case lostInside
        /// The driver loses it; its number is missing.
        case lostByDriver
    }

    /// A frame that the sensor makes.
    public struct Frame: Hashable, Sendable {
        /// When its exposure ends and its readout begins.
        public var readout: Instant<Monotonic>
        /// What becomes of it.
        public var fate: Fate
        /// Whether a pulse made it.
        public var hasPulse: Bool
    }

    /// The least and the most time from a pulse to the start of its exposure.
    public static let delay = (
        shortest: Interval.microseconds(10), longest: Interval.microseconds(30)
    )
    /// How long after an exposure the sensor takes no pulse.
    public static let deadTime = Interval.milliseconds(2)

    private let faults: SimulatedLineFaults
    private var random: SplitMix64
    /// When the sensor takes a pulse again.
    private var readyAt = Instant<Monotonic>.distantPast

    /// Creates an idle sensor.
    public init(faults: SimulatedLineFaults, seed: UInt64) {
        self.init(faults: faults, random: SplitMix64(seed: seed))
    }

    init(faults: SimulatedLineFaults, random: SplitMix64) {
        self.faults = faults
        self.random = random
    }

    /// A pulse comes.
    ///
    /// - Returns: its frame; nil if the sensor is busy.
    public mutating func take(_ pulse: SimulatedPulse, exposure: Interval) -> Frame? {
        guard pulse.reachesCamera, pulse.time >= readyAt else { return nil }
        readyAt = pulse.time + exposure + Self.deadTime
        let delay = Self.delay.shortest + .microseconds(Int64(random.next() % 21))
        return Frame(readout: pulse.time + delay + exposure, fate: fate(), hasPulse: true)
    }

    /// A moment without a pulse: the sensor may make a frame by itself.
    public mutating func idle(at time: Instant<Monotonic>, exposure: Interval) -> Frame? {
        guard time >= readyAt, random.happens(faults.spuriousFrames) else { return nil }
        readyAt = time + exposure + Self.deadTime
        return Frame(readout: time + exposure, fate: fate(), hasPulse: false)
    }

    /// Draws what becomes of a frame.
    private mutating func fate() -> Fate {
        if random.happens(faults.lostInside) { return .lostInside }
        return random.happens(faults.lostByDriver) ? .lostByDriver : .delivered
    }
}
