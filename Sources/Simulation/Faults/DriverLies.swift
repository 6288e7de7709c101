internal import Cameras
internal import Timebase

/// What ``InjectedFaults`` let the driver say of its frames that is not true; the frames themselves are as they were.
struct DriverLies {
    private let faults: InjectedFaults
    private var luck: SplitMix64
    private var interrupts: SplitMix64
    /// The number that became 0 when the count began anew.
    private var zero: UInt32?
    /// What the last frame was told to be.
    private var last: (sequence: UInt32, stamp: Instant<Monotonic>)?
    /// The stretches that have been told of.
    private var told: Set<InjectedFaults.Span> = []

    init(_ faults: InjectedFaults, seed: UInt64) {
        self.faults = faults
        luck = SplitMix64(seed: seed).split(21)
        interrupts = SplitMix64(seed: seed).split(22)
    }

    /// The stream starts anew.
    mutating func restart() { (zero, last, told) = (nil, nil, []) }

    /// Changes number and stamp of a frame.
    ///
    /// - Parameters:
    ///   - frame: the next one, whatever becomes of it.
    ///   - elapsed: when it comes, from the start of the stream.
    ///   - period: from frame to frame.
    /// - Returns: the faults that begin with it, or are its own.
    mutating func tell(
        _ frame: inout DequeuedFrame, at elapsed: Interval, period: Interval
    ) -> [SimulatedFault] {
        var begun: [SimulatedFault] = []
        if interrupts.happens(chancePerMillion: faults.lateInterrupts) {
            let share = Int64(interrupts.next() % 700) + 100
            frame.timestamp = frame.timestamp + period * share / 1_000
            begun.append(.lateInterrupt)
        }
        if let reset = faults.sequenceReset, elapsed >= reset {
            if zero == nil { begun.append(.sequenceReset) }
            let zero = zero ?? frame.sequence
            self.zero = zero
            frame.sequence = frame.sequence &- zero
        }
        if let span = span(faults.sequenceStuck, at: elapsed), let last {
            frame.sequence = last.sequence
            if told.insert(span).inserted { begun.append(.sequenceStuck) }
        }
        if let span = span(faults.stampStuck, at: elapsed), let last {
            frame.timestamp = last.stamp
            if told.insert(span).inserted { begun.append(.stampStuck) }
        }
        last = (frame.sequence, frame.timestamp)
        if luck.happens(chancePerMillion: faults.zeroStamps) {
            frame.timestamp = Instant(nanoseconds: 0)
            begun.append(.zeroStamp)
        }
        return begun
    }

    private func span(
        _ spans: [InjectedFaults.Span], at elapsed: Interval
    ) -> InjectedFaults.Span? {
        spans.first { elapsed >= $0.start && elapsed < $0.end }
    }
}
