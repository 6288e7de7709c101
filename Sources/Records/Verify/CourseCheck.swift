internal import Devices
internal import Recipes
internal import Timebase

/// Holds waits for edges, and pulses, against the plan, which is walked along with the rows.
///
/// Every wait of the plan ends with one event, and every pulse is two: what the log has beyond that, or has not, never
/// came of the plan. Where a run ends early, the steps behind its last slot may have had their turn or not.
struct CourseCheck {
    /// How a wait ended.
    private struct Wait {
        let line: Int32
        let step: Int32
        /// The edge; nil where none came in time.
        let number: UInt32?
    }

    /// A round that is left out, since its edge did not come.
    private struct LeftRound {
        let depth: Int
        let line: Int32
    }

    /// The edge that the steps of a round belong to.
    private struct Trigger {
        let line: Int32
        let number: UInt32
        let depth: Int
    }

    /// Edges of a line that no step has accepted.
    private struct Waiting {
        /// Those of other lines than the camera's, in order; of them the oldest one is accepted.
        var numbers: [UInt32] = []
        var accepted = 0
        /// Those that may be accepted, of the camera's line.
        var open: Set<UInt32> = []
        var last: UInt32?
    }

    /// The line that exposes the camera.
    private let cameraLine: Int32?
    private let isComplete: Bool
    /// Lines of which a switch failed: it has an event, but not of which kind it was.
    private var failed: Set<Int32> = []
    /// Lines that frames are lit by: their other pulses are of any length.
    private var lights: UInt32 = 0
    private var waits: [Wait] = []
    private var waiting: [Int32: Waiting] = [:]
    /// Edges that were accepted out of turn, or never came.
    private var misplaced: Int64 = 0
    private var nextWait = 0
    private var nextPulse: [Int32: Int] = [:]
    private var depth = 0
    private var leaving: LeftRound?
    private var trigger: Trigger?
    /// Whether a step had no event, so that no later one can have any.
    private var hasEnded = false

    init(_ run: RecordedRun) {
        cameraLine = run.names.triggerLine
        isComplete = run.ending == .completed
        for case .capture(_, _, let lights, _) in run.plan.program { self.lights |= lights }
    }

    // MARK: The log

    /// Takes the next event.
    mutating func note(_ event: RunEvent) {
        switch event {
        case .edge(let edge): queue(edge.lineSequence, edge.line)
        case .edgeClassified(let line, let number, _, _): waiting[line]?.open.remove(number)
        case .edgeAccepted(let line, let number, let step):
            waits.append(Wait(line: line, step: step, number: number))
            accept(number, line)
        case .triggerTimeout(let line, let step):
            waits.append(Wait(line: line, step: step, number: nil))
        case .outputFailed(let line): failed.insert(line)
        default: break
        }
    }

    private mutating func queue(_ number: UInt32, _ line: Int32) {
        var edges = waiting[line] ?? Waiting()
        if line == cameraLine {
            edges.open.insert(number)
        } else if edges.numbers.count - edges.accepted < Plan.waitingEdges {
            edges.numbers.append(number)
        }
        waiting[line] = edges
    }

    /// The oldest edge that waits ends a wait; of the camera's line any later one of which nothing is decided.
    private mutating func accept(_ number: UInt32, _ line: Int32) {
        var edges = waiting[line] ?? Waiting()
        let isNext: Bool
        if line == cameraLine {
            let isLater = edges.last.map { Int32(bitPattern: number &- $0) > 0 } ?? true
            isNext = isLater && edges.open.contains(number)
        } else {
            isNext = edges.accepted < edges.numbers.count && edges.numbers[edges.accepted] == number
            edges.accepted += 1
        }
        if !isNext { misplaced += 1 }
        edges.last = number
        waiting[line] = edges
    }

    /// What is wrong with the log; to be asked once, after the last event.
    var problems: [String] {
        misplaced == 0
            ? [] : ["\(misplaced) edges were accepted that were not the next ones of their line"]
    }

    // MARK: The plan

    /// Takes the plan's next operation.
    ///
    /// - Parameters:
    ///   - outputs: what the log has of them.
    ///   - isRest: whether no row follows that had its turn.
    /// - Returns: what is wrong with its events; nil for nothing.
    mutating func pass(
        _ operation: PlanCursor.Operation, _ outputs: OutputCheck, isRest: Bool
    ) -> String? {
        switch operation {
        case .roundStart(let depth, _, _, _, _): self.depth = depth
        case .roundEnd(let depth):
            self.depth = depth - 1
            if let trigger, trigger.depth >= depth { self.trigger = nil }
            if leaving?.depth == depth { leaving = nil }
        case .waitForEdge(let line, _, let step) where leaving == nil && !hasEnded:
            return wait(line, step, isRest: isRest)
        case .pulse(let line, let duration, _) where leaving == nil && !hasEnded:
            return pulse(line, duration, outputs, isRest: isRest)
        default: break
        }
        return nil
    }

    private mutating func wait(_ line: Int32, _ step: Int32, isRest: Bool) -> String? {
        guard nextWait < waits.count else {
            hasEnded = true
            return isRest && !isComplete ? nil : "no event has how the wait before this slot ended"
        }
        let wait = waits[nextWait]
        nextWait += 1
        guard wait.line == line, wait.step == step else {
            hasEnded = true
            return "the next event about waits is not of the wait before this slot"
        }
        if let number = wait.number {
            trigger = Trigger(line: line, number: number, depth: depth)
        } else {
            trigger = nil
            leaving = LeftRound(depth: depth, line: line)
        }
        return nil
    }

    private mutating func pulse(
        _ line: Int32, _ duration: Interval, _ outputs: OutputCheck, isRest: Bool
    ) -> String? {
        if failed.contains(line) { return nil }
        let pulses = outputs.pulses(of: line)
        var place = nextPulse[line, default: 0]
        defer { nextPulse[line] = place + 1 }
        while place < pulses.count {
            if pulses[place].length == duration { return nil }
            if lights & (1 << UInt32(line)) == 0 { break }
            place += 1
        }
        if isRest, !isComplete {
            // The end of the run has cut it short, or come before it.
            hasEnded = true
            return nil
        }
        return "no event has the pulse before this slot, or it was of another length"
    }

    // MARK: The ledger

    /// What is wrong with the edge of a row that had its turn; nil for nothing.
    func problem(_ row: LedgerRow) -> String? {
        if hasEnded { return nil }
        if let leaving {
            return row.reason == .triggerTimeout && row.trigger?.line == leaving.line
                ? nil : "the events have that no edge came for this slot"
        }
        guard let trigger else {
            // A triggered camera's frames have edges without a wait for them.
            return row.trigger == nil || row.trigger?.line == cameraLine
                ? nil : "no event has that an edge was accepted for this slot"
        }
        if trigger.line == cameraLine {
            // Of the slots behind a wait the first one has this edge or, where it made no frame that fits, a later one.
            guard let reference = row.trigger, reference.line == cameraLine,
                let number = reference.lineSequence
            else { return nil }
            return Int32(bitPattern: number &- trigger.number) >= 0
                ? nil : "the events have a later edge accepted for this slot"
        }
        return row.trigger?.line == trigger.line && row.trigger?.lineSequence == trigger.number
            ? nil : "the events have another edge accepted for this slot"
    }

    /// What the log has and the plan has not.
    ///
    /// To be asked at the end of the ledger.
    func rest(_ outputs: OutputCheck, lines: [String]) -> [String] {
        var problems: [String] = []
        if nextWait < waits.count {
            problems.append("\(waits.count - nextWait) waits have ended that the plan has not")
        }
        for (line, name) in lines.enumerated() {
            let line = Int32(line)
            let count = outputs.pulses(of: line).count
            let used = nextPulse[line, default: 0]
            if lights & (1 << UInt32(line)) == 0, !failed.contains(line), used < count {
                problems.append("\(count - used) pulses of \(name) are not the plan's")
            }
        }
        return problems
    }
}
