public import Timebase

/// When the frame of an edge is read out, and how close edges may follow each other.
public struct TriggerWindow: Hashable, Sendable {
    /// The least time from an edge to the start of its frame's readout: the shortest exposure and what is added to it.
    public var earliest: Interval
    /// The most time from an edge to the start of its frame's readout.
    public var latest: Interval
    /// An edge's timestamp lies at most this much after the edge, and never before it.
    public var edgeDelay: Interval
    /// An edge closer than this to the last one that the camera took is surely not taken.
    public var shortestPeriod: Interval
    /// An edge at least this far from the last one that the camera took surely is.
    public var longestPeriod: Interval

    /// Creates a window.
    public init(
        earliest: Interval, latest: Interval, edgeDelay: Interval, shortestPeriod: Interval,
        longestPeriod: Interval
    ) {
        self.earliest = earliest
        self.latest = latest
        self.edgeDelay = edgeDelay
        self.shortestPeriod = shortestPeriod
        self.longestPeriod = longestPeriod
    }

    /// From the earliest to the latest moment, seen from an edge's timestamp.
    ///
    /// To tell edges apart by time alone it must be less than half of their least distance.
    public var width: Interval { latest - earliest + edgeDelay }

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
