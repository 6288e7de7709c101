import Devices
import Testing
import Timebase

@testable import Engine

/// What an input that senses an output has seen of its switching.
struct OutputSensingTests {
    private static func time(_ milliseconds: Int64) -> Instant<Monotonic> {
        Instant(nanoseconds: milliseconds * 1_000_000)
    }

    @Test func `an edge is that of a change in its own direction, and never of one still to come`()
    {
        var sensing = OutputSensing([
            LineRequest(
                name: "strobe", chip: "c", position: .offset(1), direction: .output,
                sensedBy: "eye"),
            LineRequest(
                name: "eye", chip: "c", position: .offset(2), direction: .input, edge: .both),
        ])
        for (active, planned) in [(true, 10), (false, 20), (true, 40)] as [(Bool, Int64)] {
            sensing.expect(0, active: active, planned: Self.time(planned), at: Self.time(planned))
        }
        func place(isRising: Bool, at milliseconds: Int64) -> Int? {
            sensing.change(
                shownBy: LineEdge(
                    line: 1, isRising: isRising, timestamp: Self.time(milliseconds),
                    lineSequence: 1))?.place
        }
        let rising = place(isRising: true, at: 25)
        let falling = place(isRising: false, at: 25)
        let early = place(isRising: true, at: 5)
        #expect(rising == 0 && falling == 1 && early == nil)
    }
}
