internal import Devices
internal import Timebase

/// What ``InjectedFaults`` let the driver report falsely of its frames; the frames themselves are as they were.
struct DriverFaults {
    private let faults: InjectedFaults
    /// For timestamps of zero; ``interrupts`` has its own, so that one fault leaves the other where it is.
    private var rng: SplitMix64
    private var interrupts: SplitMix64
    /// The number that became 0 when the count restarted.
    private var zero: UInt32?
    /// What the last frame was reported as.
    private var last: (sequence: UInt32, timestamp: Instant<Monotonic>)?
    /// The stretches that have been reported.
    private var reported: Set<InjectedFaults.Span> = []

    init(_ faults: InjectedFaults, seed: UInt64) {
        self.faults = faults
        rng = SplitMix64(seed: seed).split(21)
        interrupts = SplitMix64(seed: seed).split(22)
    }

    /// The stream restarts.
    mutating func restart() { (zero, last, reported) = (nil, nil, []) }

    /// Changes number and timestamp of a frame.
    ///
    /// - Parameters:
    ///   - frame: the next one, whatever becomes of it.
    ///   - elapsed: when it comes, from the start of the stream.
    ///   - period: from frame to frame.
    /// - Returns: the faults that begin with it, or are its own.
    mutating func apply(
        to frame: inout DequeuedFrame, at elapsed: Interval, period: Interval
    ) -> [SimulatedFault] {
        var begun: [SimulatedFault] = []
        if interrupts.happens(chancePerMillion: faults.lateInterrupts) {
            let share = Int64(interrupts.next() % 700) + 100
            frame.timestamp = frame.timestamp + period * share / 1_000
            begun.append(.lateInterrupt)
        }
        if let span = span(faults.halfRates, at: elapsed), reported.insert(span).inserted {
            begun.append(.halfRate)
        }
        if let reset = faults.sequenceReset, elapsed >= reset {
            if zero == nil { begun.append(.sequenceReset) }
            let zero = zero ?? frame.sequence
            self.zero = zero
            frame.sequence = frame.sequence &- zero
        }
        if let span = span(faults.sequenceStuck, at: elapsed), let last {
            frame.sequence = last.sequence
            if reported.insert(span).inserted { begun.append(.sequenceStuck) }
        }
        if let span = span(faults.timestampStuck, at: elapsed), let last {
            frame.timestamp = last.timestamp
            if reported.insert(span).inserted { begun.append(.timestampStuck) }
        }
        last = (frame.sequence, frame.timestamp)
        if rng.happens(chancePerMillion: faults.zeroTimestamps) {
            frame.timestamp = Instant(nanoseconds: 0)
            begun.append(.zeroTimestamp)
        }
        return begun
    }

    /// The stretch that a moment lies in; nil if it lies in none.
    private func span(
        _ spans: [InjectedFaults.Span], at elapsed: Interval
    ) -> InjectedFaults.Span? {
        spans.first { elapsed >= $0.start && elapsed < $0.end }
    }
}
