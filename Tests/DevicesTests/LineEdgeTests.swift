import Devices
import Testing
import Timebase

struct LineEdgeTests {
    @Test func `edges of one number on two lines are two edges`() {
        let time = Instant<Monotonic>(nanoseconds: 5)
        let first = LineEdge(line: 0, isRising: true, timestamp: time, lineSequence: 1)
        let second = LineEdge(line: 1, isRising: true, timestamp: time, lineSequence: 1)
        #expect(first != second)
    }
}
