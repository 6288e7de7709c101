import Simulation
import Timebase
internal import Tracking

/// Streams of drivers with faults: what the evidence is sure of is true, and what it can't know it says.
public struct GapProof: Proof {
    /// As `framelock-prove` calls it.
    public static let name = "gaps"
    /// What holds.
    public static let claim =
        "no frame is missing unnoticed and none is made up, unless it is said to be uncertain"
    /// So many streams.
    public static let caseCount = 100_000

    /// Seeds that once found something, and what; they stay.
    package static let foundSomething: [(seed: UInt64, what: String)] = [
        (107, "a timestamp that was set back while frames were lost was believed"),
        (650, "a count that began anew was taken for 4047 missing frames, in the time of one"),
        (987, "a frame that was lost before one without a timestamp was said to be lost after it"),
        (1160, "one wrong timestamp among timestamps that are known to be wrong made three frames"),
        (2149, "the same with a sequence that counts"),
        (3827, "a rate that the camera was about to break was enough for being sure"),
        (5457, "where the sequence is stuck, a timestamp that was set back was believed"),
        (9078, "late timestamps kept a wrong promise from being noticed"),
        (10093, "a camera without timestamps, slower than promised, was timed too tightly"),
        (11125, "a camera slower than promised was timed too tightly while that was in question"),
        (15724, "frames that were not surely counted made the learned rate too long"),
        (17322, "a timestamp was believed that nobody could have borne out"),
        (66602, "a sequence that counts fields was believed again after one number that was right"),
        (580_557, "frames that had been counted by fields were still counted as many"),
        (7_713_204, "beside a frame that had waited, a timestamp set back looked as usual"),
    ]

    /// Frames after which a rate that was not promised is known, and whether the sequence counts fields.
    private static let acquaintance = 16

    private var gaps = 0
    private var lost: Int64 = 0
    private var open = 0
    private var openOfHonest = 0

    /// Creates a proof without cases.
    public init() {}

    /// Hears the streams of some seeds.
    public mutating func run(cases: Range<Int>) throws -> [String] {
        var complaints: [String] = []
        for number in cases { complaints += judge(UInt64(number) + 1) }
        return complaints
    }

    /// How often the evidence was not sure.
    public var figures: [String] {
        [
            "\(gaps) frames, \(lost) lost before them",
            "\(open) times not sure, \(openOfHonest) of them where only losses and delay were to blame",
        ]
    }

    private mutating func judge(_ seed: UInt64) -> [String] {
        let stream = FaultyStream(seed: seed)
        var clock = StreamClock(
            model: stream.model, nominalPeriod: stream.promised, quirks: stream.quirks)
        var complaints: [String] = []
        let isHonest =
            stream.driverFaults.timestamps == nil && stream.driverFaults.reset == nil
            && stream.driverFaults.stride == 1
            && stream.driverFaults.stuckSequence.isEmpty
        for (index, (arrival, truth)) in zip(stream.arrivals, stream.truths).enumerated() {
            let gap = clock.advance(to: arrival)
            // Before timestamps have shown a rate that nobody promised, a lost frame can't be told from a slower
            // camera, nor a sequence that begins anew or counts fields from one that skips frames.
            let isKnown = stream.isKnown || index >= Self.acquaintance
            let hasAlibi = stream.hasAlibi(index)
            if isKnown, !hasAlibi,
                let complaint = Self.complaint(gap, truth, isFirst: index == 0)
            {
                complaints.append("seed \(seed), frame \(index): \(complaint)")
            }
            if let frame = clock.last, let readout = clock.readoutStart(of: frame),
                !gap.isRepeated, !hasAlibi,
                truth.readout < readout.earliest || truth.readout > readout.latest
            {
                complaints.append(
                    "seed \(seed), frame \(index): readout outside its bounds (\(gap))")
            }
            gaps += 1
            lost += truth.lostByDriver + truth.lostInside
            if index > 0, !Self.isSure(gap), !gap.isRepeated {
                open += 1
                openOfHonest += isHonest ? 1 : 0
            }
        }
        // What follows the first one is rarely news.
        return Array(complaints.prefix(1))
    }

    /// Whether both ends of what is said are the same, and nobody contradicts.
    private static func isSure(_ gap: FrameGap) -> Bool {
        !gap.isDisputed && !gap.isUnverifiable && gap.mostBySpacing == gap.missing
    }

    private static func complaint(
        _ gap: FrameGap, _ truth: FaultyStream.Truth, isFirst: Bool
    ) -> String? {
        if gap.isRepeated != truth.isRepeated {
            // A driver that neither counts nor timestamps can't be told from one that repeats.
            return gap.quirks.isEmpty && gap.doubt == nil && !gap.isRepeated
                ? "a frame that came twice is taken" : nil
        }
        guard !isFirst, !gap.isRepeated else { return nil }
        let lost = truth.lostByDriver + truth.lostInside
        if isSure(gap), gap.missing != lost {
            return "\(gap.missing) frames are said to be missing, and \(lost) are: \(gap)"
        }
        if !gap.isDisputed, !gap.isUnverifiable, gap.missing > lost {
            return "\(gap.missing) holes for \(lost) frames: \(gap)"
        }
        return nil
    }
}
