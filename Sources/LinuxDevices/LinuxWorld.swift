public import Cameras
public import Engine
public import Lines
public import Timebase

/// The host's own devices and time, as a run sees them.
public final class LinuxWorld: RunWorld {
    /// The camera.
    public let camera: any CameraDriver
    /// The digital lines.
    public let lines: any LineDriver

    private let signals: Int32?
    private var poll: PollWait?
    private var lineCount = 0

    /// Creates a world around an open camera.
    ///
    /// - Parameters:
    ///   - camera: as discovery opened it.
    ///   - signals: the descriptor of ``Interrupts/catchSignals()``; nil if signals are nobody's business here.
    public init(camera: V4L2Camera, signals: Int32?) {
        self.camera = camera
        self.signals = signals
        lines = GPIOLines()
    }

    /// The kernel's clock never waits for us.
    public var isVirtual: Bool { false }
    /// How many signals came.
    public var stopRequests: Int { Interrupts.count() }
    /// The present.
    public func now() -> Instant<Monotonic> { KernelClock.now() }
    /// How realtime reads now.
    public func realtime() -> ClockRelation<Monotonic, Realtime> { KernelClock.sandwich().relation }

    /// Sleeps in `poll` over the camera, the lines and the signals.
    public func wait(until deadline: Instant<Monotonic>) {
        let poll = poll ?? makePoll()
        _ = poll.wait(until: deadline)
        if let signals, poll.readiness(0).isReadable { Interrupts.acknowledge(signals) }
        // A chip that is gone would end every further wait at once. The camera says so itself when it is asked for a
        // frame.
        for place in 2..<(2 + lineCount) where poll.readiness(place).isBroken {
            poll.watch(place, descriptor: -1)
        }
    }

    /// Made at the first wait, when camera and lines are open; it watches the same descriptors from then on.
    private func makePoll() -> PollWait {
        let inputs = lines.pollDescriptors
        let made = PollWait([signals ?? -1, camera.pollDescriptor] + inputs)
        lineCount = inputs.count
        poll = made
        return made
    }
}
