internal import Devices
internal import Simulation
internal import Timebase
internal import Tracking

/// A line, the kernel's view of it, a triggered sensor and a host that reads both; faults from a seed.
///
/// Left out, because nobody could tell them from something else: spikes that only the host sees within a third of a
/// millisecond before a pulse (a bounce would look the same), and frames that the sensor makes by itself within a
/// millisecond of a pulse.
struct TriggerRig {
    static let exposure = Interval.milliseconds(2)
    /// How late a frame's timestamp may be.
    static let delay = Interval.microseconds(100)
    static let window = TriggerWindow(
        earliest: exposure + SimulatedTriggeredSensor.delay.shortest,
        latest: exposure + SimulatedTriggeredSensor.delay.longest,
        edgeDelay: .microseconds(300),
        shortestPeriod: exposure + SimulatedTriggeredSensor.deadTime,
        longestPeriod: exposure + SimulatedTriggeredSensor.deadTime)
    private static let interval = Interval.milliseconds(10)
    private static let transfer = Interval.milliseconds(4)
    private static let buffers = 8

    private var random: SplitMix64
    private var pulses: SimulatedPulses
    private var kernel: SimulatedKernelLine
    private var sensor: SimulatedTriggeredSensor
    private var story = TriggerStory()
    /// Frames on their way to the driver, and in its buffers.
    private var onTheWay: [(frame: Int, fate: SimulatedTriggeredSensor.Fate)] = []
    private var buffered: [(frame: Int, missing: Int64)] = []
    private var missing: Int64 = 0
    private var nextSequence: UInt32
    private var stalledUntil = Instant<Monotonic>.distantPast
    private var pulseOfTimestamp: [Instant<Monotonic>: Int] = [:]

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        let faults = Self.faults(isOlder: seed % 10 == 9)
        story.countsEdges = faults.interface == .v2
        let start = Instant<Monotonic>(nanoseconds: 1_000_000_000_000)
        pulses = SimulatedPulses(
            interval: Self.interval, faults: faults, seed: random.next(), from: start)
        let request = LineRequest(
            name: "part", chip: "chip", position: .offset(0), direction: .input)
        kernel = SimulatedKernelLine(
            line: 0, request: request, faults: faults, seed: random.next())
        sensor = SimulatedTriggeredSensor(faults: faults, seed: random.next())
        // Some streams number their frames across the end of 32 bits.
        nextSequence = random.next() % 5 == 0 ? .max - 500 : 0
    }

    /// How often each goes wrong, per million pulses: a bad day of a machine that works.
    static func faults(isOlder: Bool) -> SimulatedLineFaults {
        var faults = SimulatedLineFaults()
        faults.interface = isOlder ? .v1 : .v2
        faults.kernelCapacity = 64
        faults.missing = 500
        faults.bounces = 200
        faults.doubled = 200
        faults.spikes = 20
        faults.pauses = 50
        faults.lateTimestamps = 1_000
        faults.overdueTimestamps = 2
        faults.service = .microseconds(150)
        faults.spuriousFrames = 10
        faults.lostInside = 50
        faults.lostByDriver = 1_000
        return faults
    }

    /// Hosts that stand still for up to 1.2 s, per million pulses.
    static let stalls: UInt64 = 10

    /// Plays so many pulses.
    consuming func play(_ count: Int) -> TriggerStory {
        var matcher = TriggerMatcher(Self.window, countsEdges: story.countsEdges)
        var before = pulses.nextTime - .milliseconds(20)
        for _ in 0..<count {
            let pulse = pulses.take()
            exposeByItself(between: before, and: pulse.time)
            turns(upTo: pulse.time, &matcher)
            if random.next() % 1_000_000 < Self.stalls {
                stalledUntil =
                    pulse.time + .milliseconds(100 + Int64(random.next() % 1_100))
            }
            take(pulse)
            before = pulse.time
        }
        turns(upTo: before + .seconds(3), &matcher)
        matcher.finish()
        collect(&matcher)
        return story
    }

    private mutating func take(_ pulse: SimulatedPulse) {
        var truth = TriggerStory.Pulse(time: pulse.time, reachesCamera: pulse.reachesCamera)
        truth.timestamp = kernel.take(pulse)
        if let timestamp = truth.timestamp { pulseOfTimestamp[timestamp] = story.pulses.count }
        if let frame = sensor.take(pulse, exposure: Self.exposure) {
            truth.frame = story.frames.count
            note(frame, pulse: story.pulses.count)
        }
        story.pulses.append(truth)
    }

    private mutating func exposeByItself(
        between before: Instant<Monotonic>, and next: Instant<Monotonic>
    ) {
        let middle = before + (next - before) / 2
        guard next - middle > .milliseconds(1) else { return }
        if let frame = sensor.idle(at: middle, exposure: Self.exposure) { note(frame, pulse: nil) }
    }

    private mutating func note(_ frame: SimulatedTriggeredSensor.Frame, pulse: Int?) {
        onTheWay.append((story.frames.count, frame.fate))
        story.frames.append(TriggerStory.Frame(pulse: pulse, readout: frame.readout))
    }

    // MARK: The host

    /// Everything that the host does up to a time.
    private mutating func turns(upTo time: Instant<Monotonic>, _ matcher: inout TriggerMatcher) {
        while let (frame, fate) = onTheWay.first,
            story.frames[frame].readout + Self.transfer <= time
        {
            onTheWay.removeFirst()
            let arrival = story.frames[frame].readout + Self.transfer
            if arrival >= stalledUntil { wake(&matcher) }
            if fate == .lostInside { continue }
            story.frames[frame].sequence = nextSequence
            nextSequence &+= 1
            if fate == .lostByDriver || buffered.count == Self.buffers {
                missing += 1
                continue
            }
            story.frames[frame].isDelivered = true
            buffered.append((frame, missing))
            missing = 0
            if arrival >= stalledUntil { turn(at: arrival, &matcher) }
        }
        if stalledUntil <= time { wake(&matcher) }
    }

    private mutating func wake(_ matcher: inout TriggerMatcher) {
        if !buffered.isEmpty { turn(at: stalledUntil, &matcher) }
    }

    private mutating func turn(at time: Instant<Monotonic>, _ matcher: inout TriggerMatcher) {
        while let edge = kernel.read(at: time) {
            if let pulse = pulseOfTimestamp.removeValue(forKey: edge.timestamp) {
                story.pulses[pulse].number = edge.lineSequence
            }
            matcher.add(edge)
        }
        matcher.noteRead(upTo: time)
        for (frame, missing) in buffered {
            let late = Int64(random.next() % 80_000)
            let exact = story.frames[frame].readout.nanoseconds + late
            let timestamp = Instant<Monotonic>(nanoseconds: exact / 1_000 * 1_000)
            matcher.add(
                TriggeredFrame(
                    sequence: story.frames[frame].sequence ?? 0,
                    earliestReadout: timestamp - Self.delay,
                    latestReadout: timestamp + .microseconds(1), missing: missing))
        }
        buffered = []
        collect(&matcher)
    }

    private mutating func collect(_ matcher: inout TriggerMatcher) {
        while let decision = matcher.next() { story.decisions.append(decision) }
    }
}
