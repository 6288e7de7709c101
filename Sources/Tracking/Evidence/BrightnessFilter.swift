public import Devices

/// Finds out from the brightness of frames which settings they had: a multiple-hypothesis filter (Reid 1979).
///
/// Brightness is scene times exposure times gain, and a scene may do what it likes; but a write that was lost changes
/// brightness by a ratio that is known, and the next write that comes through takes it back. The filter keeps every way
/// in which what was seen can have come about, each with what the camera has, what the scene is and how the camera
/// answers (``BrightnessHypothesis``), and weighs them by how well they predict each frame. The scene drifts by as much
/// as it is seen to drift, and jumps as often as it is seen to jump; writes are lost as often as they are seen to be.
///
/// A verdict on a frame is drawn from all of them, with what ``window`` frames behind it show; ``verdict(of:)`` gives
/// what is known so far. A run's first settings, before anything was written, can be unknown values.
///
/// Deterministic: basic floating-point operations alone, the same on every machine.
public struct BrightnessFilter: Sendable {
    /// What was found of a frame.
    public struct Finding: Sendable {
        /// The frame's name.
        public let name: Int64
        /// For `exposure` and `gain`; `unseen` for the others.
        public let verdicts: PerGroup<PixelVerdict>
    }

    /// Frames that a verdict waits for.
    public static let window = 64
    /// Hypotheses that are kept.
    private static let beam = 40
    /// The same of those whose first settings were unknown, which nothing crowds out.
    private static let unknownBeam = 10
    /// The same of each manner of camera that is wrong all the time.
    private static let mannerBeam = 2
    /// ln of the weight below which a hypothesis is dropped: 1e-9.
    private static let leastLogWeight = -20.7

    /// ln of the weight from which on a hypothesis may have a value that no write explains.
    private static let leastLikely = -4.0
    /// Different values of a group that count as recent.
    static let mostRecent = 6
    /// Scenes whose values are remembered.
    private static let mostViews = 64
    /// What a frame may cost a hypothesis at most whose value is taken from its look.
    private static let leastAlike = 4.0

    private let isLinear: Bool
    private(set) var hypotheses: [BrightnessHypothesis] = []
    private(set) var open: [Open] = []
    /// By number of frames, what was lost of the weights since hypotheses are limited in number.
    private(set) var dropped: [(number: Int, weight: Double)] = []
    /// The same by frame and group, for the frames that are open and the newest one.
    private(set) var droppedDoubts: [Dropped] = []
    private var claims = BrightnessHypothesis.Claims(PerGroup(repeating: 1))
    private var first = PerGroup<Int64>(repeating: 1)
    private var hasLateCameras = false
    /// Groups that were changed, so that cameras that ignore them are among the hypotheses.
    private(set) var changed: ControlGroups = []
    private var number = 0
    private var measured: Measured?
    /// By scene, which values it was seen with.
    private(set) var views: [Int: View] = [:]
    /// Variance of a scene's level from frame to frame, and the frames that it was learned from, 48 at most.
    private(set) var noise = 0.02 * 0.02
    private var noiseWeight = 4.0
    private var prior = PerGroup(repeating: 0.0)
    private var written = PerGroup(repeating: 0)
    /// Different values that frames were to have last, the newest last.
    private var recent = PerGroup<[Int64]>(repeating: [])
    private var before = PerGroup<Int64>(repeating: PerGroup<Int64>.unknown)

    /// Creates a filter that has seen nothing.
    ///
    /// - Parameter isLinear: whether brightness is proportional to exposure and gain, above a known black level.
    public init(isLinear: Bool) {
        self.isLinear = isLinear
    }

    /// Takes the next frame.
    ///
    /// - Parameter report: gets what is found of the frame that leaves the window.
    public mutating func take(_ frame: BrightnessFrame, report: (Finding) -> Void) {
        number += 1
        if hypotheses.isEmpty { begin(frame) } else { branch(frame) }
        droppedDoubts.append(Dropped(number: number, claimed: frame.claimed))
        if droppedDoubts.count > Self.window + 1 { droppedDoubts.removeFirst() }
        weigh(frame)
        noteRecent(frame.claimed)
        let last = open.last
        let own = frame.level.map { _ in Measured(frame: frame, number: number) }
        open.append(
            Open(
                frame: frame, number: number, prior: prior, written: written, before: before,
                previous: PerGroup { written[$0] == number ? measured : last?.previous[$0] },
                arrived: PerGroup {
                    (written[$0] == number ? nil : last?.arrived[$0]) ?? own
                }, recent: recent))
        measured = own ?? measured
        noteView(frame)
        if open.count > Self.window { report(finding(of: open.removeFirst())) }
    }

    /// Takes settings that were written and that no frame of the record shows, as between two brackets.
    ///
    /// What is written next and lost leaves the camera with these.
    ///
    /// - Parameter frames: how many had them; nil for so many that a late camera has them too.
    public mutating func pass(_ claimed: PerGroup<Int64>, frames: Int? = nil) {
        let frame = BrightnessFrame(
            name: -1, claimed: claimed, certainty: PerGroup(repeating: .reported), level: nil)
        guard !hypotheses.isEmpty else { return begin(frame) }
        noteRecent(claimed)
        for _ in 0..<(frames ?? BrightnessHypothesis.Claims.longestShift + 1) {
            advance(frame)
            prune()
        }
    }

    /// Reports all frames that are still open, at the end of a run.
    public mutating func finish(report: (Finding) -> Void) {
        for one in open { report(finding(of: one)) }
        open = []
    }

    /// What is known of a frame by now; nil if it is not open.
    public func verdict(of name: Int64) -> Finding? {
        open.first { $0.frame.name == name }.map(finding)
    }

    // MARK: Hypotheses

    private mutating func begin(_ frame: BrightnessFrame) {
        first = frame.claimed
        claims = BrightnessHypothesis.Claims(frame.claimed)
        hypotheses = [
            BrightnessHypothesis(
                logWeight: 0, actual: frame.claimed, first: first, isLinear: isLinear)
        ]
        for group in BrightnessHypothesis.groups where frame.certainty[group] != .proven {
            var actual = frame.claimed
            actual[group] = PerGroup<Int64>.unknown
            var unknown = BrightnessHypothesis(
                logWeight: -5.5, actual: actual, first: first, isLinear: isLinear,
                beganUnknown: true)
            // A camera that lost its first write is one that loses writes.
            unknown.changes[group].note(isLost: true)
            hypotheses.append(unknown)
        }
        normalise()
        noteDeviations(frame)
        prior = wrong(frame)
    }

    /// The hypotheses of a manner that those of another one begin with: the likeliest one, and of those whose first
    /// settings were unknown the likeliest three; without these a setting that never changed would seem confirmed by
    /// whatever speaks for the other manner.
    private func seeds(_ manner: BrightnessHypothesis.Manner) -> [BrightnessHypothesis] {
        let own = hypotheses.filter { $0.manner == manner }
        let known = own.filter { !$0.beganUnknown }.max { $0.logWeight < $1.logWeight }
        let unknown = own.filter(\.beganUnknown).sorted { $0.logWeight > $1.logWeight }
        return (known.map { [$0] } ?? []) + unknown.prefix(3)
    }

    /// Adds cameras that are later than they should be, before the first change that shows it.
    private mutating func addLateCameras(_ frame: BrightnessFrame) {
        let mutable = BrightnessHypothesis.groups.filter { frame.certainty[$0] != .proven }
        let seeds = seeds(BrightnessHypothesis.Manner())
        for shift in 1...BrightnessHypothesis.Claims.longestShift {
            for groups in mutable.map({ [$0] }) + (mutable.count > 1 ? [mutable] : []) {
                for var late in seeds {
                    late.manner.shift = PerGroup { groups.contains($0) ? shift : 0 }
                    late.logWeight -= groups.count > 1 ? 9 : 8
                    hypotheses.append(late)
                }
            }
        }
        hasLateCameras = true
    }

    /// Adds cameras that ignore a control, before its first change: alone, or as they ignored the other one.
    private mutating func addIgnorance(of group: ControlGroup) {
        let others = changed.isEmpty ? [] : [(changed, 1.5)]
        for (ignored, cost) in [(ControlGroups(), 8.0)] + others {
            for one in seeds(BrightnessHypothesis.Manner(ignored: ignored)) {
                var ignoring = one.ignoring(group)
                ignoring.logWeight -= cost
                hypotheses.append(ignoring)
            }
        }
        changed.insert(ControlGroups(group))
    }

    /// Branches for settings that were written.
    private mutating func advance(_ frame: BrightnessFrame) {
        claims.take(frame.claimed, distance: frame.distance)
        if !hasLateCameras, claims.now != claims.before { addLateCameras(frame) }
        for group in BrightnessHypothesis.groups
        where claims.isWrite(group) && !changed.has(group)
            && frame.certainty[group] != .proven
        {
            addIgnorance(of: group)
        }
        hypotheses = hypotheses.flatMap { $0.branches(frame, claims: claims) }
        normalise()
    }

    private mutating func branch(_ frame: BrightnessFrame) {
        advance(frame)
        noteDeviations(frame)
        let now = wrong(frame)
        for group in BrightnessHypothesis.groups
        where claims.isWrite(group) || written[group] > 0 && frame.written.has(group) {
            prior[group] = now[group]
            written[group] = number
            before[group] = claims.before[group]
        }
    }

    private mutating func noteDeviations(_ frame: BrightnessFrame) {
        let oldest = number - Self.window
        for place in hypotheses.indices {
            hypotheses[place].passDeviations(before: oldest)
            hypotheses[place].noteDeviation(from: frame.claimed, number)
        }
    }

    /// How likely a frame does not have what it should, by group.
    private func wrong(_ frame: BrightnessFrame) -> PerGroup<Double> {
        PerGroup { group in
            hypotheses.reduce(0) {
                $0 + ($1.actual[group] == frame.claimed[group] ? 0 : exponential($1.logWeight))
            }
        }
    }

    private mutating func weigh(_ frame: BrightnessFrame) {
        var others: [BrightnessHypothesis] = []
        for place in hypotheses.indices {
            guard
                let surprise = hypotheses[place].see(
                    frame, number: number, first: first, noise: noise)
            else { continue }
            others.append(surprise.jumped)
            if surprise.before.logWeight > Self.leastLikely {
                others += strays(surprise.before, frame)
            }
        }
        hypotheses += others
        normalise()
        learnNoise()
        if hypotheses.count > 1 { prune() }
    }

    /// The same camera with another value that frames had not long ago, where a frame looks like that and not like what
    /// it should have: what came over a camera in frames that nobody recorded is not always among the hypotheses.
    private func strays(
        _ one: BrightnessHypothesis, _ frame: BrightnessFrame
    ) -> [BrightnessHypothesis] {
        var found: [BrightnessHypothesis] = []
        for group in BrightnessHypothesis.groups
        where frame.certainty[group] != .proven && !one.manner.ignored.has(group) {
            for value in recent[group] where value != one.actual[group] {
                var stray = one.straying(to: value, group, claimed: frame.claimed, number)
                let weight = stray.logWeight
                let surprise = stray.see(frame, number: number, first: first, noise: noise)
                if surprise == nil, stray.logWeight > weight - Self.leastAlike {
                    found.append(stray)
                }
            }
        }
        return found
    }

    private mutating func noteRecent(_ claimed: PerGroup<Int64>) {
        for group in BrightnessHypothesis.groups where recent[group].last != claimed[group] {
            recent[group].removeAll { $0 == claimed[group] }
            recent[group].append(claimed[group])
            if recent[group].count > Self.mostRecent { recent[group].removeFirst() }
        }
    }

    private mutating func noteView(_ frame: BrightnessFrame) {
        guard frame.level != nil else { return }
        if views.count == Self.mostViews { views = [:] }
        views[frame.scene, default: View(first: frame.claimed)].note(frame.claimed)
    }

    /// The scene's noise is what the likely hypotheses were surprised by: one figure for all, so that none gains by a
    /// noise of its own.
    private mutating func learnNoise() {
        var (share, square) = (0.0, 0.0)
        for one in hypotheses where one.walked.share > 0 {
            let weight = exponential(one.logWeight) * one.walked.share
            share += weight
            square += weight * one.walked.share * one.walked.square
        }
        guard share > 0 else { return }
        noiseWeight = min(48, noiseWeight + share)
        noise += (square - noise * share) / noiseWeight
        noise = max(noise, BrightnessHypothesis.leastNoise)
    }

    /// Makes the weights add up to 1.
    private mutating func normalise() {
        let top = hypotheses.reduce(-Double.infinity) { max($0, $1.logWeight) }
        let sum = hypotheses.reduce(0) { $0 + exponential($1.logWeight - top) }
        let all = top + naturalLogarithm(sum)
        for place in hypotheses.indices { hypotheses[place].logWeight -= all }
    }

    /// Keeps the most likely ones; those that differ in nothing that matters become one.
    private mutating func prune() {
        hypotheses.sort { $0.logWeight > $1.logWeight }
        var (kept, manners): ([BrightnessHypothesis], [Share]) = ([], [])
        for one in hypotheses {
            let manner = manners.place(of: one.manner)
            let weight = exponential(one.logWeight)
            manners[manner].all += weight
            if one.logWeight < Self.leastLogWeight {
                noteDropped(one, weight)
                continue
            }
            if let twin = kept.firstIndex(where: { $0.isTwin(of: one, noise: noise) }) {
                kept[twin].logWeight += naturalLogarithm(
                    1 + exponential(one.logWeight - kept[twin].logWeight))
            } else if kept.count < Self.beam || manners[manner].isShort(of: one) {
                kept.append(one)
                manners[manner].known += one.beganUnknown ? 0 : 1
                manners[manner].unknown += one.beganUnknown ? 1 : 0
            } else {
                noteDropped(one, weight)
                continue
            }
            manners[manner].kept += weight
        }
        hypotheses = kept
        let weight = 1 - manners.reduce(0) { $0 + $1.kept }
        if weight > 1e-7 { dropped.append((number, weight)) }
        if let oldest = dropped.first, oldest.number < number - Self.window {
            dropped.removeFirst()
        }
        // A camera that can have come about in many ways is no less likely for most of them being dropped.
        for place in hypotheses.indices {
            let share = manners[manners.place(of: hypotheses[place].manner)]
            hypotheses[place].logWeight += naturalLogarithm(share.all / share.kept)
        }
        normalise()
    }

    private mutating func noteDropped(_ one: BrightnessHypothesis, _ weight: Double) {
        for deviation in one.deviations {
            guard
                let place = droppedDoubts.firstIndex(where: { $0.number == deviation.number })
            else { continue }
            for group in BrightnessHypothesis.groups
            where deviation.actual[group] != droppedDoubts[place].claimed[group] {
                droppedDoubts[place].weights[group] += weight
            }
        }
    }

    /// The hypotheses of one manner, and their weight.
    fileprivate struct Share {
        let manner: BrightnessHypothesis.Manner
        /// How many are kept.
        var known = 0
        var unknown = 0
        /// The weight of all, and of those that are kept.
        var all = 0.0
        var kept = 0.0

        /// Whether a hypothesis is to be kept however unlikely it is beside others.
        func isShort(of one: BrightnessHypothesis) -> Bool {
            let isWrong = manner != BrightnessHypothesis.Manner()
            if one.beganUnknown { return unknown < (isWrong ? mannerBeam : unknownBeam) }
            return isWrong && known < mannerBeam
        }
    }
}

extension [BrightnessFilter.Share] {
    /// The place of a manner, which is added if it is new.
    fileprivate mutating func place(of manner: BrightnessHypothesis.Manner) -> Int {
        if let place = firstIndex(where: { $0.manner == manner }) { return place }
        append(BrightnessFilter.Share(manner: manner))
        return count - 1
    }
}
