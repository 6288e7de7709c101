internal import Devices
internal import Simulation

/// A million triggers with every fault of lines, kernel, camera and host.
public struct TriggerProof: Proof {
    /// `triggers`.
    public static let name = "triggers"
    /// What holds.
    public static let claim =
        "each edge and frame of a triggered camera is classed as what it was, or one in 10,000 as"
        + " ambiguous"
    /// So many times ``pulsesPerCase`` pulses.
    public static let caseCount = 100
    /// Pulses of a case.
    package static let pulsesPerCase = 10_000

    /// Cases that once found something, and what; they stay.
    package static let foundSomething: [(number: Int, what: String)] = [
        (404, "an edge while the sensor was busy with a frame that was lost inside was `spurious`"),
        (1144, "the same"),
        (1365, "an edge that the camera never saw was given the lost frame of the next one"),
    ]

    private var ambiguous = 0
    private var total = 0
    private var pulses = 0
    private var counts: [String: Int] = [:]

    /// Creates a proof without cases.
    public init() {}

    /// Plays each case and asks the oracle.
    public mutating func run(cases: Range<Int>) throws -> [String] {
        let oracles = try Workers.map(cases) { number in
            var oracle = TriggerOracle(
                TriggerRig(seed: UInt64(number)).play(Self.pulsesPerCase))
            oracle.judge()
            return oracle
        }
        var complaints: [String] = []
        for (number, oracle) in zip(cases, oracles) {
            complaints += oracle.complaints.map { "case \(number): \($0)" }
            ambiguous += oracle.ambiguous
            total += oracle.total
            pulses += Self.pulsesPerCase
            counts.merge(oracle.counts) { $0 + $1 }
        }
        // In few triggers one long stall is much.
        if pulses >= 1_000_000, ambiguous * 10_000 >= total {
            complaints.append("\(ambiguous) of \(total) are ambiguous")
        }
        return complaints
    }

    /// Edges and frames by class, and the rates of faults.
    public var figures: [String] {
        let faults = TriggerRig.faults(isOlder: false)
        return counts.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" } + [
            "ambiguous: \(ambiguous) of \(total)",
            "per million pulses: \(faults.bounces) bounces, \(faults.doubled) doubled,"
                + " \(faults.missing) missing, \(faults.spikes) spikes, \(faults.pauses) pauses,"
                + " \(faults.lateTimestamps) late and \(faults.overdueTimestamps) overdue timestamps,"
                + " \(faults.spuriousFrames) spurious frames, \(faults.lostInside) lost inside,"
                + " \(faults.lostByDriver) lost by the driver, \(TriggerRig.stalls) stalls",
        ]
    }
}
