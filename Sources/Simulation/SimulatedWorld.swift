public import Cameras
public import Engine
public import Lines
public import Timebase

/// The simulated rig: a camera, lines and a clock, all from one seed.
public final class SimulatedWorld: RunWorld {
    /// The camera.
    public var camera: any CameraDriver { simulatedCamera }
    /// The lines.
    public var lines: any LineDriver { simulatedLines }
    /// The clocks.
    public var clocks: any ClockDriver { simulatedClocks }
    /// The camera as itself, for tests.
    public let simulatedCamera: SimulatedCamera
    /// The lines as themselves, for tests.
    public let simulatedLines: SimulatedLines

    /// The rig's thermometer.
    public let thermometer: (any Thermometer)?

    private let clock: SimulatedClock
    private let simulatedClocks: SimulatedClocks
    private let stop: StopRequests

    /// Creates a rig.
    public init(_ options: SimulationOptions, stop: StopRequests = StopRequests()) {
        clock = SimulatedClock(
            isRealTime: options.isRealTime, timekeeping: options.timekeeping)
        simulatedClocks = SimulatedClocks(clock: clock, options: options)
        simulatedLines = SimulatedLines(clock: clock, options: options)
        simulatedCamera = SimulatedCamera(clock: clock, lines: simulatedLines, options: options)
        self.stop = stop
        thermometer = options.thermometer
    }

    /// Whether the clock stands still while the run works.
    public var isVirtual: Bool { !clock.isRealTime }
    /// How often the run was asked to stop.
    public var stopRequests: Int { stop.count }
    /// The present.
    public func now() -> Instant<Monotonic> { clock.now }
    /// How realtime reads now.
    public func realtime() -> ClockRelation<Monotonic, Realtime> { clock.realtime }

    /// What a clock of the rig truly shows at a time, for tests.
    public func truth(of clock: ClockSource, at time: Instant<Monotonic>) -> Int64 {
        self.clock.reading(of: clock, at: time)
    }

    /// Lets time pass until something happens, or the deadline.
    public func wait(until deadline: Instant<Monotonic>) {
        clock.sleep(
            until: min(
                deadline, simulatedCamera.nextDelivery, simulatedLines.nextEdge,
                simulatedClocks.nextReading))
    }

    /// Lets time pass, whatever happens meanwhile.
    public func sleep(until time: Instant<Monotonic>) {
        repeat { clock.sleep(until: time) } while clock.now < time
    }
}
