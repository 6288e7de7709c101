public import Devices
internal import Glibc
public import Timebase

/// The host's own devices and time, as a run sees them.
///
/// Time is CLOCK_MONOTONIC, on which V4L2's and the GPIO interface's timestamps lie as well, so that frames and edges
/// need no conversion. Belongs to one thread at a time: first to the one that prepares the run, then to the capture
/// thread.
public final class LinuxWorld: World {
    /// The V4L2 camera, as discovery opened it.
    public let camera: any CameraDriver
    /// The GPIO lines of the host's chips; none is claimed before the run opens them.
    public let lines: any LineDriver
    /// The host's other clocks, and its PTP hardware clocks.
    public let clocks: any ClockDriver = KernelClocks()
    /// The board's own thermometer; nil if the kernel has none.
    public let thermometer: (any Thermometer)? = BoardThermometer()
    /// What the hardware's counter gives the host's clocks.
    public let clockResolution = KernelClock.resolution

    /// At the latest after this a wait ends: whoever watches the capture thread sees that it lives.
    ///
    /// Whoever needs a longer one asks again.
    private static let longestWait = Interval.seconds(1)

    private let v4l2: V4L2Camera
    private let signals: Int32?
    private let stop: StopRequests
    private let wakeUp: WakeUp?
    private var poll: PollWait?
    /// Places of the parts' descriptors and the lines' among those that are polled; 0 and 1 are signals and camera.
    private var partPlaces = 2..<2
    private var linePlaces = 2..<2

    /// Creates a world around an open camera.
    ///
    /// - Parameters:
    ///   - camera: as discovery opened it.
    ///   - signals: the descriptor of ``Interrupts/catchSignals()``; nil if signals are nobody's business here.
    ///   - stop: requests to stop from within the program.
    ///   - wakeUp: ends a wait from another thread; nil if nobody does.
    public init(
        camera: V4L2Camera, signals: Int32?, stop: StopRequests = StopRequests(),
        wakeUp: WakeUp? = nil
    ) {
        self.camera = camera
        v4l2 = camera
        self.signals = signals
        self.stop = stop
        self.wakeUp = wakeUp
        lines = GPIOLines()
    }

    /// The kernel's clock never waits for us.
    public var isVirtual: Bool { false }
    /// How many requests to stop came, and signals where they are this world's business.
    ///
    /// The larger of the two counts, since whoever catches signals also turns them into requests.
    public var stopRequests: Int {
        signals == nil ? stop.count : max(stop.count, Interrupts.count())
    }
    /// The present on CLOCK_MONOTONIC.
    public func now() -> Instant<Monotonic> { KernelClock.now() }
    /// How realtime reads now.
    public func realtime() -> ClockRelation<Monotonic, Realtime> { KernelClock.realtime() }

    /// Sleeps in `poll` over the camera and its parts, the lines and the signals, for a second at most.
    ///
    /// Reads nothing of a device itself: it takes the signals' and the wake-up's counters back to zero and passes to
    /// the watch of controls whether POLLPRI was up on the camera or a part. The kernel reports POLLERR and POLLHUP
    /// whether they are asked for or not (poll(2)), so a part or chip that shows one of them is not polled again.
    public func wait(until deadline: Instant<Monotonic>) {
        let poll = poll ?? makePoll()
        _ = poll.wait(until: min(deadline, now() + LinuxWorld.longestWait))
        if let signals, poll.readiness(0).isReadable { Interrupts.acknowledge(signals) }
        var hasNews = poll.readiness(1).isUrgent
        for place in partPlaces where poll.readiness(place).isUrgent { hasNews = true }
        v4l2.noteControlsPolled(hasNews: hasNews)
        // A chip that is gone would end every further wait at once, as would a part whose driver has no events. The
        // camera reports it itself when it is asked for a frame.
        for place in partPlaces.lowerBound..<linePlaces.upperBound
        where poll.readiness(place).isBroken {
            poll.watch(place, descriptor: -1)
        }
        if let wakeUp, poll.readiness(linePlaces.upperBound).isReadable { wakeUp.take() }
    }

    /// Sleeps until a time, never less; signals and devices have to wait.
    ///
    /// In pieces of half a second at most, each rounded up to a microsecond.
    public func sleep(until time: Instant<Monotonic>) {
        // In pieces, since a signal ends a sleep early.
        while case let left = (time - now()).nanoseconds, left > 0 {
            usleep(UInt32(min(left / 1_000 + 1, 500_000)))
        }
    }

    /// Made at the first wait, when camera and lines are open; it watches the same descriptors from then on.
    ///
    /// Their order is signals, camera, the camera's parts, inputs, wake-up; −1, which poll(2) passes over, stands for
    /// what is not there.
    private func makePoll() -> PollWait {
        let parts = v4l2.partDescriptors
        let inputs = lines.pollDescriptors
        let own: [Int32] = [signals ?? -1, camera.pollDescriptor]
        let woken: [Int32] = [wakeUp?.descriptor ?? -1]
        let made = PollWait(own + parts + inputs + woken)
        partPlaces = 2..<2 + parts.count
        linePlaces = partPlaces.upperBound..<partPlaces.upperBound + inputs.count
        poll = made
        return made
    }
}
