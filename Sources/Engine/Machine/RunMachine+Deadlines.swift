internal import Devices
public import Timebase
internal import Tracking

// When the machine has something to do.
extension RunMachine {
    /// When the machine has to be called with the time, at the latest.
    ///
    /// `distantPast` if there is something to do at once, `distantFuture` if only an event can bring any.
    public var nextDeadline: Instant<Monotonic> {
        let own: Instant<Monotonic> =
            switch waiting {
            case .nothing, .draining, .restored: .distantPast
            case .start, .ended, .frame, .restoring: .distantFuture
            case .until(let time), .pulse(_, let time), .edge(_, let time, _): time
            }
        guard case .ended = waiting else {
            return min(
                own, lights.nextDeadline, stallDeadline, approach?.due ?? .distantFuture,
                triggers.matcher.readingDue ?? .distantFuture)
        }
        return own
    }

    /// Whether the machine has more actions as soon as there is room for them.
    ///
    /// True also where a list of holes was cut off for want of room in the action queue; the runner then does not wait.
    public var hasMore: Bool {
        switch waiting {
        case .nothing, .draining, .restored: true
        case .ended: false
        default: triggers.matcher.hasDecisions
        }
    }

    /// When a stream that gives nothing is taken for broken; `distantFuture` while none has to come.
    ///
    /// Of a triggered camera only edges without frames count: without edges no frame comes.
    var stallDeadline: Instant<Monotonic> {
        if case .start = waiting { return .distantFuture }
        // What is still written at the end waits for no frame.
        if ending != nil { return .distantFuture }
        if triggers.isOn {
            return triggers.silence.edges < TriggerState.silentEdges
                ? .distantFuture : triggers.silence.since + stallTimeout
        }
        return lastFrameAt + stallTimeout
    }
}
