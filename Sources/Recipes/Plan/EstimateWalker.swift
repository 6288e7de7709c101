internal import Devices
internal import Timebase

/// What a stretch of a program takes, depending on the change of settings with which its first frame comes.
///
/// What a stretch takes is kept for each ``ChangeCost`` at once, since a loop's first round and its others come behind
/// different settings. So a loop of a million rounds costs one pass over its body. Sums have 128 bits: counts and
/// periods may have 63 each.
private struct Stretch {
    /// Time in nanoseconds, by the place of the change with which the first frame comes.
    ///
    /// Without frames all of them are the same.
    private var times = [Int128](repeating: 0, count: ChangeCost.all.count)
    /// Settings of its first and its last frame; nil without frames.
    private(set) var first: Int32?
    private(set) var last: Int32?
    /// Whether its first frame has lights.
    private var isLit = false
    /// What lies between its last frame and what comes next; without frames, between that and what was before it.
    private var between = Between.nothing
    /// Whether nothing that takes time comes before its first frame.
    private var beginsWithFrames = true

    /// A stretch of nothing: what is appended to it keeps its own change.
    init() {}

    /// Time that something else than frames takes; a time of zero stands for what ends a row of frames without taking
    /// time, as the wait for an edge.
    init(nanoseconds: Int128) {
        times = times.map { _ in nanoseconds }
        between = .time
        beginsWithFrames = false
    }

    /// Frames with one set of settings, each a period long; only the first pays for the change.
    ///
    /// - Parameter isLit: whether they have lights.
    init(_ count: Int64, _ settings: Int32, isLit: Bool, _ costs: SettingsChangeCosts) {
        let period = costs.period(of: settings)
        first = settings
        last = settings
        self.isLit = isLit
        between = isLit ? .lights : .nothing
        times = ChangeCost.all.map {
            Int128(count) * Int128(period.nanoseconds)
                + Int128(costs.cost($0, to: settings).nanoseconds)
        }
    }

    /// The time, if its first frame comes with this change.
    func nanoseconds(_ change: ChangeCost) -> Int128 { times[change.place] }

    /// Adds what comes next.
    ///
    /// The change with which `next` begins is known where this stretch has frames; else it is the one that this stretch
    /// itself comes with, weakened if it takes time.
    mutating func append(_ next: Stretch, _ costs: SettingsChangeCosts) {
        for change in ChangeCost.all {
            let following: ChangeCost =
                last != nil
                ? costs.change(
                    from: last, to: next.first, isLit: next.isLit, behind: between)
                : between == .nothing ? change : change.interrupted
            times[change.place] += next.nanoseconds(following)
        }
        if next.first != nil || next.between == .time { between = next.between }
        if first == nil {
            beginsWithFrames = beginsWithFrames && next.beginsWithFrames
            isLit = next.isLit
        }
        first = first ?? next.first
        last = next.last ?? last
    }

    /// The stretch over and over, round n starting no sooner than n times `pace` after the first one.
    ///
    /// - Parameters:
    ///   - count: rounds; an endless loop (negative) and one without rounds give nothing.
    ///   - pace: nanoseconds from start to start; 0 where rounds follow each other at once.
    ///   - costs: of changes from the end of a round to the start of the next.
    func repeated(_ count: Int64, pace: Int128, _ costs: SettingsChangeCosts) -> Stretch {
        guard count >= 1 else { return Stretch() }
        var round = self
        if pace > 0 { round = afterWait(costs) }
        guard count > 1 else { return round }
        let others = Int128(count - 1)
        let next = round.again(costs)
        var total = round
        total.times = round.times.map { first in
            // Settings are written before the round is due, so that its first frame is in time.
            if beginsWithFrames { return first + others * max(pace, next) }
            // The last round starts when those before it are done, which catch up with a late one, or when it is due.
            return max(max(first, pace) + (others - 1) * next, others * pace) + next
        }
        return total
    }
}

extension Stretch {
    /// What it takes in nanoseconds right after itself.
    func again(_ costs: SettingsChangeCosts) -> Int128 {
        nanoseconds(costs.change(from: last, to: first, isLit: isLit, behind: between))
    }

    /// What each round of it takes in nanoseconds, but the first, where rounds wait for their time.
    func steadyRound(_ costs: SettingsChangeCosts) -> Int128 { afterWait(costs).again(costs) }

    /// The same behind a wait for the time of a round.
    fileprivate func afterWait(_ costs: SettingsChangeCosts) -> Stretch {
        var round = Stretch(nanoseconds: 0)
        round.append(self, costs)
        return round
    }
}

/// Sums a program: every instruction is looked at once.
///
/// Each call of ``nanoseconds()`` walks the whole program and recurses into loops, which the compiler nests at most
/// ``PlanCursor/maximumDepth`` deep.
struct EstimateWalker {
    private let program: [Instruction]
    private let costs: SettingsChangeCosts
    /// Whether the program has a wait for an edge; false until ``nanoseconds()`` was called.
    private(set) var waitsForEdges = false
    /// Whether the program has a loop without a count; then the sum means nothing.
    private(set) var isEndless = false
    /// Loops whose rounds take longer than the time from one to the next, by step, and what a round takes.
    private(set) var overruns: [(step: Int32, round: Interval)] = []

    init(_ plan: Plan) {
        program = plan.program
        costs = SettingsChangeCosts(plan)
    }

    /// What the whole program takes, from the start of the stream, in nanoseconds.
    ///
    mutating func nanoseconds() -> Int128 { walk(0..<program.count).nanoseconds(.start) }

    /// Remembers a loop that can't keep its time.
    private mutating func note(_ round: Int128, _ every: Interval, _ step: Int32) {
        guard round > Int128(every.nanoseconds) else { return }
        overruns.append((step, Interval(nanoseconds: Int64(clamping: round))))
    }

    /// The instructions of a range, which is the whole program or the body of one loop.
    private mutating func walk(_ range: Range<Int>) -> Stretch {
        var total = Stretch()
        var position = range.lowerBound
        while position < range.upperBound {
            switch program[position] {
            case .capture(let count, let settings, let lights, _):
                total.append(Stretch(count, settings, isLit: lights != 0, costs), costs)
            case .pulse(_, let duration, _), .wait(let duration, _):
                total.append(Stretch(nanoseconds: Int128(duration.nanoseconds)), costs)
            case .waitForEdge:
                waitsForEdges = true
                total.append(Stretch(nanoseconds: 0), costs)
            case .loop(let count, let every, let end, let step):
                let body = walk(position + 1..<Int(end))
                if count < 0 { isEndless = true }
                if every > .zero, count != 1 { note(body.steadyRound(costs), every, step) }
                total.append(
                    body.repeated(count, pace: Int128(every.nanoseconds), costs), costs)
                position = Int(end)
            case .endLoop, .group, .restore: break
            }
            position += 1
        }
        return total
    }
}
