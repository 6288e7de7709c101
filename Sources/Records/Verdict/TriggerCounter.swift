internal import Devices
internal import Recipes
internal import Tracking

/// Counts edges, the slots that they belong to, and what became of all others.
///
/// Three kinds of lines: one that exposes the camera, whose edges the log classes one by one; lines that steps wait
/// for; and others, which are not counted.
struct TriggerCounter {
    /// For each line of the plan, whether its edges matter: a step waits for them, or they expose the camera.
    private let isAwaited: [Bool]
    private let triggerLine: Int32?
    private var counts = RunTally()
    /// By line, edges that steps took by the log; ``referenced`` has those that rows name.
    private var accepted: [EdgeCount]
    private var referenced: [EdgeCount]
    /// Edges of a triggered camera that are not matched and have a slot.
    private var claimed: Int64 = 0
    /// Frames of a triggered camera that were left out at the start.
    private var warmUps: Int64 = 0
    /// Edges of lines that do not expose the camera.
    private var otherEdges: Int64 = 0
    /// The edge that the latest rows belong to, and whether all of those rows have frames.
    private var open: (trigger: TriggerReference, number: UInt32, isWhole: Bool)?

    /// How many different edges of a line were seen, their numbers rising.
    ///
    /// An edge that comes again, as in the rows of one round, counts once.
    private struct EdgeCount {
        var count: Int64 = 0
        var last: UInt32?

        mutating func note(_ number: UInt32) {
            // The kernel's numbers are 32 bits wide and restart.
            if let last, Int32(bitPattern: number &- last) <= 0 { return }
            count += 1
            last = number
        }
    }

    init(_ names: RunNames) {
        var isAwaited = names.lines.map { _ in false }
        for case .waitForEdge(let line, _, _) in names.program { isAwaited[Int(line)] = true }
        if let line = names.triggerLine { isAwaited[Int(line)] = true }
        self.isAwaited = isAwaited
        triggerLine = names.triggerLine
        accepted = names.lines.map { _ in EdgeCount() }
        referenced = accepted
    }

    /// Edges of lines that nobody waits for are left out.
    mutating func count(_ event: RunEvent) {
        switch event {
        case .edge(let edge) where isAwaited[Int(edge.line)]:
            counts.edges += 1
            otherEdges += edge.line == triggerLine ? 0 : 1
        case .edgesLost(let line, let count, _) where isAwaited[Int(line)]:
            counts.lostEdges += Int64(count)
        case .edgeAccepted(let line, let number, _): accepted[Int(line)].note(number)
        case .edgeClassified(_, _, let outcome, _): counts.edgesByClass[outcome, default: 0] += 1
        case .frameClassified(_, _, let outcome):
            counts.framesByClass[outcome, default: 0] += 1
            counts.framesWithoutEdge += outcome == .spurious ? 1 : 0
        case .edgesUncounted: counts.uncountedLines += 1
        case .triggerTimeout: counts.waitTimeouts += 1
        case .framesSkipped(let count, _, .startup) where triggerLine != nil: warmUps += count
        default: break
        }
    }

    /// Rows of one edge follow each other; when another edge comes, the one before is whole or not.
    mutating func count(_ row: LedgerRow) {
        guard let trigger = row.trigger, let number = trigger.lineSequence else { return }
        let isWhole = row.reason == nil && trigger.outcome == .matched
        let isFresh = open?.trigger.line != trigger.line || open?.number != number
        guard isFresh else {
            let wasWhole = open?.isWhole ?? true
            open?.isWhole = wasWhole && isWhole
            return
        }
        referenced[Int(trigger.line)].note(number)
        if trigger.line == triggerLine, trigger.outcome != .matched { claimed += 1 }
        if let open { Self.close(open.isWhole, into: &counts) }
        open = (trigger, number, isWhole)
    }

    /// The counts so far; edges whose last slot may be still to come count as they stand.
    ///
    /// An edge of a triggered camera that was matched and whose frame no slot took is unused, unless it was one of the
    /// frames left out at the start.
    func add(to tally: inout RunTally) {
        var result = counts
        if let open { Self.close(open.isWhole, into: &result) }
        var used: Int64 = 0
        for line in accepted.indices where Int32(line) != triggerLine {
            used += max(accepted[line].count, referenced[line].count)
        }
        result.unusedEdges = max(0, otherEdges - used)
        if let line = triggerLine {
            let matched = counts.edgesByClass[.matched, default: 0]
            let rows = referenced[Int(line)].count - claimed
            result.warmUpEdges = min(warmUps, max(0, matched - rows))
            result.unusedEdges += max(0, matched - rows - warmUps)
            let others = counts.edgesByClass.values.reduce(0, +) - matched
            result.edgesWithoutSlot = max(0, others - claimed)
        }
        tally.take(result)
    }

    private static func close(_ isWhole: Bool, into counts: inout RunTally) {
        if isWhole { counts.matchedEdges += 1 } else { counts.edgesWithoutFrame += 1 }
    }
}

extension RunTally {
    /// Takes over what is counted of triggers.
    fileprivate mutating func take(_ other: RunTally) {
        edges = other.edges
        matchedEdges = other.matchedEdges
        warmUpEdges = other.warmUpEdges
        waitTimeouts = other.waitTimeouts
        unusedEdges = other.unusedEdges
        lostEdges = other.lostEdges
        edgesWithoutFrame = other.edgesWithoutFrame
        edgesWithoutSlot = other.edgesWithoutSlot
        framesWithoutEdge = other.framesWithoutEdge
        edgesByClass = other.edgesByClass
        framesByClass = other.framesByClass
        uncountedLines = other.uncountedLines
    }
}
