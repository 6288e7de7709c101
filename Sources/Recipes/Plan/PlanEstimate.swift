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
    /// Frames follow each other at the recipe's rate (30 fps where it names none). Changing settings costs the frames
    /// until they are surely in force: the latency, and one that is being exposed at the time of the write.
    ///
    /// - Complexity: O(instructions), whatever the counts of loops.
    public init(_ plan: Plan, bytesPerFrame: Int) {
        let rate = plan.camera.configuration.rate
        assumesRate = rate == nil && plan.camera.profile.timing == nil
        let period = plan.camera.assumedPeriod
        var walker = EstimateWalker(plan: plan, period: period)
        let total = walker.walk(0..<plan.program.count)
        waitsForEdges = walker.waitsForEdges
        if !walker.isEndless {
            slots = Int64(clamping: total.slots)
            duration = Interval(nanoseconds: Int64(clamping: total.nanoseconds))
            bytes = Int64(clamping: total.slots * Int128(bytesPerFrame))
        }
    }
}

/// What a stretch of a program takes, depending on the settings with which it begins.
private struct Stretch {
    /// Frames.
    var slots: Int128 = 0
    /// Time if it begins with the settings of its first frame in force.
    var settledNanoseconds: Int128 = 0
    /// Time if it does not.
    var nanoseconds: Int128 = 0
    /// Settings of its first and its last frame; nil without frames.
    var first: Int32?
    var last: Int32?

    /// Time if it begins after frames with these settings.
    func nanoseconds(after settings: Int32?) -> Int128 {
        first != nil && first == settings ? settledNanoseconds : nanoseconds
    }

    /// Adds what comes next.
    mutating func append(_ next: Stretch) {
        slots += next.slots
        if last == nil {
            // Nothing so far has settings, so what comes next is the first to depend on them.
            settledNanoseconds += next.settledNanoseconds
            nanoseconds += next.nanoseconds
            first = next.first
        } else {
            let more = next.nanoseconds(after: last)
            settledNanoseconds += more
            nanoseconds += more
        }
        last = next.last ?? last
    }

    /// Adds time whatever the settings.
    mutating func append(nanoseconds more: Int128) {
        settledNanoseconds += more
        nanoseconds += more
    }

    /// The stretch over and over, round n starting no sooner than n times `pace` after the first one.
    func repeated(_ count: Int64, pace: Int128) -> Stretch {
        guard count > 1 else { return count == 1 ? self : Stretch() }
        let others = Int128(count - 1)
        let next = nanoseconds(after: last)
        // The last round starts when the ones before it are done, which catch up with a late one, or when it is due.
        func all(_ first: Int128) -> Int128 {
            max(max(first, pace) + (others - 1) * next, others * pace) + next
        }
        var total = self
        total.slots = slots * (others + 1)
        total.settledNanoseconds = all(settledNanoseconds)
        total.nanoseconds = all(nanoseconds)
        return total
    }
}

/// Sums a program: every instruction is looked at once.
private struct EstimateWalker {
    let plan: Plan
    let period: Interval
    var waitsForEdges = false
    var isEndless = false

    mutating func walk(_ range: Range<Int>) -> Stretch {
        var total = Stretch()
        var position = range.lowerBound
        while position < range.upperBound {
            switch plan.program[position] {
            case .capture(let count, let settings, _, _):
                total.append(frames(count, settings))
            case .pulse(_, let duration, _), .wait(let duration, _):
                total.append(nanoseconds: Int128(duration.nanoseconds))
            case .waitForEdge:
                waitsForEdges = true
            case .loop(let count, let every, let end, _):
                let body = walk(position + 1..<Int(end))
                if count < 0 { isEndless = true }
                total.append(body.repeated(count, pace: Int128(every.nanoseconds)))
                position = Int(end)
            case .endLoop: break
            }
            position += 1
        }
        return total
    }

    private func frames(_ count: Int64, _ settings: Int32) -> Stretch {
        let planned = plan.settings[Int(settings)]
        let time = Int128(count) * Int128(period.nanoseconds)
        let change = Int128(planned.settlingTime(period: period).nanoseconds)
        return Stretch(
            slots: Int128(count), settledNanoseconds: time, nanoseconds: time + change,
            first: settings, last: settings)
    }
}
