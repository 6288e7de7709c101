import Devices
import Recipes
import Testing
import Timebase
import Tracking

@testable import Engine

/// What is known of a camera's trigger between its edges and its frames.
struct TriggerStateTests {
    private static func edge(_ number: UInt32, at milliseconds: Int64) -> LineEdge {
        LineEdge(
            line: 0, isRising: true, timestamp: Instant(nanoseconds: milliseconds * 1_000_000),
            lineSequence: number)
    }

    @Test func `edges before the camera is armed are no silence of it`() {
        var state = TriggerState(
            PlannedTrigger(
                line: 0,
                window: TriggerWindow(
                    earliest: .milliseconds(8), latest: .milliseconds(8), edgeDelay: .zero,
                    shortestPeriod: .milliseconds(9), longestPeriod: .milliseconds(9))),
            countsEdges: true)
        state.arm(at: Instant(nanoseconds: 100_000_000))
        for number in 1...6 as ClosedRange<UInt32> {
            let edge = Self.edge(number, at: 10 * Int64(number))
            let counts = state.take(edge, at: edge.timestamp)
            #expect(!counts)
        }
        var silence = state.silentSince
        #expect(silence == nil)
        for number in 7...10 as ClosedRange<UInt32> {
            let edge = Self.edge(number, at: 30 * Int64(number))
            let counts = state.take(edge, at: edge.timestamp)
            #expect(counts)
        }
        silence = state.silentSince
        #expect(silence == Instant(nanoseconds: 210_000_000))
    }
}
