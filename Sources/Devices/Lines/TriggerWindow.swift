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
    /// To distinguish edges by time alone it must be less than half of their least distance.
    public var width: Interval { latest - earliest + edgeDelay }
}
