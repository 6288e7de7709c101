import Cameras
import Simulation
import Timebase

/// Streams of drivers that lie: what the witnesses are sure of is true, and what they can't know they say.
public struct WitnessProof: Proof {
    /// As `framelock-prove` calls it.
    public static let name = "witnesses"
    /// What holds.
    public static let claim =
        "no frame is missing unnoticed and none is made up, unless it is said to be uncertain"
    /// So many streams.
    public static let caseCount = 100_000

    /// Seeds that once found something, and what; they stay.
    package static let foundSomething: [(seed: UInt64, what: String)] = []

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

    /// How often the witnesses were not sure.
    public var figures: [String] {
        [
            "\(gaps) frames, \(lost) lost before them",
            "\(open) times not sure, \(openOfHonest) of them where only losses and lateness were to blame",
        ]
    }

    private mutating func judge(_ seed: UInt64) -> [String] {
        let stream = LyingStream(seed: seed)
        var clock = StreamClock(
            model: stream.model, nominalPeriod: stream.promised, quirks: stream.quirks)
        var complaints: [String] = []
        let isHonest =
            stream.lies.stamps == nil && stream.lies.reset == nil && stream.lies.stride == 1
            && stream.lies.stuckSequence.isEmpty
        for (index, (arrival, truth)) in zip(stream.arrivals, stream.truths).enumerated() {
            let gap = clock.advance(to: arrival)
            if let complaint = Self.complaint(gap, truth, isFirst: index == 0) {
                complaints.append("seed \(seed), frame \(index): \(complaint)")
            }
            if let frame = clock.last, let readout = clock.readoutStart(of: frame),
                !gap.isRepeated,
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
        !gap.isDisputed && !gap.isUnwitnessed && gap.mostBySpacing == gap.missing
    }

    private static func complaint(
        _ gap: FrameGap, _ truth: LyingStream.Truth, isFirst: Bool
    ) -> String? {
        if gap.isRepeated != truth.isRepeated {
            // A driver that neither counts nor stamps can't be told from one that repeats.
            return gap.quirks.isEmpty && gap.doubt == nil && !gap.isRepeated
                ? "a frame that came twice is taken" : nil
        }
        guard !isFirst, !gap.isRepeated else { return nil }
        let lost = truth.lostByDriver + truth.lostInside
        if isSure(gap), gap.missing != lost {
            return "\(gap.missing) frames are said to be missing, and \(lost) are: \(gap)"
        }
        if !gap.isDisputed, !gap.isUnwitnessed, gap.missing > lost {
            return "\(gap.missing) holes for \(lost) frames: \(gap)"
        }
        return nil
    }
}
