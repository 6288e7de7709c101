public import Devices

/// What the trials of one control amount to.
///
/// Each trial narrows the latencies that explain it; what explains all of them is the figure (``LatencyFigure``). The
/// rows are for people: how often what was seen, by phase and direction.
public struct LatencyTally: Hashable, Sendable {
    /// What was seen of writes at one phase in one direction.
    public struct Row: Hashable, Sendable {
        /// Thousandths of a period after a frame's readout began.
        public var phase: Int64
        /// Whether the control went to the code with the higher level.
        public var isUpwards: Bool
        /// Latencies in frames and how often each was seen, ascending.
        public var seen: [Count] = []
        /// Trials whose timestamps don't determine which frame was being exposed, or in which several frames changed.
        public var rangeCount = 0
    }

    /// A latency and how often it was seen.
    public struct Count: Hashable, Sendable {
        /// Frames from the one being exposed at the write to the first that shows it.
        public var frames: Int64
        /// In how many trials.
        public var trials: Int
    }

    /// What was stepped.
    public let control: CameraControl
    /// By phase, upwards first.
    public private(set) var rows: [Row]
    /// Trials with a result.
    public private(set) var trialCount = 0
    /// Trials that were made again, by reason.
    private(set) var disturbances: [LatencyTrial.Disturbance: Int] = [:]
    /// Trials in which a frame showed the step in some of its rows only.
    public private(set) var splitCount = 0
    /// The latencies that explain every trial.
    private(set) var all = Bounds()
    /// The same of those that were written in the first half of a frame, up to ``TrialSchedule/lastEarlyPhase``.
    private(set) var early = Bounds()

    /// The latencies, in frames, that explain every trial so far; where the least is above the most, none does.
    struct Bounds: Hashable, Sendable {
        var least = Int64.min
        var most = Int64.max

        /// Keeps only the latencies that explain this trial too.
        mutating func narrow(to seen: LatencyTrial.Seen) {
            least = max(least, seen.least)
            most = min(most, seen.most)
        }
    }

    /// Creates a tally without trials: one row for each phase and direction.
    init(control: CameraControl) {
        self.control = control
        rows = TrialSchedule.phases.flatMap {
            [Row(phase: $0, isUpwards: true), Row(phase: $0, isUpwards: false)]
        }
    }

    /// Takes note of a trial with a result.
    ///
    /// - Parameters:
    ///   - phase: one of ``TrialSchedule/phases``; of others, only the bounds are kept.
    ///   - isUpwards: whether the control went to the code with the higher level.
    mutating func note(_ seen: LatencyTrial.Seen, phase: Int64, isUpwards: Bool) {
        trialCount += 1
        if seen.isSplit { splitCount += 1 }
        all.narrow(to: seen)
        if phase <= TrialSchedule.lastEarlyPhase { early.narrow(to: seen) }
        guard let row = rows.firstIndex(where: { $0.phase == phase && $0.isUpwards == isUpwards })
        else { return }
        guard seen.least == seen.most else {
            rows[row].rangeCount += 1
            return
        }
        if let place = rows[row].seen.firstIndex(where: { $0.frames == seen.least }) {
            rows[row].seen[place].trials += 1
        } else {
            rows[row].seen.append(Count(frames: seen.least, trials: 1))
            rows[row].seen.sort { $0.frames < $1.frames }
        }
    }

    /// Takes note of a trial without a result, which is repeated.
    mutating func note(_ why: LatencyTrial.Disturbance) {
        disturbances[why, default: 0] += 1
    }

    /// Trials that were made again.
    public var disturbanceCount: Int { disturbances.values.reduce(0, +) }

    /// Why trials were made again, and how often each; empty if none was.
    public var disturbanceText: String {
        LatencyTrial.Disturbance.allCases.compactMap { why in
            disturbances[why].map { "\(why.rawValue) in \($0)" }
        }.joined(separator: ", ")
    }

    /// Every latency and how often it was seen, ascending, over all phases and both directions.
    ///
    /// Trials whose timestamps leave several latencies are in none of its counts (``Row/rangeCount``).
    public var histogram: [Count] {
        var total: [Int64: Int] = [:]
        for count in rows.flatMap(\.seen) { total[count.frames, default: 0] += count.trials }
        return total.sorted { $0.key < $1.key }.map { Count(frames: $0.key, trials: $0.value) }
    }
}
