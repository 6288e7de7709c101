internal import TestSupport
internal import Timebase

/// Converts times of simulated clock pairs, while readings come in and afterwards, and holds the answers to the truth.
public struct ClockProof: Proof {
    /// By which it is called.
    public static let name = "clocks"
    /// What holds.
    public static let claim =
        "the stated interval holds the truth in 99.9 % of conversions between clocks"
    /// Pairs of clocks.
    public static let caseCount = 1_000

    /// Conversions of one kind.
    private struct Count {
        var all = 0
        var held = 0
        var unanswered = 0
        var halfWidths: [Int64] = []

        /// In parts of a million.
        var coveragePerMillion: Int { all == 0 ? 0 : held * 1_000_000 / all }

        mutating func note(_ answer: BoundedInstant<DeviceClock>?, _ truth: (Int64, Bool)) -> Bool {
            all += 1
            guard let answer else {
                unanswered += 1
                return false
            }
            halfWidths.append(answer.halfWidth.nanoseconds)
            let low = answer.instant.nanoseconds - answer.halfWidth.nanoseconds
            let high = answer.instant.nanoseconds + answer.halfWidth.nanoseconds
            let holds = low <= truth.0 && truth.0 + (truth.1 ? 1 : 0) <= high
            held += holds ? 1 : 0
            return holds
        }
    }

    private static let seconds = 1_800
    private static let readsInBurst = 8

    private var online = Count()
    private var offline = Count()

    /// Creates an empty tally.
    public init() {}

    /// Coverage and median half-width, online and offline.
    public var figures: [String] {
        [("online", online), ("offline", offline)].map { name, count in
            let sorted = count.halfWidths.sorted()
            let median = sorted.isEmpty ? 0 : sorted[sorted.count / 2]
            return "\(name): \(count.held) of \(count.all) hold the truth"
                + " (\(Double(count.coveragePerMillion) / 10_000) %),"
                + " median half-width \(median) ns, \(count.unanswered) unanswered"
        }
    }

    /// Tries some pairs; the coverage counts over all of them.
    public mutating func run(cases: Range<Int>) throws -> [String] {
        for seed in cases { run(seed: UInt64(seed)) }
        return [("online", online), ("offline", offline)].compactMap { name, count in
            count.coveragePerMillion >= 999_000
                ? nil
                : "\(name): \(count.all - count.held) of \(count.all) conversions miss the truth"
        }
    }

    private mutating func run(seed: UInt64) {
        var pair = SimulatedClockPair(seed: seed, seconds: Self.seconds)
        let behaviour: ClockBehaviour = pair.discipline == .free ? .freeQuartz : .steered
        var random = SeededGenerator(seed: seed ^ 0xC10C)
        var estimator = ClockEstimator<Monotonic, DeviceClock>(behaviour)
        var readings: [ClockReading<Monotonic, DeviceClock>] = []
        var times: [Int64] = []
        for second in 0..<Self.seconds {
            let begin = pair.beginning + Int64(second) * 1_000_000_000
            for look in pair.burst(of: Self.readsInBurst, at: begin) {
                guard
                    let reading = ClockReading<Monotonic, DeviceClock>(
                        before: Instant(nanoseconds: look.before),
                        reading: Instant(nanoseconds: look.reading),
                        after: Instant(nanoseconds: look.after),
                        resolution: .nanoseconds(pair.resolution))
                else { continue }
                _ = estimator.add(reading)
                readings.append(reading)
            }
            // Some time before the next burst: from the end of this one on.
            let last = readings.last?.floor?.from.nanoseconds ?? begin
            let time = random.number(last...max(last, begin + 1_000_000_000))
            _ = online.note(estimator.convert(Instant(nanoseconds: time)), pair.truth(at: time))
            times.append(time)
        }
        let relation = ClockFit(readings, behaviour: behaviour).relation(
            covering: Instant(nanoseconds: times[0])...Instant(nanoseconds: times[times.count - 1]))
        for time in times {
            _ = offline.note(relation.convert(Instant(nanoseconds: time)), pair.truth(at: time))
        }
    }
}
