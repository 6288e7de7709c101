import Devices
import Testing

/// A node hands out its buffers in their order; what a frame gets is told by its number alone.
struct MetadataMatcherTests {
    /// What each frame gets, when the node has these numbers by the time that the frame is asked for.
    private func found(_ story: [(frame: UInt32, arrived: [UInt32])]) -> [UInt32?] {
        var matcher = MetadataMatcher()
        var queue: [UInt32] = []
        var passedOver: [UInt32] = []
        return story.map { frame, arrived in
            queue += arrived
            let buffer = matcher.take(
                frame,
                next: {
                    guard !queue.isEmpty else { return nil }
                    let number = queue.removeFirst()
                    return MetadataBuffer(index: number &+ 100, sequence: number, byteCount: 1)
                }, passOver: { passedOver.append($0.sequence) })
            #expect(buffer.map { $0.index == $0.sequence &+ 100 } ?? true)
            return buffer?.sequence
        }
    }

    @Test func `each frame gets its own`() {
        #expect(found([(0, [0]), (1, [1]), (2, [2])]) == [0, 1, 2])
        #expect(found([(0, [0, 1, 2]), (1, []), (2, [])]) == [0, 1, 2])
    }

    @Test func `a frame whose metadata are missing has none, and not the next one's`() {
        #expect(found([(0, [0]), (1, [2]), (2, [])]) == [0, nil, 2])
        #expect(found([(0, [0]), (1, []), (2, [2])]) == [0, nil, 2])
    }

    @Test func `metadata that come after their frame are passed over`() {
        #expect(found([(0, [0]), (1, []), (2, [1, 2]), (3, [3])]) == [0, nil, 2, 3])
    }

    @Test func `metadata of a frame that never came are passed over`() {
        #expect(found([(0, [0]), (3, [1, 2, 3]), (4, [4])]) == [0, 3, 4])
    }

    @Test func `numbers start anew after 32 bits`() {
        let last = UInt32.max
        #expect(found([(last, [last]), (0, [0]), (1, [1])]) == [last, 0, 1])
        #expect(found([(last, [0]), (0, []), (1, [last, 1])]) == [nil, 0, 1])
    }
}
