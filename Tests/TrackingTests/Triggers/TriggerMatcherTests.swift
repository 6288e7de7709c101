import Devices
import Testing
import Timebase
import Tracking

/// Edges of a camera with exposures of 2 ms that takes an edge every 4 ms.
struct TriggerMatcherTests {
    private static let window = TriggerWindow(
        earliest: .microseconds(2_010), latest: .microseconds(2_030),
        edgeDelay: .microseconds(300), shortestPeriod: .milliseconds(4),
        longestPeriod: .milliseconds(4))
    private static let origin = Instant<Monotonic>(nanoseconds: 1_000_000_000)

    /// A matcher with what is fed to it, times in microseconds.
    private struct Story: ~Copyable {
        var matcher: TriggerMatcher

        init(countsEdges: Bool = true) {
            matcher = TriggerMatcher(TriggerMatcherTests.window, countsEdges: countsEdges)
        }

        mutating func edge(_ number: UInt32, at time: Int64) {
            matcher.add(
                LineEdge(
                    line: 0, isRising: true, timestamp: origin + .microseconds(time),
                    lineSequence: number))
        }

        /// The frame that is read out at a time.
        mutating func frame(_ sequence: UInt32, at time: Int64, missing: Int64? = 0) {
            matcher.add(
                TriggeredFrame(
                    sequence: sequence, earliestReadout: origin + .microseconds(time - 10),
                    latestReadout: origin + .microseconds(time + 10), missing: missing))
            matcher.noteRead(upTo: origin + .microseconds(time + 3_000))
        }

        /// What became of everything so far: `1=5` for edge 1 and frame 5.
        mutating func told() -> [String] {
            var told: [String] = []
            while let decision = matcher.next() {
                let edge = decision.edge.map { "\($0.lineSequence)" } ?? "-"
                let frame =
                    decision.sequence.map { "=\($0)\(decision.isDelivered ? "" : "?")" } ?? ""
                told.append("\(edge)\(frame) \(decision.outcome.rawValue)")
            }
            return told
        }
    }

    private enum Event {
        case edge(_ number: UInt32, at: Int64)
        case frame(_ sequence: UInt32, at: Int64, missing: Int64 = 0)
    }

    /// What became of everything after edge 1 had made frame 0.
    private static func afterFirstPair(_ events: Event..., countsEdges: Bool = true) -> [String] {
        var story = Story(countsEdges: countsEdges)
        story.edge(1, at: 0)
        story.frame(0, at: 2_020)
        let first = story.told()
        #expect(first == ["1=0 matched"])
        for event in events {
            switch event {
            case .edge(let number, let time): story.edge(number, at: time)
            case .frame(let sequence, let time, let missing):
                story.frame(sequence, at: time, missing: missing)
            }
        }
        return story.told()
    }

    @Test func `a frame in the window of an edge is its own, at once`() {
        var story = Story()
        story.edge(1, at: 0)
        let before = story.told()
        #expect(before.isEmpty)
        story.frame(5, at: 2_020)
        let told = story.told()
        #expect(told == ["1=5 matched"])
    }

    @Test func `an edge during exposure and readout is missed, one after them is not`() {
        #expect(
            Self.afterFirstPair(.edge(2, at: 3_000), .edge(3, at: 6_000), .frame(1, at: 8_020))
                == ["2 missed", "3=1 matched"])
    }

    @Test func `a bounce is a double, whether it comes before the frame is known or not`() {
        var story = Story()
        story.edge(1, at: 0)
        story.edge(2, at: 200)
        story.frame(0, at: 2_020)
        let told = story.told()
        #expect(told == ["2 double", "1=0 matched"])
        #expect(Self.afterFirstPair(.edge(2, at: 200)) == ["2 double"])
    }

    @Test func `a bounce may come as late as one edge's frame can't be told from the other's`() {
        // 20 us of readout, and 300 us of the edge's own doubt.
        #expect(Self.afterFirstPair(.edge(2, at: 320)) == ["2 double"])
        #expect(Self.afterFirstPair(.edge(2, at: 321)) == ["2 missed"])
    }

    @Test func `a frame waits for edges that may be on their way`() {
        var story = Story()
        story.edge(1, at: 0)
        story.matcher.add(
            TriggeredFrame(
                sequence: 0, earliestReadout: Self.origin + .microseconds(2_010),
                latestReadout: Self.origin + .microseconds(2_030), missing: 0))
        // An edge up to 320 us could have made it, and is read up to 2 ms later.
        let due = story.matcher.readingDue
        story.matcher.noteRead(upTo: Self.origin + .microseconds(2_319))
        let isWaiting = story.matcher.isWaitingForEdges
        story.matcher.noteRead(upTo: Self.origin + .microseconds(2_320))
        let isStillWaiting = story.matcher.isWaitingForEdges
        #expect(due == Self.origin + .microseconds(2_320) && isWaiting && !isStillWaiting)
        let told = story.told()
        #expect(told == ["1=0 matched"])
    }

    @Test func `an edge that its own doubt puts after the period may have been taken`() {
        #expect(
            Self.afterFirstPair(.edge(2, at: 3_699), .edge(3, at: 30_000), .frame(1, at: 32_020))
                == ["2 missed", "3=1 matched"])
        #expect(Self.afterFirstPair(.edge(2, at: 3_800), .frame(1, at: 5_820)) == ["2=1 matched"])
    }

    @Test func `a missing frame is that of an edge that may have been taken, if there is no other`()
    {
        #expect(
            Self.afterFirstPair(
                .edge(2, at: 4_100), .edge(3, at: 30_000), .frame(2, at: 32_020, missing: 1))
                == ["2=1? matched", "3=2 matched"])
    }

    @Test func `which of two edges was taken decides of the next ones, so doubt goes on`() {
        // Edge 2 may be too early for the camera; edge 4 is too early if edge 3 was the one.
        #expect(
            Self.afterFirstPair(
                .edge(2, at: 4_100), .edge(3, at: 4_250), .frame(1, at: 6_100),
                .edge(4, at: 8_450), .edge(5, at: 8_600), .frame(2, at: 10_450))
                == ["2=1 ambiguous", "3 ambiguous", "4=2 ambiguous", "5 ambiguous"])
    }

    @Test func `a frame without an edge is spurious once the next one has its edge`() {
        let stray = Event.frame(1, at: 50_000)
        #expect(Self.afterFirstPair(stray) == [])
        #expect(
            Self.afterFirstPair(stray, .edge(2, at: 100_000), .frame(2, at: 102_020))
                == ["-=1 spurious", "2=2 matched"])
    }

    @Test
    func `an edge without a frame is spurious if the camera was ready and no frame is missing`() {
        #expect(
            Self.afterFirstPair(
                .edge(2, at: 50_000), .edge(3, at: 100_000), .frame(1, at: 102_020))
                == ["2 spurious", "3=1 matched"])
    }

    /// The frame of edge 2 may have been lost inside the camera, which was busy with it then.
    @Test func `an edge right behind one without a frame is ambiguous`() {
        #expect(
            Self.afterFirstPair(
                .edge(2, at: 50_000), .edge(3, at: 53_800), .edge(4, at: 100_000),
                .frame(1, at: 102_020))
                == ["2 spurious", "3 ambiguous", "4=1 matched"])
    }

    /// The camera may not have seen edge 2; a bounce fits the same frame, and the first edge has it.
    @Test func `a lost frame may be that of either of two edges that one frame leaves room for`() {
        #expect(
            Self.afterFirstPair(
                .edge(2, at: 20_000), .edge(3, at: 23_000), .edge(4, at: 40_000),
                .frame(2, at: 42_020, missing: 1))
                == ["2 ambiguous", "3 ambiguous", "4=2 matched"])
        #expect(
            Self.afterFirstPair(
                .edge(2, at: 20_000), .edge(3, at: 20_200), .edge(4, at: 40_000),
                .frame(2, at: 42_020, missing: 1))
                == ["2=1? matched", "3 double", "4=2 matched"])
    }

    @Test func `frames that the numbers skip belong to the edges between, if they are as many`() {
        #expect(
            Self.afterFirstPair(
                .edge(2, at: 20_000), .edge(3, at: 30_000), .edge(4, at: 40_000),
                .frame(3, at: 42_020, missing: 2))
                == ["2=1? matched", "3=2? matched", "4=3 matched"])
    }

    @Test func `counts that disagree number nothing anew`() {
        #expect(
            Self.afterFirstPair(
                .edge(2, at: 20_000), .edge(3, at: 30_000), .edge(4, at: 40_000),
                .frame(2, at: 42_020, missing: 1))
                == ["2 ambiguous", "3 ambiguous", "4=2 matched"])
    }

    @Test func `frames of edges that the kernel lost are lost, as many as there were`() {
        #expect(
            Self.afterFirstPair(
                .frame(1, at: 12_020), .edge(3, at: 20_000), .frame(2, at: 22_020))
                == ["-=1 lost", "3=2 matched"])
    }

    @Test func `more frames than lost edges are ambiguous`() {
        #expect(
            Self.afterFirstPair(
                .frame(1, at: 12_020), .frame(2, at: 22_020), .edge(3, at: 30_000),
                .frame(3, at: 32_020))
                == ["-=1 ambiguous", "-=2 ambiguous", "3=3 ambiguous"])
    }

    @Test func `without the kernel's numbers a frame without edge is ambiguous`() {
        #expect(
            Self.afterFirstPair(
                .frame(1, at: 12_020), .edge(2, at: 20_000), .frame(2, at: 22_020),
                countsEdges: false) == ["-=1 ambiguous", "2=2 matched"])
    }

    @Test func `a timestamp that is later than promised leaves frame and edge ambiguous`() {
        // The edge came at 50 ms.
        #expect(
            Self.afterFirstPair(
                .frame(1, at: 52_020), .edge(2, at: 51_500), .edge(3, at: 100_000),
                .frame(2, at: 102_020))
                == ["-=1 ambiguous", "2 ambiguous", "3=2 matched"])
    }

    @Test func `no time runs out while no edge comes`() {
        var story = Story()
        story.edge(1, at: 0)
        story.frame(0, at: 2_020)
        _ = story.told()
        let hour: Int64 = 3_600_000_000
        story.matcher.noteRead(upTo: Self.origin + .microseconds(hour))
        let nothing = story.told()
        #expect(nothing.isEmpty)
        story.edge(2, at: hour)
        story.frame(1, at: hour + 2_020)
        let told = story.told()
        #expect(told == ["2=1 matched"])
    }

    @Test func `a frame waits until the edges before it have been read`() {
        var story = Story()
        story.matcher.add(
            TriggeredFrame(
                sequence: 0, earliestReadout: Self.origin + .microseconds(2_010),
                latestReadout: Self.origin + .microseconds(2_030)))
        let (waits, due) = (story.matcher.isWaitingForEdges, story.matcher.readingDue)
        #expect(waits && due != nil)
        story.edge(1, at: 0)
        story.matcher.noteRead(upTo: Self.origin + .milliseconds(5))
        let told = story.told()
        #expect(told == ["1=0 matched"])
    }

    @Test
    func `what is left at the end is ambiguous, what came before the camera was armed is missed`() {
        var story = Story()
        story.matcher.arm(at: Self.origin + .milliseconds(5))
        story.edge(1, at: 0)
        story.edge(2, at: 10_000)
        story.matcher.finish()
        let told = story.told()
        #expect(told == ["1 missed", "2 ambiguous"])
    }

    @Test func `memory is bounded: edges for which no frame ever comes are given up`() {
        var story = Story()
        var decided = 0
        for number in 1...UInt32(3 * TriggerMatcher.edgeCapacity) {
            story.edge(number, at: Int64(number) * 10_000)
            decided += story.told().count
        }
        story.matcher.finish()
        decided += story.told().count
        #expect(decided == 3 * TriggerMatcher.edgeCapacity)
    }
}
