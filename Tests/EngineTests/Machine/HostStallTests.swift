import Testing
import Timebase
import Tracking

@testable import Engine

/// Which missing frames a host that came too late has to answer for: periods of 10 ms, a readout of 8 ms.
struct HostStallTests {
    private static func frame(_ milliseconds: Int64) -> StreamFrame {
        StreamFrame(
            sequence: 0, timestamp: Instant(nanoseconds: milliseconds * 1_000_000),
            delay: .milliseconds(1))
    }

    private static func stall(taken milliseconds: Int64) -> HostStall {
        var stall = HostStall()
        stall.note(
            frame(100), readout: .milliseconds(8), period: .milliseconds(10),
            at: Instant(nanoseconds: milliseconds * 1_000_000))
        return stall
    }

    @Test func `a frame that waited for six periods and what it needs itself is no stall yet`() {
        // 6 * 10 ms, and 9 ms for its readout and delay.
        #expect(!Self.stall(taken: 169).covers(Self.frame(130), period: .milliseconds(10)))
        #expect(Self.stall(taken: 170).covers(Self.frame(130), period: .milliseconds(10)))
    }

    @Test func `frames are the host's from the one that waited to a period after it was taken`() {
        let stall = Self.stall(taken: 200)
        let covered = [90, 100, 101, 200, 209, 210, 211].filter {
            stall.covers(Self.frame($0), period: .milliseconds(10))
        }
        #expect(covered == [101, 200, 209, 210])
    }
}
