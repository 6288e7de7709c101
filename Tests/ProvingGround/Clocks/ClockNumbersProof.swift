internal import TestSupport
internal import Timebase

/// Feeds estimators and fits with numbers that no clock shows.
public struct ClockNumbersProof: Proof {
    /// As `framelock-prove` calls it.
    public static let name = "clock-numbers"
    /// What holds.
    public static let claim = "no numbers make a relation of clocks trap"
    /// Estimators, a third of each behaviour.
    public static let caseCount = 5_000

    private static let behaviours = [ClockBehaviour.sameOscillator, .freeQuartz, .steered]
    private static let edges: [Int64] = [
        .min, .min + 1, .min / 2, -1, 0, 1, .max / 2, .max - 1, .max,
    ]

    private var random = SeededGenerator(seed: 0)

    /// Creates a proof without cases.
    public init() {}

    /// Tries some estimators; a trap ends the program.
    public mutating func run(cases: Range<Int>) -> [String] {
        for number in cases {
            random = SeededGenerator(seed: UInt64(number))
            feed(Self.behaviours[number % Self.behaviours.count])
        }
        return []
    }

    private mutating func feed(_ behaviour: ClockBehaviour) {
        var estimator = ClockEstimator<Monotonic, DeviceClock>(behaviour, knots: 16)
        var readings: [ClockReading<Monotonic, DeviceClock>] = []
        for _ in 0..<12 {
            readings.append(ClockReading(ceiling: point(), floor: point()))
            _ = estimator.add(readings[readings.count - 1])
            _ = estimator.convert(Instant(nanoseconds: anything()))
            _ = estimator.rate
        }
        let time = Instant<Monotonic>(nanoseconds: anything())
        let end = Instant<Monotonic>(nanoseconds: anything())
        let back = Instant<DeviceClock>(nanoseconds: anything())
        let fit = ClockFit(readings, behaviour: behaviour)
        for relation in [estimator.relation, fit.relation()] {
            _ = relation.convert(time)
            _ = relation.convert(BoundedInstant(time, halfWidth: .nanoseconds(.max)))
            _ = relation.convertBack(back...back, within: min(time, end)...max(time, end))
            _ = relation.segments.map(\.rate)
        }
    }

    private mutating func point() -> ClockReading<Monotonic, DeviceClock>.Point? {
        random.chance(80)
            ? .init(Instant(nanoseconds: anything()), Instant(nanoseconds: anything())) : nil
    }

    private mutating func anything() -> Int64 {
        random.chance(40)
            ? random.element(of: Self.edges)
            : Int64(bitPattern: random.next()) >> random.number(0...62)
    }
}
