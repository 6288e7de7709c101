internal import Cameras
public import Timebase

/// How long a plan takes, how many slots it has and how many bytes it records, as far as that is known before the run.
public struct PlanEstimate: Hashable, Sendable {
    /// Slots; nil for an endless plan.
    public private(set) var slots: Int64?
    /// Expected duration; nil for an endless plan.
    ///
    /// Waits for edges count as nothing: see ``waitsForEdges``.
    public private(set) var duration: Interval?
    /// Bytes of pixels; nil for an endless plan.
    public private(set) var bytes: Int64?
    /// Whether the duration also depends on edges from outside.
    public private(set) var waitsForEdges = false
    /// Whether the duration is known only if the camera keeps a rate that the recipe does not ask for.
    public private(set) var assumesRate = false

    /// Estimates a plan.
    ///
    /// Frames follow each other at the recipe's rate (30 fps where it names none). Changing settings costs the frames until
    /// they are surely in force: the latency, and one that is being exposed at the time of the write.
    ///
    /// - Complexity: O(instructions), whatever the counts of loops.
    public init(_ plan: Plan, bytesPerFrame: Int) {
        let rate = plan.camera.configuration.rate
        assumesRate = rate == nil
        let period = plan.camera.configuration.assumedPeriod
        var walker = EstimateWalker(plan: plan, period: Int128(period.nanoseconds))
        let total = walker.walk(0..<plan.program.count)
        waitsForEdges = walker.waitsForEdges
        if !walker.isEndless {
            slots = Int64(clamping: total.slots)
            duration = Interval(nanoseconds: Int64(clamping: total.nanoseconds))
            bytes = Int64(clamping: total.slots * Int128(bytesPerFrame))
        }
    }
}

/// Sums a program recursively: a loop's body is walked twice (its first round may start with other settings than the rest).
private struct EstimateWalker {
    struct Total {
        var slots: Int128 = 0
        var nanoseconds: Int128 = 0
    }

    let plan: Plan
    let period: Int128
    var current: Int32 = -1
    var waitsForEdges = false
    var isEndless = false

    mutating func walk(_ range: Range<Int>) -> Total {
        var total = Total()
        var position = range.lowerBound
        while position < range.upperBound {
            switch plan.program[position] {
            case .capture(let count, let settings, _, _):
                if settings != current {
                    let cost = plan.settings[Int(settings)].settlingTime(
                        period: Interval(nanoseconds: Int64(period)))
                    total.nanoseconds += Int128(cost.nanoseconds)
                    current = settings
                }
                total.slots += Int128(count)
                total.nanoseconds += Int128(count) * period
            case .pulse(_, let duration, _), .wait(let duration, _):
                total.nanoseconds += Int128(duration.nanoseconds)
            case .waitForEdge:
                waitsForEdges = true
            case .loop(let count, let every, let end, _):
                add(loop: position + 1..<Int(end), count: count, every: every, to: &total)
                position = Int(end)
            case .endLoop: break
            }
            position += 1
        }
        return total
    }

    private mutating func add(
        loop body: Range<Int>, count: Int64, every: Interval, to total: inout Total
    ) {
        let first = walk(body)
        guard count >= 0 else {
            isEndless = true
            return
        }
        let next = walk(body)
        guard count > 0 else { return }
        let others = Int128(count - 1)
        let pace = Int128(every.nanoseconds)
        total.slots += first.slots + others * next.slots
        total.nanoseconds += others > 0 ? max(first.nanoseconds, pace) : first.nanoseconds
        if others > 0 {
            total.nanoseconds += (others - 1) * max(next.nanoseconds, pace) + next.nanoseconds
        }
    }
}
