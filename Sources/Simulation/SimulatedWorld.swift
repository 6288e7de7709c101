public import Devices
public import Timebase

/// The simulated rig: a camera, lines and a clock, all from one seed.
///
/// Each part draws its random numbers from a generator of its own (`split`), so that a fault more in one part leaves
/// the numbers of the others as they were.
public final class SimulatedWorld: World {
    /// The camera.
    public var camera: any CameraDriver { faultyCamera ?? simulatedCamera }
    /// The lines.
    public var lines: any LineDriver { simulatedLines }
    /// The clocks.
    public var clocks: any ClockDriver { simulatedClocks }
    /// The camera as itself, without the faults of ``camera``; for tests.
    public let simulatedCamera: SimulatedCamera
    /// The lines as themselves, for tests.
    public let simulatedLines: SimulatedLines

    /// The rig's thermometer.
    public let thermometer: (any Thermometer)?

    private let clock: SimulatedClock
    private let simulatedClocks: SimulatedClocks
    private let stop: StopRequests
    /// The camera with faults that were asked for, and somebody who wants to know the truth.
    private let faultyCamera: FaultyCamera?
    private let simulatedDisk: SimulatedDisk?
    /// Takes the truth; does nothing where nobody wants to know it.
    private let record: (SimulatedTruth) -> Void
    /// Whether the injected request to stop has come.
    private var hasStopped = false
    /// How often realtime has been set.
    private var stepCount = 0

    /// Creates a rig.
    ///
    /// - Parameters:
    ///   - options: how it behaves, the seed among it.
    ///   - stop: requests to stop from within the program.
    ///   - truth: receives what really happens: every frame of the sensor, every injected fault.
    public init(
        _ options: SimulationOptions, stop: StopRequests = StopRequests(),
        truth: ((SimulatedTruth) -> Void)? = nil
    ) {
        clock = SimulatedClock(
            isRealTime: options.isRealTime, timekeeping: options.timekeeping)
        simulatedClocks = SimulatedClocks(clock: clock, options: options)
        let record = truth ?? { _ in }
        simulatedLines = SimulatedLines(clock: clock, options: options, record: record)
        simulatedCamera = SimulatedCamera(clock: clock, lines: simulatedLines, options: options)
        self.stop = stop
        thermometer = options.thermometer
        self.record = record
        let isFaulty = truth != nil || options.faults.injected != InjectedFaults()
        faultyCamera =
            isFaulty ? FaultyCamera(simulatedCamera, clock, options, record: record) : nil
        simulatedDisk =
            options.disk == .host
            ? nil
            : SimulatedDisk(
                takesPixels: options.disk != .simulatedWithoutPixels, options, record: record)
    }

    /// The simulated disk, where the rig has one.
    public var disk: (any VirtualDisk)? { simulatedDisk }

    /// Whether the clock stands still while the run works.
    public var isVirtual: Bool { !clock.isRealTime }
    /// How often the run was asked to stop.
    public var stopRequests: Int { stop.count + (hasStopped ? 1 : 0) }
    /// The present.
    public func now() -> Instant<Monotonic> { clock.now }
    /// How realtime reads now.
    public func realtime() -> ClockRelation<Monotonic, Realtime> { clock.realtime }

    /// What the counter of the simulated host gives its clocks; in real time, the host's own.
    public var clockResolution: ClockResolution { clock.resolution }

    /// What a clock of the rig truly shows at a time, for tests.
    public func truth(of clock: ClockSource, at time: Instant<Monotonic>) -> Int64 {
        self.clock.reading(of: clock, at: time)
    }

    /// Lets time pass until a frame, an edge, a clock reading or an injected stop is due, or the deadline has come.
    ///
    /// Injected steps of realtime, stops and starvation are reported here, as time passes over them.
    public func wait(until deadline: Instant<Monotonic>) {
        let delivery = faultyCamera?.nextDelivery ?? simulatedCamera.nextDelivery
        let stop = hasStopped ? nil : moment(faultyCamera?.faults.stopped)
        clock.sleep(
            until: min(
                deadline, delivery, simulatedLines.nextEdge, simulatedClocks.nextReading,
                stop ?? .distantFuture))
        simulatedDisk?.startedAt = faultyCamera?.startedAt
        tellSteps()
        if let stop, clock.now >= stop {
            hasStopped = true
            record(.fault(.stopped, at: clock.now, nil))
        }
        starve()
    }

    /// Tells of the times at which realtime was set since the last look.
    private func tellSteps() {
        let steps = faultyCamera?.faults.clockSteps.sorted { $0.at < $1.at } ?? []
        while stepCount < steps.count, let time = moment(steps[stepCount].at), clock.now >= time {
            stepCount += 1
            record(.fault(.clockStep, at: time, nil))
        }
    }

    /// The host does not get to its work for a while, where that is to happen now.
    private func starve() {
        for span in faultyCamera?.faults.starvation ?? [] {
            guard let start = moment(span.start), clock.now >= start,
                clock.now < start + span.duration
            else { continue }
            record(.fault(.starvation, at: clock.now, nil))
            clock.sleep(until: start + span.duration)
        }
    }

    /// When something is that counts from the start of the stream; nil before it has started.
    private func moment(_ elapsed: Interval?) -> Instant<Monotonic>? {
        guard let elapsed, let start = faultyCamera?.startedAt else { return nil }
        return start + elapsed
    }

    /// Lets time pass, whatever happens meanwhile.
    public func sleep(until time: Instant<Monotonic>) {
        repeat { clock.sleep(until: time) } while clock.now < time
    }
}
