internal import Glibc
internal import TestSupport

/// How long it takes to read a clock: a least time, shared out between both ways as the hardware likes, and tails.
///
/// The tails are exponential, and now and then heavy (Pareto, exponent 1.2, up to 10 ms), as an interrupted thread has.
struct ReadDelays: Sendable {
    private let leastThere: Int64
    private let leastBack: Int64
    private let tailThere: Double
    private let tailBack: Double
    private let heavyPercent: Int64

    init(_ random: inout SeededGenerator) {
        // 100 ns (a system clock) to 50 us (a transfer over USB).
        let least = pow(10, 2 + 2.7 * Self.unit(&random))
        let share = Self.unit(&random)
        leastThere = Int64(least * share)
        leastBack = Int64(least * (1 - share))
        tailThere = least * 2 * Self.unit(&random)
        tailBack = least * 2 * Self.unit(&random)
        heavyPercent = random.number(0...10)
    }

    /// The time until the second clock is read, and from there until the first is read again, in nanoseconds.
    func next(_ random: inout SeededGenerator) -> (there: Int64, back: Int64) {
        (
            leastThere + tail(&random, tailThere),
            leastBack + tail(&random, tailBack)
        )
    }

    private func tail(_ random: inout SeededGenerator, _ mean: Double) -> Int64 {
        let share = 1 - Self.unit(&random)
        let length =
            random.chance(heavyPercent) ? mean * pow(share, -1 / 1.2) : -mean * log(share)
        return Int64(min(length, 10_000_000))
    }

    /// A number from 0 to below 1.
    private static func unit(_ random: inout SeededGenerator) -> Double {
        Double(random.next() >> 11) / 9_007_199_254_740_992
    }
}
