internal import Timebase

/// A smooth random walk of the light's natural logarithm in time, from a seed.
///
/// Sixteen independent, normally distributed steps in a second, each eased in and out. Whole numbers and basic
/// operations of doubles alone, which are exact by standard: the same on every machine.
struct LightWalk {
    /// ln 8: the walk turns back so far from the usual.
    static let reach = 2.0794415416798357
    private static let stepTime = Interval.nanoseconds(62_500_000)

    /// The standard deviation of a step.
    private let deviation: Double
    private var random: SplitMix64
    /// Steps that are over.
    private var count: Int64 = 0
    /// Where the walk was before the present step and where it will be after it, in 2⁻²⁴ of the deviation.
    private var (before, after): (Int64, Int64)

    /// - Parameter deviation: the standard deviation after a second.
    init(deviation: Double, _ random: SplitMix64) {
        self.deviation = deviation / 4
        self.random = random
        before = 0
        after = Self.step(&self.random)
    }

    /// Where it is after a time, which is never less than the time before.
    mutating func logarithm(after elapsed: Interval) -> Double {
        let (step, rest) = elapsed.nanoseconds.flooredQuotientAndRemainder(
            dividingBy: Self.stepTime.nanoseconds)
        while count < step {
            count += 1
            before = after
            after += Self.step(&random)
        }
        let part = Double(rest) / Double(Self.stepTime.nanoseconds)
        let eased = part * part * (3 - 2 * part)
        let place = (Double(before) + Double(after - before) * eased) / 16_777_216 * deviation
        // As in a corridor with mirrors for walls.
        let corridor = 4 * Self.reach
        let shifted = place + Self.reach
        let inside = shifted - corridor * (shifted / corridor).rounded(.down)
        return (inside < corridor / 2 ? inside : corridor - inside) - Self.reach
    }

    /// A normally distributed number, as the sum of twelve uniform ones.
    private static func step(_ random: inout SplitMix64) -> Int64 {
        (0..<12).reduce(-6 << 24) { sum, _ in sum + Int64(random.next() >> 40) }
    }

    /// e to a power by multiplications alone; for powers between −4 and 4, to 12 digits.
    static func exponential(_ power: Double) -> Double {
        let part = power / 1_024
        var result = 1 + part * (1 + part / 2 * (1 + part / 3 * (1 + part / 4)))
        for _ in 0..<10 { result *= result }
        return result
    }
}
