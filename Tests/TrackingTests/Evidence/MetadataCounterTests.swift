import Testing

@testable import Tracking

/// A sensor's own count of frames, beside the places that frames have in the stream.
struct MetadataCounterTests {
    private static func judge(_ counts: [(count: Int, place: Int64)]) -> [MetadataCounter.Judgement]
    {
        var counter = MetadataCounter()
        return counts.map {
            counter.judge(UInt8(truncatingIfNeeded: $0.count), at: $0.place, unnumbered: 0)
        }
    }

    private static func judge(
        _ frames: Int, count: (Int) -> Int, place: (Int) -> Int = { $0 }
    ) -> [MetadataCounter.Judgement] {
        judge((0..<frames).map { (frame: Int) in (count(frame), Int64(place(frame))) })
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
        for buffers in 1...32 {
            // From frame 20 on nothing is written any more: each buffer keeps what it had.
            let counts = (0..<1_000).map { (place: Int) -> (count: Int, place: Int64) in
                let kept = 19 - (buffers - 1) + (place - 20) % buffers
                return (place < 20 ? place : kept, Int64(place))
            }
            let judged = Self.judge(counts)
            #expect(judged[2..<20].allSatisfy { $0 == .own })
            // What the first round shows that was never seen is as good as a counter that began anew: never enough.
            #expect(judged[20...].allSatisfy { $0 == .otherFrame }, "\(buffers) buffers")
        }
    }

    @Test func `one picture under the next one's timestamp, and the next is right again`() {
        var counts = (0..<40).map { ($0, Int64($0)) }
        counts[20] = (20, 21)
        counts.remove(at: 21)
        let judged = Self.judge(counts)
        #expect(judged[20] == .otherFrame)
        #expect(judged[21...].allSatisfy { $0 == .own })
    }

    @Test(arguments: [1, 2, 3, 30])
    func `lines that stay behind are never believed, however long they do`(
        frames: Int
    ) {
        let judged = Self.judge((0..<1_000).map { ($0 < 40 ? $0 : $0 - frames, Int64($0)) })
        #expect(judged[40...].allSatisfy { $0 == .otherFrame })
    }

    @Test(arguments: 1...100)
    func `frames that nobody counted cost four frames without metadata, however many`(lost: Int) {
        let judged = Self.judge(90, count: { $0 < 30 ? $0 : $0 + lost })
        #expect(judged[30..<34].allSatisfy { $0 == .otherFrame })
        #expect(judged[34...].allSatisfy { $0 == .own })
    }

    @Test(arguments: [0, 1, 2] as [Int64])
    func `a count that grew is what it was once spacing finds all the frames nobody had counted`(
        found: Int64
    ) {
        var counter = MetadataCounter()
        let judged = (0..<90).map { (frame: Int) in
            // Two that nobody counts are lost at 30; at 50 the frames are two places further on.
            let (lost, late): (Int, Int) = (frame < 30 ? 0 : 2, frame < 50 ? 0 : 2)
            return counter.judge(
                UInt8(frame + lost), at: Int64(frame + late), unnumbered: frame < 50 ? 0 : found)
        }
        #expect(judged[34..<50].allSatisfy { $0 == .own })
        #expect(judged[50..<54].allSatisfy { $0 == .otherFrame })
        #expect(judged[54...].allSatisfy { $0 == (found == 2 ? .own : .otherFrame) })
    }

    @Test func `frames lost without a count time and again do not keep the count from being found`()
    {
        // Before every eighth frame is one that nobody counted.
        let judged = Self.judge(400, count: { $0 + $0 / 8 })
        #expect(judged.dropFirst(8).count { $0 == .own } == 49 * 4)
    }

    @Test func `left-over lines in between do not keep a count from being found`() throws {
        // One was lost that nobody counted; every fifth frame then shows what the one two before it showed.
        let judged = Self.judge(150, count: { $0 < 30 ? $0 : $0 % 5 == 0 ? $0 - 1 : $0 + 1 })
        let found = try #require(judged[30...].firstIndex { $0 == .own })
        #expect(found < 30 + 12, "\(found)")
        #expect((30..<150).allSatisfy { (frame: Int) in frame % 5 != 0 || judged[frame] != .own })
    }

    @Test func `after a single frame that was ahead, one more is left out`() {
        let judged = Self.judge(40, count: { $0 == 20 ? 100 : $0 })
        #expect(judged[20...21].allSatisfy { $0 == .otherFrame })
        #expect(judged[22...].allSatisfy { $0 == .own })
    }
}
