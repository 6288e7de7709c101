internal import Devices
internal import Timebase

extension TriggerWindow {
    /// Whether a frame can be that of an edge with this timestamp.
    func holds(_ frame: TriggeredFrame, after timestamp: Instant<Monotonic>) -> Bool {
        frame.latestReadout >= opens(timestamp) && frame.earliestReadout <= closes(timestamp)
    }

    /// The first moment at which the frame of an edge with this timestamp can be read out.
    func opens(_ timestamp: Instant<Monotonic>) -> Instant<Monotonic> {
        timestamp + earliest - edgeDelay
    }

    /// The last moment at which the frame of an edge with this timestamp can be read out.
    func closes(_ timestamp: Instant<Monotonic>) -> Instant<Monotonic> { timestamp + latest }

    /// How far a frame lies from the window of an edge with this timestamp; zero within.
    func distance(_ frame: TriggeredFrame, from timestamp: Instant<Monotonic>) -> Interval {
        max(
            .zero, opens(timestamp) - frame.latestReadout, frame.earliestReadout - closes(timestamp)
        )
    }

    /// Whether an edge is too close after one that was taken, whatever the timestamps leave open.
    func isSurelyEarly(_ timestamp: Instant<Monotonic>, after taken: Instant<Monotonic>) -> Bool {
        timestamp - taken + edgeDelay < shortestPeriod
    }

    /// Whether an edge is far enough from one that was taken, whatever the timestamps leave open.
    func isSurelyReady(_ timestamp: Instant<Monotonic>, after taken: Instant<Monotonic>) -> Bool {
        timestamp - taken - edgeDelay >= longestPeriod
    }
}
