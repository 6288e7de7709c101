internal import Timebase

/// Counts how outputs were switched; by what an input saw of them, where one senses them.
///
/// What the host reports of a line counts only where no input senses it: the input has the wire's delay in it.
struct OutputCounter {
    /// What is later than this counts as late.
    private let tolerance: Interval
    /// By index of lines.
    private let isSensed: [Bool]
    private var failed: Int64 = 0
    private var late: Int64 = 0
    private var unsensed: Int64 = 0
    private var latest = Interval.zero

    init(_ names: RunNames, tolerance: Interval) {
        self.tolerance = tolerance
        isSensed = names.isSensed
    }

    /// In any order; other events are passed over.
    mutating func count(_ event: RunEvent) {
        switch event {
        case .outputSet(let line, _, let after) where !isSensed[Int(line)]: note(after)
        case .outputSensed(_, _, _, let after): note(after)
        case .outputUnsensed: unsensed += 1
        case .outputFailed: failed += 1
        default: break
        }
    }

    func add(to tally: inout RunTally) {
        tally.failedOutputs = failed
        tally.latePulses = late
        tally.unsensedOutputs = unsensed
        tally.latestOutput = latest
    }

    /// - Parameter after: time from the planned switch; may be negative, which is never late.
    private mutating func note(_ after: Interval) {
        latest = max(latest, after)
        if after > tolerance { late += 1 }
    }
}
