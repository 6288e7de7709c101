public import Timebase

/// How a simulated clock runs against the simulated rig's `CLOCK_MONOTONIC`, which is the truth there.
///
/// Exact: whole numbers only, so that a test can compute to the nanosecond what the clock showed.
public struct SimulatedCourse: Hashable, Sendable {
    /// The clock is set to another time.
    public struct Step: Hashable, Sendable {
        /// When, since the rig was made.
        public var at: Interval
        /// By how much, forward or back.
        public var by: Interval
        /// Creates a step.
        public init(at: Interval, by: Interval) {
            self.at = at
            self.by = by
        }
    }

    /// What the clock shows beyond the monotonic one when the rig is made.
    public var offset: Interval
    /// How much faster it runs, in parts per 10⁹.
    public var fastPartsPerBillion: Int64
    /// How far its rate wanders to either side, in parts per 10⁹: to and fro in a straight line.
    public var wanderPartsPerBillion: Int64
    /// From one turning point of the wander to the same again; positive.
    public var wanderPeriod: Interval
    /// Steps, in the order of time.
    public var steps: [Step]

    /// Creates a course; the default is the monotonic clock itself.
    public init(
        offset: Interval = .zero, fastPartsPerBillion: Int64 = 0, wanderPartsPerBillion: Int64 = 0,
        wanderPeriod: Interval = .seconds(600), steps: [Step] = []
    ) {
        precondition(wanderPeriod > .zero, "a wander takes time")
        self.offset = offset
        self.fastPartsPerBillion = fastPartsPerBillion
        self.wanderPartsPerBillion = wanderPartsPerBillion
        self.wanderPeriod = wanderPeriod
        self.steps = steps
    }

    /// What the clock shows, rounded down.
    ///
    /// - Parameters:
    ///   - now: the true time.
    ///   - origin: when the rig was made.
    public func reading(at now: Instant<Monotonic>, since origin: Instant<Monotonic>) -> Int64 {
        let elapsed = (now - origin).nanoseconds
        let billion: Int128 = 1_000_000_000
        let gained =
            Int128(elapsed) * Int128(fastPartsPerBillion) * Int128(wanderPeriod.nanoseconds)
            + Int128(wanderPartsPerBillion)
            * TriangleWave.integral(
                to: Int128(elapsed), period: Int128(wanderPeriod.nanoseconds))
        let parts = gained.flooredQuotientAndRemainder(
            dividingBy: billion * Int128(wanderPeriod.nanoseconds)
        ).quotient
        var reading = now.nanoseconds + offset.nanoseconds + Int64(parts)
        for step in steps where step.at.nanoseconds <= elapsed {
            reading += step.by.nanoseconds
        }
        return reading
    }
}
