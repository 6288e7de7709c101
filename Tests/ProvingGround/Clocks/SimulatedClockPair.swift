internal import Glibc
internal import TestSupport

/// Two clocks whose relation is known exactly, and readings of it as hosts take them.
///
/// The truth is a sum of whole numbers in 128 bits: offset, an oscillator whose rate is a straight line within each
/// second, slews and steps. It knows nothing of the estimators that are tried on it.
public struct SimulatedClockPair: Sendable {
    /// What the second clock's owner does to it, besides letting it run.
    public enum Discipline: Sendable {
        /// Nothing but steps.
        case free
        /// A daemon corrects its rate all the time, and slews and steps it now and then.
        case steered
    }

    /// One look: the first clock, the second, the first again.
    public struct Sandwich: Sendable {
        /// The first clock before, in nanoseconds.
        public var before: Int64
        /// The second clock.
        public var reading: Int64
        /// The first clock afterwards.
        public var after: Int64
    }

    /// An added rate between two times, in parts of 10^15.
    private struct Slew: Sendable {
        var start: Int64
        var end: Int64
        var femto: Int64
    }

    private static let second: Int64 = 1_000_000_000
    /// The oscillator's phase is counted in parts of 2·10^15·10^9 of a nanosecond: sums stay whole.
    private static let part: Int128 = 2_000_000_000_000_000 * 1_000_000_000

    /// What is done to the second clock.
    public let discipline: Discipline
    /// When it was stepped, on the first clock, and by how much.
    public let steps: [(time: Int64, jump: Int64)]
    /// By how much the second clock advances at a time.
    public let resolution: Int64

    private let start: Int64
    private let offset: Int64
    /// The rate less one at each full second, in parts of 10^15.
    private let rates: [Int64]
    /// The phase that has come together by each full second, in ``part``.
    private let phases: [Int128]
    private let slews: [Slew]
    private let delays: ReadDelays
    private var random: SeededGenerator

    /// Makes a pair of clocks, and how they are read for so many seconds.
    ///
    /// - Parameters:
    ///   - seed: decides everything else.
    ///   - seconds: how long they are watched.
    ///   - wanderFemtoPerSecond: how fast the rate moves at most.
    ///   - smallestStep: of the second clock, in nanoseconds.
    ///   - isQuiet: whether nobody touches the second clock.
    public init(
        seed: UInt64, seconds: Int, wanderFemtoPerSecond: Int64 = 20_000_000,
        smallestStep: Int64 = 20_000, isQuiet: Bool = false
    ) {
        var random = SeededGenerator(seed: seed)
        discipline = random.chance(isQuiet ? 0 : 20) ? .steered : .free
        start = random.number(0...1 << 58)
        offset = random.number(-(1 << 60)...1 << 60)
        resolution = random.chance(25) ? 1_000 : 1
        delays = ReadDelays(&random)
        rates = Self.rates(
            &random, seconds: seconds, wander: random.number(0...wanderFemtoPerSecond))
        var phase: Int128 = 0
        phases =
            [0]
            + zip(rates, rates.dropFirst()).map { first, last in
                phase += Int128(first + last) * Int128(Self.second) * Int128(Self.second)
                return phase
            }
        let end = start + Int64(seconds) * Self.second
        let (begin, span) = (start, start...end)
        steps = (0..<(isQuiet ? 0 : random.below(4))).map { _ in
            let size = Self.anySize(&random, from: smallestStep, upTo: 3_600 * Self.second)
            return (random.number(span), random.chance(50) ? size : -size)
        }.sorted { $0.0 < $1.0 }
        slews = discipline == .free ? [] : Self.slews(&random, from: begin, to: end)
        self.random = random
    }

    /// The first clock when it all begins.
    public var beginning: Int64 { start }

    /// What the second clock shows, as a whole number of nanoseconds and the rest above it, at a time of the first.
    public func truth(at time: Int64) -> (nanoseconds: Int64, hasRest: Bool) {
        let since = time - start
        let index = min(max(0, Int(since / Self.second)), rates.count - 2)
        let rest = Int128(since - Int64(index) * Self.second)
        let (first, last) = (Int128(rates[index]), Int128(rates[index + 1]))
        var sum =
            phases[index] + 2 * Int128(Self.second) * first * rest + (last - first) * rest * rest
        for slew in slews where slew.start < time {
            let length = Int128(min(time, slew.end) - slew.start)
            sum += length * Int128(slew.femto) * 2 * Int128(Self.second)
        }
        var jumps = Int128(0)
        for step in steps where step.time <= time { jumps += Int128(step.jump) }
        var (quotient, remainder) = sum.quotientAndRemainder(dividingBy: Self.part)
        if remainder < 0 { (quotient, remainder) = (quotient - 1, remainder + Self.part) }
        return (Int64(Int128(time) + Int128(offset) + jumps + quotient), remainder != 0)
    }

    /// Looks at the clocks a few times one after the other, from a time of the first clock on.
    public mutating func burst(of count: Int, at time: Int64) -> [Sandwich] {
        var now = time
        return (0..<count).map { _ in
            let before = now
            let (there, back) = delays.next(&random)
            let shown = truth(at: before + there).nanoseconds
            now = before + there + back
            defer { now += random.number(50...2_000) }
            // A clock counts in steps of its resolution, and shows what is full.
            let rest = shown % resolution
            return Sandwich(
                before: before, reading: shown - (rest < 0 ? rest + resolution : rest), after: now)
        }
    }

    /// The rate at each second: a crystal that warms up, breathes with the room, or wanders; or does nothing.
    private static func rates(
        _ random: inout SeededGenerator, seconds: Int, wander: Int64
    ) -> [Int64] {
        let shape = random.below(4)
        let period = Double(random.number(20...1_200))
        let phase = Double(random.number(0...1_000)) / 159
        var rate = random.number(-100_000_000_000...100_000_000_000)
        var slope: Int64 = 0
        return (0..<seconds + 2).map { second in
            defer {
                let share: Double =
                    switch shape {
                    case 0: 0
                    case 1: exp(-Double(second) / period)
                    case 2: sin(2 * .pi * Double(second) / period + phase)
                    default: Double(slope) / Double(max(1, wander))
                    }
                if shape == 3 {
                    slope = max(-wander, min(wander, slope + random.number(-wander...wander) / 4))
                }
                rate += max(-wander, min(wander, Int64(share * Double(wander))))
            }
            return rate
        }
    }

    /// Corrections below 0.1 ppm every half minute or so, and a few slews of up to 500 ppm.
    private static func slews(
        _ random: inout SeededGenerator, from start: Int64, to end: Int64
    ) -> [Slew] {
        var slews: [Slew] = []
        var time = start
        while time < end {
            let next = time + random.number(16 * second...64 * second)
            slews.append(
                Slew(start: time, end: next, femto: random.number(-50_000_000...50_000_000)))
            time = next
        }
        for _ in 0..<random.below(3) {
            let begin = random.number(start...end)
            let femto = anySize(&random, from: 5_000_000_000, upTo: 500_000_000_000)
            slews.append(
                Slew(
                    start: begin, end: begin + random.number(1 * second...60 * second),
                    femto: random.chance(50) ? femto : -femto))
        }
        return slews
    }

    /// A number of any order of magnitude between two.
    private static func anySize(
        _ random: inout SeededGenerator, from least: Int64, upTo greatest: Int64
    ) -> Int64 {
        var size = random.number(upTo: greatest)
        while size < least { size = random.number(upTo: greatest) }
        return size
    }
}
