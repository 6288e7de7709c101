import Devices
import Records
import Testing
import Timebase

@testable import Engine

/// What is told of edges whose numbers leave some out.
struct ReporterTests {
    @Test func `edges that the kernel lost are counted, and a count that begins anew lost none`() {
        var reporter = Reporter(isNumbered: true)
        var actions = ActionQueue()
        let now = Instant<Monotonic>(nanoseconds: 0)
        for number in [1, 2, 5, 1, 2] as [UInt32] {
            reporter.note(
                LineEdge(line: 0, isRising: true, timestamp: now, lineSequence: number), now,
                &actions)
        }
        var lost: [UInt32] = []
        while let action = actions.pop() {
            if case .log(.edgesLost(_, let count, _), _) = action { lost.append(count) }
        }
        #expect(lost == [2])
    }
}
