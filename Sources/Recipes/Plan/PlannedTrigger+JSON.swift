internal import Devices
internal import Notation
internal import Timebase

extension PlannedTrigger {
    var json: JSONValue {
        [
            "line": .integer(Int64(line)),
            "earliest_ns": .integer(window.earliest.nanoseconds),
            "latest_ns": .integer(window.latest.nanoseconds),
            "edge_lateness_ns": .integer(window.edgeDelay.nanoseconds),
            "shortest_period_ns": .integer(window.shortestPeriod.nanoseconds),
            "longest_period_ns": .integer(window.longestPeriod.nanoseconds),
            "exposure_ns": exposure.map { .integer($0.nanoseconds) } ?? .null,
            "mode": mode?.json ?? .null,
        ]
    }
}
