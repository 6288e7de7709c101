import Cameras
import Testing

struct FrameCounterTests {
    private static func judge(_ frames: [(count: UInt8, sequence: UInt32)]) -> [Bool] {
        var counter = FrameCounter()
        return frames.map { counter.accepts($0.count, of: $0.sequence) }
    }

    @Test func `counts that go with the driver's sequence are believed, around their end too`() {
        let frames = (0..<600).map { (UInt8(truncatingIfNeeded: $0 + 200), UInt32($0)) }
        #expect(Self.judge(frames).allSatisfy { $0 })
        // A frame that was not asked for.
        #expect(Self.judge([(10, 5), (13, 8)]) == [true, true])
    }

    @Test func `what is behind is never believed, however long it goes on`() {
        // As a ring of buffers that are not filled any more.
        let stale = (0..<20).map { (UInt8($0 + 6), UInt32($0 + 20)) }
        #expect(Self.judge([(20, 19)] + stale) == [true] + stale.map { _ in false })
        #expect(Self.judge([(20, 19), (20, 20), (22, 21)]) == [true, false, true])
    }

    @Test func `a receiver that missed a frame is believed again when the counts go on`() {
        #expect(
            Self.judge([(20, 1), (22, 2), (23, 3), (24, 4)]) == [true, false, true, true])
        // Noise is no new beginning.
        #expect(Self.judge([(20, 1), (50, 2), (23, 3), (24, 4)]).dropFirst(1).first == false)
    }
}
