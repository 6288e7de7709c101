internal import Devices
internal import Timebase

/// What a stretch of a program takes, depending on the change of settings with which its first frame comes.
private struct Stretch {
    /// Time, by change of settings.
    private var times = [Int128](repeating: 0, count: ChangeCost.allCases.count)
    /// Settings of its first and its last frame; nil without frames.
    private(set) var first: Int32?
    private(set) var last: Int32?
    /// Whether what comes next comes at once after its last frame; without frames, after what was before it.
    private(set) var isOpen = true

    init() {}

    /// Time that something else than frames takes.
    init(nanoseconds: Int128) {
        times = times.map { _ in nanoseconds }
        isOpen = false
    }

    /// Frames with one set of settings.
    init(_ count: Int64, _ settings: Int32, _ costs: SettingsChangeCosts) {
        let period = costs.period(of: settings)
        first = settings
        last = settings
        times = ChangeCost.allCases.map {
            Int128(count) * Int128(period.nanoseconds)
                + Int128(costs.cost($0, to: settings).nanoseconds)
        }
    }

    /// The time, if its first frame comes with this change.
    func nanoseconds(_ change: ChangeCost) -> Int128 { times[change.rawValue] }

    /// Adds what comes next.
    mutating func append(_ next: Stretch, _ costs: SettingsChangeCosts) {
        for change in ChangeCost.allCases {
            let following: ChangeCost =
                last != nil
                ? costs.change(from: last, to: next.first, atOnce: isOpen)
                : isOpen ? change : change.interrupted
            times[change.rawValue] += next.nanoseconds(following)
        }
        isOpen = next.first == nil ? isOpen && next.isOpen : next.isOpen
        first = first ?? next.first
        last = next.last ?? last
    }

    /// The stretch over and over, round n starting no sooner than n times `pace` after the first one.
    func repeated(_ count: Int64, pace: Int128, _ costs: SettingsChangeCosts) -> Stretch {
        guard count >= 1 else { return Stretch() }
        var round = self
        if pace > 0 {
            // A round that has its time is waited for.
            round = Stretch(nanoseconds: 0)
            round.append(self, costs)
        }
        guard count > 1 else { return round }
        let others = Int128(count - 1)
        let next = round.nanoseconds(
            costs.change(from: round.last, to: round.first, atOnce: round.isOpen))
        var total = round
        // The last round starts when the ones before it are done, which catch up with a late one, or when it is due.
        total.times = round.times.map { first in
            max(max(first, pace) + (others - 1) * next, others * pace) + next
        }
        return total
    }
}

/// Sums a program: every instruction is looked at once.
struct EstimateWalker {
    private let program: [Instruction]
    private let costs: SettingsChangeCosts
    private(set) var waitsForEdges = false
    private(set) var isEndless = false

    init(_ plan: Plan) {
        program = plan.program
        costs = SettingsChangeCosts(plan)
    }

    /// What the whole program takes, from the start of the stream, in nanoseconds.
    mutating func nanoseconds() -> Int128 { walk(0..<program.count).nanoseconds(.dueMoving) }

    private mutating func walk(_ range: Range<Int>) -> Stretch {
        var total = Stretch()
        var position = range.lowerBound
        while position < range.upperBound {
            switch program[position] {
            case .capture(let count, let settings, _, _):
                total.append(Stretch(count, settings, costs), costs)
            case .pulse(_, let duration, _), .wait(let duration, _):
                total.append(Stretch(nanoseconds: Int128(duration.nanoseconds)), costs)
            case .waitForEdge:
                waitsForEdges = true
                total.append(Stretch(nanoseconds: 0), costs)
            case .loop(let count, let every, let end, _):
                let body = walk(position + 1..<Int(end))
                if count < 0 { isEndless = true }
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
