import TestSupport
import Testing

@testable import Tracking

/// Streams in which frames, metadata and frame-ends are lost at random and buffers keep old lines: whatever happens, no
/// lines are believed to be those of a frame that they are not of, and the count is found again.
struct MetadataCounterPropertyTests {
    /// A sensor behind a receiver whose metadata buffers go round.
    private struct Stream {
        var random: SeededGenerator
        var counter = MetadataCounter()
        /// What each metadata buffer holds: the number of the frame whose lines they are.
        var buffers: [Int]
        var next = 0
        var number = 400
        var place: Int64 = 0
        /// Frames still to come without lines of their own.
        var unwritten = 0
        /// Whether what is believed is the sensor's number less the place.
        var isSettled = false
        var wrong: [Int] = []
        var own = 0

        /// A frame of the sensor reaches the program, under a place.
        mutating func deliver(_ shown: Int, losesEnd: Bool = false) -> Bool {
            let judged = counter.judge(
                UInt8(truncatingIfNeeded: shown), at: place, unnumbered: 0)
            let isOwn = judged == .own
            if isOwn, shown != number { wrong.append(number) }
            own += isOwn ? 1 : 0
            isSettled = isSettled || (isOwn && !losesEnd)
            return isOwn
        }

        mutating func advance() {
            number += 1
            place += 1
        }

        /// A frame without faults.
        mutating func playClean() -> Bool {
            advance()
            buffers[next] = number
            next = (next + 1) % buffers.count
            return deliver(number)
        }

        mutating func playFaulty() {
            loseFrames()
            advance()
            if random.chance(2) { unwritten = random.below(2 * buffers.count) + 1 }
            if unwritten > 0 { unwritten -= 1 } else { buffers[next] = number }
            let shown = buffers[next]
            next = (next + 1) % buffers.count
            // The metadata buffer itself is lost.
            if random.chance(5) { return }
            // The sensor sends again what it sent two frames before.
            if random.chance(5) { return _ = deliver(number - 2) }
            // The frame-end is lost: the picture has the next frame's timestamp, and the next one's place.
            let losesEnd = random.chance(5)
            if losesEnd { place += 1 }
            _ = deliver(shown, losesEnd: losesEnd)
            if losesEnd { number += 1 }
        }

        private mutating func loseFrames() {
            if random.chance(5) {
                let lost = random.below(random.chance(10) ? 60 : 4) + 1
                number += lost
                place += Int64(lost)
            }
            // One at a time: else lines that are two frames old could pass for those of a frame nobody counted.
            if isSettled, random.chance(5) {
                number += 1
                isSettled = false
            }
        }
    }

    private static func play(_ seed: UInt64, foundWithin frames: Int) {
        var random = SeededGenerator(seed: seed)
        let buffers = random.below(14) + 3
        var stream = Stream(
            random: random, buffers: Array(repeating: 0, count: buffers))
        // A count has to be known before lines can be old.
        for _ in 0..<5 { _ = stream.playClean() }
        var late = 0
        for _ in 0..<4 {
            for _ in 0..<400 { stream.playFaulty() }
            stream.unwritten = 0
            for frame in 0..<120 where !stream.playClean() && frame >= frames { late += 1 }
        }
        #expect(stream.wrong.isEmpty, "seed \(seed): frames \(stream.wrong.prefix(4))")
        #expect(late == 0, "seed \(seed): \(late) frames too late")
        #expect(stream.own > 4 * (120 - frames))
    }

    // A few frames more, where old lines had shown the very counts that come: in none of these streams.
    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `the count is found within five frames after faults cease`(seed: UInt64) {
        Self.play(seed, foundWithin: 5)
    }
}
