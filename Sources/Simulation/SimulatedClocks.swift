public import Devices
public import Timebase

/// The simulated host's clocks beside the monotonic one, read once a second of its time.
///
/// Readings take time, more before or more after as it happens, now and then much more: all from the seed.
public final class SimulatedClocks: ClockDriver {
    private static let interval = Interval.seconds(1)
    /// Sandwiches of which the narrowest is kept, as on Linux.
    private static let readings = 9

    private let clock: SimulatedClock
    private let timekeeping: SimulatedTimekeeping
    private var random: SplitMix64
    private var hardwareCount = 0
    private var next = Instant<Monotonic>.distantFuture
    /// Readings of the round that are still to be fetched: places among all clocks.
    private var left = 0..<0
    private var isRunning = false

    init(clock: SimulatedClock, options: SimulationOptions) {
        self.clock = clock
        timekeeping = options.timekeeping
        random = SplitMix64(seed: options.seed).split(11)
    }

    /// Accepts every clock: beside the simulated rig every clock exists.
    public func open(_ clocks: [ClockRequest]) throws(DeviceError) { hardwareCount = clocks.count }

    /// Begins with a round.
    public func start() {
        isRunning = true
        beginRound()
    }

    /// Takes the next reading of a round whose time has come.
    public func read() -> ClockReport? {
        if left.isEmpty {
            guard clock.now >= next else { return nil }
            beginRound()
        }
        let place = left.lowerBound
        left = place + 1..<left.upperBound
        return .sample(sample(place))
    }

    /// Ends with a round.
    public func stop() {
        guard isRunning else { return }
        isRunning = false
        beginRound()
        next = .distantFuture
    }

    /// When something is to be read, if nothing waits.
    var nextReading: Instant<Monotonic> { left.isEmpty ? next : .distantPast }

    private func beginRound() {
        left = 0..<ClockSource.host.count + hardwareCount
        next = clock.now + Self.interval
    }

    /// Makes the sample of a clock of the round: the narrowest of several sandwiches that end now.
    private func sample(_ place: Int) -> ClockSample {
        let isHost = place < ClockSource.host.count
        let source =
            isHost ? ClockSource.host[place] : .planned(Int32(place - ClockSource.host.count))
        var gaps = (before: delay(), after: delay())
        var round = 1
        while round < Self.readings {
            round += 1
            let other = (before: delay(), after: delay())
            if other.before + other.after < gaps.before + gaps.after { gaps = other }
        }
        let end = clock.now
        let moment = end - gaps.after
        return ClockSample(
            before: clock.shown(at: moment - gaps.before),
            ClockTime(source, clock.shown(of: source, at: moment)), after: clock.shown(at: end))
    }

    /// How long half a sandwich takes: the least, and a random part of the jitter; one in fifty has a hundred times
    /// that part.
    private func delay() -> Interval {
        let jitter = timekeeping.readJitter.nanoseconds
        guard jitter > 0 else { return timekeeping.shortestRead }
        let isSlow = random.happens(chancePerMillion: 20_000)
        let span = Int64(random.next() % UInt64(jitter)) * (isSlow ? 100 : 1)
        return timekeeping.shortestRead + .nanoseconds(span)
    }
}
