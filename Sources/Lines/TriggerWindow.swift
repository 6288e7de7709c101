public import Timebase

/// When the frame of an edge is read out, and how close edges may follow each other.
public struct TriggerWindow: Hashable, Sendable {
    /// The least time from an edge to the start of its frame's readout: the shortest exposure and what is added to it.
    public var earliest: Interval
    /// The most time from an edge to the start of its frame's readout.
    public var latest: Interval
    /// An edge's stamp lies at most this much after the edge, and never before it.
    public var edgeLateness: Interval
    /// An edge closer than this to the last one that the camera took is surely not taken.
    public var shortestPeriod: Interval
    /// An edge at least this far from the last one that the camera took surely is.
    public var longestPeriod: Interval

    /// Creates a window.
    public init(
        earliest: Interval, latest: Interval, edgeLateness: Interval, shortestPeriod: Interval,
        longestPeriod: Interval
    ) {
        self.earliest = earliest
        self.latest = latest
        self.edgeLateness = edgeLateness
        self.shortestPeriod = shortestPeriod
        self.longestPeriod = longestPeriod
    }

    /// From the earliest to the latest moment, seen from an edge's stamp.
    ///
    /// To tell edges apart by time alone it must be less than half of their least distance.
    public var width: Interval { latest - earliest + edgeLateness }

    /// Whether a frame can be that of an edge with this stamp.
    func holds(_ frame: TriggeredFrame, after stamp: Instant<Monotonic>) -> Bool {
        frame.latestReadout >= opens(stamp) && frame.earliestReadout <= closes(stamp)
    }

    /// The first moment at which the frame of an edge with this stamp can be read out.
    func opens(_ stamp: Instant<Monotonic>) -> Instant<Monotonic> {
        stamp + earliest - edgeLateness
    }

    /// The last moment at which the frame of an edge with this stamp can be read out.
    func closes(_ stamp: Instant<Monotonic>) -> Instant<Monotonic> { stamp + latest }

    /// How far a frame lies from the window of an edge with this stamp; zero within.
    func distance(_ frame: TriggeredFrame, from stamp: Instant<Monotonic>) -> Interval {
        max(
            .zero, opens(stamp) - frame.latestReadout, frame.earliestReadout - closes(stamp))
    }

    /// Whether an edge is too close after one that was taken, whatever the stamps leave open.
    func isSurelyEarly(_ stamp: Instant<Monotonic>, after taken: Instant<Monotonic>) -> Bool {
        stamp - taken + edgeLateness < shortestPeriod
    }

    /// Whether an edge is far enough from one that was taken, whatever the stamps leave open.
    func isSurelyReady(_ stamp: Instant<Monotonic>, after taken: Instant<Monotonic>) -> Bool {
        stamp - taken - edgeLateness >= longestPeriod
    }
}
