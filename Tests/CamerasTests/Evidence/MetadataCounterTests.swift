import Testing

@testable import Cameras

/// A sensor's own count of frames, beside the places that frames have in the stream.
struct MetadataCounterTests {
    private static func judge(_ counts: [(count: Int, place: Int64)]) -> [MetadataCounter.Judgement]
    {
        var counter = MetadataCounter()
        return counts.map { counter.judge(UInt8(truncatingIfNeeded: $0.count), at: $0.place) }
    }

    @Test
    func
        `a counter that goes on with the frames is believed from the third on, also when it wraps`()
    {
        let judged = Self.judge((0..<600).map { ($0 + 250, Int64($0)) })
        #expect(judged.prefix(2) == [.open, .open])
        #expect(judged.dropFirst(2).allSatisfy { $0 == .own })
    }

    @Test func `frames that are missing are counted by the sensor too`() {
        let places: [Int64] = [0, 1, 2, 3, 7, 8, 300, 301]
        let judged = Self.judge(places.map { (Int($0) + 9, $0) })
        #expect(judged.dropFirst(2).allSatisfy { $0 == .own })
    }

    @Test func `what an earlier frame left is another frame's, also where buffers go round`() {
        for buffers in 1...8 {
            // From frame 20 on nothing is written any more: each buffer keeps what it had.
            let counts = (0..<60).map { (place: Int) -> (count: Int, place: Int64) in
                let kept = 19 - (buffers - 1) + (place - 20) % buffers
                return (place < 20 ? place : kept, Int64(place))
            }
            let judged = Self.judge(counts)
            #expect(judged[2..<20].allSatisfy { $0 == .own })
            #expect(judged[20...].allSatisfy { $0 == .foreign }, "\(buffers) buffers")
        }
    }

    @Test func `one picture under the next one's timestamp, and the next is right again`() {
        var counts = (0..<40).map { ($0, Int64($0)) }
        counts[20] = (20, 21)
        counts.remove(at: 21)
        let judged = Self.judge(counts)
        #expect(judged[20] == .foreign)
        #expect(judged[21...].allSatisfy { $0 == .own })
    }

    @Test func `a counter that begins anew is believed again after a while`() {
        let judged = Self.judge((0..<120).map { ($0 < 30 ? $0 : $0 - 30, Int64($0)) })
        #expect(judged[30..<60].allSatisfy { $0 == .foreign })
        #expect(judged[70...].allSatisfy { $0 == .own })
    }
}
