public import Devices
public import Timebase

/// What the kernel makes of the pulses on one line: timestamps in the interrupt, and a queue that can overflow.
///
/// Timestamps are late, never early. Edges that follow each other too quickly become one. What the queue has no room
/// for is lost: the oldest with the newer interface, which numbers show; the newest with the older one, which nothing
/// shows.
public struct SimulatedKernelLine: Sendable {
    /// Debounced edges are timestamped by a timer that counts ticks of this length.
    private static let tick: Int64 = 4_000_000
    /// What uAPI v1 of the kernel keeps for a line; version 2 keeps ``SimulatedLineFaults/kernelCapacity``.
    private static let olderCapacity = 16

    private let line: Int32
    /// Whether falling edges alone are asked for; the edge that counts is the falling one then.
    private let isFallingOnly: Bool
    private let debounce: Interval
    private let faults: SimulatedLineFaults
    private var random: SplitMix64
    private var count: UInt32 = 0
    private var lastPulse = Instant<Monotonic>.distantPast
    private var lastTimestamp = Instant<Monotonic>.distantPast
    private var waiting: [LineEdge] = []
    /// What became of the last pulse.
    public private(set) var fate = SimulatedEdge.Fate.seen
    /// The number of the last pulse, if it has one.
    public var number: UInt32? { fate == .seen ? count : nil }
    /// The edge that was thrown away for the last pulse.
    public private(set) var thrownAway: LineEdge?

    /// Creates the kernel's side of a line.
    public init(
        line: Int32, request: LineRequest, faults: SimulatedLineFaults, seed: UInt64
    ) {
        self.init(
            line: line, request: request, faults: faults, random: SplitMix64(seed: seed))
    }

    init(line: Int32, request: LineRequest, faults: SimulatedLineFaults, random: SplitMix64) {
        self.line = line
        isFallingOnly = request.edge == .falling
        debounce = request.debounce
        self.faults = faults
        self.random = random
    }

    /// The oldest timestamp that waits.
    public var next: Instant<Monotonic>? { waiting.first?.timestamp }

    /// Takes the next pulse of the line.
    ///
    /// - Parameters:
    ///   - pulse: the pulse, of which one edge counts.
    ///   - isRising: which one that is; nil for the one that the line watches.
    /// - Returns: the timestamp of its edge; nil if it is not seen as an edge of its own.
    @discardableResult
    public mutating func take(
        _ pulse: SimulatedPulse, isRising: Bool? = nil
    ) -> Instant<Monotonic>? {
        defer { lastPulse = pulse.time }
        thrownAway = nil
        fate = .seen
        if debounce > .zero, pulse.time - lastPulse < debounce { fate = .debounced }
        if faults.service > .zero, pulse.time < lastTimestamp + faults.service { fate = .merged }
        if random.happens(faults.lostEdges) { fate = .lost }
        if fate != .seen { return nil }
        let timestamp = max(timestamp(of: pulse.time), lastTimestamp + .nanoseconds(1))
        lastTimestamp = timestamp
        let isOlder = faults.interface == .v1
        let isFull = waiting.count >= (isOlder ? Self.olderCapacity : faults.kernelCapacity)
        if isFull, isOlder {
            fate = .overflowed
            return timestamp
        }
        if isFull { thrownAway = waiting.removeFirst() }
        count += 1
        waiting.append(
            LineEdge(
                line: line, isRising: isRising ?? !isFallingOnly, timestamp: timestamp,
                lineSequence: count))
        return timestamp
    }

    /// Takes the oldest edge whose interrupt has been handled by now.
    public mutating func read(at now: Instant<Monotonic>) -> LineEdge? {
        guard let first = waiting.first, first.timestamp <= now else { return nil }
        return waiting.removeFirst()
    }

    /// When the interrupt was taken: late, never early.
    ///
    /// Debounced edges come on the tick after the time that the line must be stable.
    private mutating func timestamp(of time: Instant<Monotonic>) -> Instant<Monotonic> {
        if debounce > .zero {
            let due = (time + debounce).nanoseconds
            return Instant(nanoseconds: (due / Self.tick + 1) * Self.tick)
        }
        if random.happens(faults.overdueTimestamps) {
            return time + .microseconds(400 + Int64(random.next() % 2_600))
        }
        if random.happens(faults.lateTimestamps) {
            // Each further factor of two is half as likely.
            let longest = Int64(300) >> Int64(min(6, random.next().trailingZeroBitCount))
            return time + .microseconds(longest / 2 + Int64(random.next() % UInt64(longest / 2)))
        }
        guard faults.lateTimestamps > 0 else { return time }
        return time + .microseconds(5 + Int64(random.next() % 25))
    }
}
