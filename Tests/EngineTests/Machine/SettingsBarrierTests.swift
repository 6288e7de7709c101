import Testing
import Timebase

@testable import Engine

/// The barrier by itself: readout of frame k begins at 10 (k + 1).
struct SettingsBarrierTests {
    /// A barrier that can stand in an expectation.
    private final class Gate {
        private var barrier = SettingsBarrier()
        var isClosed: Bool { barrier.isClosed }
        func beginWriting() { barrier.beginWriting() }
        func restartCounting(from sequence: UInt32) { barrier.restartCounting(from: sequence) }
        func written(at time: Instant<Monotonic>, latencyFrames: Int) {
            barrier.written(at: time, latencyFrames: latencyFrames)
        }
        func admits(sequence: UInt32, earliestReadout: Instant<Monotonic>) -> Bool {
            barrier.admits(sequence: sequence, earliestReadout: earliestReadout)
        }
        func framesAhead(
            ofLast last: UInt32, _ framesUntil: (Instant<Monotonic>) -> Int64
        ) -> Int64? {
            barrier.framesAhead(ofLast: last, framesUntil: framesUntil)
        }
    }

    private func time(_ nanoseconds: Int64) -> Instant<Monotonic> {
        Instant(nanoseconds: nanoseconds)
    }

    private func first(
        _ barrier: Gate, from sequence: UInt32 = 0
    ) -> UInt32? {
        for step in UInt32(0)..<40 {
            let earliest = time(Int64(step + 1) * 10)
            if barrier.admits(sequence: sequence &+ step, earliestReadout: earliest) {
                return step
            }
        }
        return nil
    }

    @Test func `nothing written, nothing held back`() {
        let barrier = Gate()
        #expect(!barrier.isClosed)
        #expect(first(barrier) == 0)
    }

    @Test func `nothing passes while a write is under way`() {
        let barrier = Gate()
        barrier.beginWriting()
        #expect(barrier.isClosed)
        #expect(first(barrier) == nil)
        #expect(barrier.framesAhead(ofLast: 3) { _ in 1 } == nil)
    }

    @Test(arguments: [0, 1, 2, 5])
    func `the count starts with the first readout after the write`(_ latency: Int) {
        for written in Int64(0)..<60 {
            let barrier = Gate()
            barrier.beginWriting()
            barrier.written(at: time(written), latencyFrames: latency)
            // The first k with 10 (k + 1) > written, and latency more.
            #expect(first(barrier) == UInt32(written / 10) + UInt32(latency))
            #expect(!barrier.isClosed)
        }
    }

    @Test func `numbers run over the end of 32 bits`() {
        let barrier = Gate()
        barrier.written(at: time(0), latencyFrames: 4)
        #expect(first(barrier, from: .max - 1) == 4)
    }

    @Test func `frames that are lost count, since the sensor went on`() {
        let barrier = Gate()
        barrier.written(at: time(5), latencyFrames: 3)
        #expect(!barrier.admits(sequence: 0, earliestReadout: time(10)))
        #expect(barrier.admits(sequence: 3, earliestReadout: time(40)))
    }

    @Test func `a second write starts again`() {
        let barrier = Gate()
        barrier.written(at: time(5), latencyFrames: 1)
        #expect(!barrier.admits(sequence: 0, earliestReadout: time(10)))
        barrier.beginWriting()
        barrier.written(at: time(15), latencyFrames: 1)
        #expect(!barrier.admits(sequence: 1, earliestReadout: time(20)))
        #expect(barrier.admits(sequence: 2, earliestReadout: time(30)))
    }

    @Test func `after a jump the count starts again`() {
        let barrier = Gate()
        barrier.written(at: time(5), latencyFrames: 2)
        #expect(!barrier.admits(sequence: 900, earliestReadout: time(10)))
        barrier.restartCounting(from: 3)
        #expect(!barrier.admits(sequence: 3, earliestReadout: time(20)))
        #expect(!barrier.admits(sequence: 4, earliestReadout: time(30)))
        #expect(barrier.admits(sequence: 5, earliestReadout: time(40)))
    }

    @Test func `what it foretells is what it admits`() {
        for written in Int64(0)..<40 {
            let barrier = Gate()
            barrier.written(at: time(written), latencyFrames: 2)
            // Foretold after frame 0, whose readout began at 10.
            if barrier.admits(sequence: 0, earliestReadout: time(10)) { continue }
            let ahead = barrier.framesAhead(ofLast: 0) {
                max(1, ($0 - time(10)).nanoseconds / 10 + 1)
            }
            var admitted: Int64?
            for step in Int64(1)..<20 where admitted == nil {
                let earliest = time(10 + step * 10)
                if barrier.admits(sequence: UInt32(step), earliestReadout: earliest) {
                    admitted = step
                }
            }
            #expect(ahead == admitted)
        }
    }
}
