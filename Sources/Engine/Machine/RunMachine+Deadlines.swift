internal import Devices
public import Timebase
internal import Tracking

// When the machine has something to do.
extension RunMachine {
    /// When the machine has to be called with the time, at the latest.
    ///
    /// `distantPast` if there is something to do at once, `distantFuture` if only an event can bring any.
    public var nextDeadline: Instant<Monotonic> {
        if case .ended = sequencer.waiting { return .distantFuture }
        return min(
            sequencer.deadline, lights.nextDeadline, stallDeadline, planner.deadline,
            triggers.matcher.readingDue ?? .distantFuture)
    }

    /// Whether the machine has more actions as soon as there is room for them.
    ///
    /// True also where a list of holes was cut off for want of room in the action queue; the runner then does not wait.
    public var hasMore: Bool {
        if case .ended = sequencer.waiting { return false }
        return sequencer.deadline == .distantPast || triggers.matcher.hasDecisions
    }

    /// When a stream that gives nothing is taken for broken; `distantFuture` while none has to come.
    ///
    /// Of a triggered camera only edges without frames count: without edges no frame comes.
    var stallDeadline: Instant<Monotonic> {
        if case .start = sequencer.waiting { return .distantFuture }
        // What is still written at the end waits for no frame.
        if sequencer.ending != nil { return .distantFuture }
        if triggers.isOn {
            return triggers.silentSince.map { $0 + stallTimeout } ?? .distantFuture
        }
        return times.lastTakenAt + stallTimeout
    }
}
