public import Timebase

/// A pulse on a line, or what looks like one.
public struct SimulatedPulse: Hashable, Sendable {
    /// When it begins.
    public var time: Instant<Monotonic>
    /// Whether the camera sees it; a spike on the host's side of the wiring it does not.
    public var reachesCamera = true
    /// Whether it is the contact of the one before, bouncing.
    public var isBounce = false
}

/// The pulses of one line, from a seed: three to five quarters of a mean interval apart, with faults.
public struct SimulatedPulses: Sendable {
    private let interval: Interval
    private let faults: SimulatedLineFaults
    private var random: SplitMix64
    private var next: Instant<Monotonic>
    /// What still follows the last pulse, in order; reversed, so that the first is the last element.
    private var followers: [SimulatedPulse] = []

    /// Creates the pulses of a line, the first of them after `start`.
    public init(
        interval: Interval, faults: SimulatedLineFaults, seed: UInt64,
        from start: Instant<Monotonic>
    ) {
        self.init(
            interval: interval, faults: faults, random: SplitMix64(seed: seed), from: start)
    }

    init(
        interval: Interval, faults: SimulatedLineFaults, random: SplitMix64,
        from start: Instant<Monotonic>
    ) {
        self.interval = interval
        self.faults = faults
        self.random = random
        next = start
        next = start + varied()
    }

    /// When the next pulse begins.
    public var nextTime: Instant<Monotonic> { followers.last?.time ?? next }

    /// Takes the next pulse.
    public mutating func take() -> SimulatedPulse {
        if let follower = followers.popLast() { return follower }
        while random.happens(faults.missing) { next = next + varied() }
        let pulse = SimulatedPulse(time: next)
        follow(pulse.time)
        next = next + varied()
        if random.happens(faults.pauses) {
            next = next + .milliseconds(Int64(random.next() % 20_000))
        }
        return pulse
    }

    /// Draws what follows a pulse: a bounce, a second pulse or a spike, one of them at most.
    private mutating func follow(_ time: Instant<Monotonic>) {
        if random.happens(faults.bounces) {
            followers = [SimulatedPulse(time: time + microseconds(20...800), isBounce: true)]
        } else if random.happens(faults.doubled) {
            followers = [SimulatedPulse(time: time + microseconds(1_000...6_000))]
        } else if random.happens(faults.spikes) {
            followers = [
                SimulatedPulse(time: time + microseconds(6_000...6_300), reachesCamera: false)
            ]
        }
    }

    /// Three to five quarters of the mean interval.
    private mutating func varied() -> Interval {
        let half = interval.nanoseconds / 2
        guard half > 0 else { return .milliseconds(1) }
        return interval * 3 / 4 + Interval(nanoseconds: Int64(random.next() % UInt64(half)))
    }

    private mutating func microseconds(_ range: ClosedRange<UInt64>) -> Interval {
        let span = range.upperBound - range.lowerBound + 1
        return .microseconds(Int64(range.lowerBound + random.next() % span))
    }
}

extension SplitMix64 {
    /// Whether a fault happens; a fault that can't takes no random number, so that its absence changes nothing.
    mutating func happens(_ chancePerMillion: Int) -> Bool {
        chancePerMillion > 0 && happens(chancePerMillion: chancePerMillion)
    }
}
