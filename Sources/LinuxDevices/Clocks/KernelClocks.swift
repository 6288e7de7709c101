public import Devices
internal import Synchronization
public import Timebase

/// The host's clocks and its PTP hardware clocks, read once a second on a thread of their own.
///
/// A hardware clock sits behind a bus that may take a millisecond to answer, so nothing of it belongs on the capture
/// thread: that one only takes finished readings out of a queue that neither locks nor waits.
public final class KernelClocks: ClockDriver {
    /// How long between two readings of the same clock.
    public static let interval = Interval.seconds(1)
    /// How many readings lie between two reports of how realtime is disciplined.
    public static let disciplineRounds = 60

    // SCHED_FIFO, so that a busy machine does not tear a sandwich apart: below everything that handles frames.
    private static let priority = 60
    private static let capacity = 256

    private let tree: SystemTree
    private let isRealTime: Bool
    private var rounds: ClockRounds?
    private var thread: HostThread?
    /// Ends the thread's wait; nil while it does not run.
    private var wakeUp: WakeUp?

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - isRealTime: whether its thread asks for a real-time priority.
    ///   - root: where /sys and /dev are looked for; another root than `/` serves tests.
    public init(isRealTime: Bool = true, root: String = "/") {
        self.isRealTime = isRealTime
        tree = SystemTree(root: root)
    }

    deinit { stop() }

    /// Opens PTP hardware clocks; those of an earlier call are closed.
    ///
    /// - Throws: ``DeviceError`` for the first that is not there, may not be read or is none.
    public func open(_ clocks: [ClockRequest]) throws(DeviceError) {
        var opened: [PTPClock] = []
        for (index, request) in clocks.enumerated() {
            opened.append(try PTPClock(request, as: .planned(Int32(index)), tree: tree))
        }
        rounds = ClockRounds(opened, capacity: Self.capacity)
    }

    /// Reads every clock on the calling thread, then starts its own.
    ///
    /// The first reading is made here, so that a run has one before its first frame however late the thread gets its
    /// turn.
    public func start() {
        guard thread == nil else { return }
        let rounds = rounds ?? ClockRounds([], capacity: Self.capacity)
        self.rounds = rounds
        rounds.make()
        guard let wakeUp = WakeUp() else { return }
        self.wakeUp = wakeUp
        let options = HostThread.Options(
            name: "framelock-clocks", priority: isRealTime ? Self.priority : nil)
        thread = HostThread(options) { rounds.makeEvery(Self.interval, until: wakeUp) }
    }

    /// Takes the oldest reading that waits; called by the capture thread.
    public func read() -> ClockReport? { rounds?.reports.pop() }

    /// Ends the thread, and reads every clock once more.
    ///
    /// The readings of this last round still wait to be taken.
    public func stop() {
        guard let rounds, wakeUp != nil else { return }
        wakeUp?.signal()
        thread?.join()
        thread = nil
        wakeUp = nil
        rounds.make()
    }
}

/// Rounds over all clocks, handed over through a queue.
///
/// Shared without a lock: rounds are made by one thread at a time (the starting one, the own one, and after that has
/// ended the stopping one), the queue is made for one thread on each side.
private final class ClockRounds: @unchecked Sendable {
    let reports: SingleProducerQueue<ClockReport>
    private let hardware: [PTPClock]
    /// Rounds so far; every ``KernelClocks/disciplineRounds``-th, the first among them, has the discipline with it.
    private var made = 0

    init(_ hardware: [PTPClock], capacity: Int) {
        self.hardware = hardware
        reports = SingleProducerQueue(capacity: capacity)
    }

    /// Reads every clock once.
    ///
    /// A clock that can't be read this time is left out of the round.
    func make() {
        for clock in ClockSource.host {
            if let sample = KernelClock.sandwich(clock) { hand(.sample(sample)) }
        }
        for clock in hardware {
            if let sample = clock.read() { hand(.sample(sample)) }
        }
        if made % KernelClocks.disciplineRounds == 0, let discipline = KernelClock.discipline() {
            hand(.discipline(discipline))
        }
        made += 1
    }

    /// Reads every clock again and again, each time an interval after the last, until it is woken.
    ///
    /// The interval counts from the end of a round, so that a slow bus spaces them out and never piles them up.
    func makeEvery(_ interval: Interval, until wakeUp: WakeUp) {
        let poll = PollWait([wakeUp.descriptor])
        var next = KernelClock.now() + interval
        while true {
            _ = poll.wait(until: next)
            if poll.readiness(0).isReadable { return }
            guard KernelClock.now() >= next else { continue }
            make()
            next = KernelClock.now() + interval
        }
    }

    /// A queue that is full belongs to a capture thread that hangs; its watchdog reports it.
    private func hand(_ report: ClockReport) { _ = reports.push(report) }
}
