internal import Devices
public import Timebase
internal import Tracking

// When the machine has something to do.
extension RunMachine {
    /// When the machine wants to be told the time, at the latest.
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

    /// Whether the machine has more to say as soon as there is room for it.
    public var hasMore: Bool {
        switch waiting {
        case .nothing, .draining, .restored: true
        case .ended: false
        default: triggers.matcher.hasDecisions
        }
    }

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
