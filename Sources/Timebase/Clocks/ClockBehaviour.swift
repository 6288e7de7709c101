/// What is assumed of two clocks, so that readings at one time bound their relation at another.
///
/// Every stated interval holds the truth as long as the clocks keep to this, and between breaks of it that the readings
/// show. Too generous costs width, too strict costs truth.
public struct ClockBehaviour: Hashable, Sendable {
    /// By how much the clocks' rates differ at most; not negative, below one.
    public let rateLimit: ClockRate
    /// By how much that difference changes in a second at most, in parts of 10^15; not negative.
    public let wanderFemtoPerSecond: Int64
    /// By how much it may change at once, as when a daemon corrects the frequency; not negative.
    ///
    /// Greater changes show as breaks.
    public let rateJump: ClockRate

    /// Creates the terms.
    ///
    /// - Parameters:
    ///   - rateLimit: 0 to below one.
    ///   - wanderFemtoPerSecond: 0 to 10^10, which is 10 ppm in a second.
    ///   - rateJump: 0 to 10 ppm; without wander, 0.
    public init(
        rateLimit: ClockRate, wanderFemtoPerSecond: Int64,
        rateJump: ClockRate = .init(excessFemto: 0)
    ) {
        precondition(0..<ClockRate.unit ~= rateLimit.excessFemto, "a rate limit is below one")
        precondition(0...10_000_000_000 ~= wanderFemtoPerSecond, "wander is up to 10 ppm/s")
        precondition(0...10_000_000_000 ~= rateJump.excessFemto, "a rate jump is up to 10 ppm")
        precondition(rateJump.excessFemto == 0 || wanderFemtoPerSecond > 0, "jumps need wander")
        self.rateLimit = rateLimit
        self.wanderFemtoPerSecond = wanderFemtoPerSecond
        self.rateJump = rateJump
    }

    /// Two clocks of one oscillator that are slewed together, as the host's realtime, TAI and boottime with monotonic.
    ///
    /// Their difference is constant between steps.
    public static let sameOscillator = ClockBehaviour(
        rateLimit: ClockRate(excessFemto: 0), wanderFemtoPerSecond: 0)

    /// Two quartz oscillators that nothing steers: up to 250 ppm, which warm up by up to 20 ppb a second.
    ///
    /// The wander is that of an AT cut 15 K off its turning point (1 ppm/K) whose temperature moves by 1.2 K a minute.
    public static let freeQuartz = ClockBehaviour(
        rateLimit: .partsPerBillion(250_000), wanderFemtoPerSecond: 20_000_000)

    /// Two oscillators of which one or both are steered: NTP slews by up to 500 ppm more, PTP servos correct all the
    /// time.
    ///
    /// Corrections up to 0.1 ppm are borne, greater ones are breaks.
    public static let steered = ClockBehaviour(
        rateLimit: .partsPerBillion(1_000_000), wanderFemtoPerSecond: 20_000_000,
        rateJump: .partsPerBillion(100))
}
