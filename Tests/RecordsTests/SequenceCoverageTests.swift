import Devices
import Testing

@testable import Records

/// Which of the camera's numbers the events account for.
struct SequenceCoverageTests {
    private static func coverage(_ events: RunEvent...) -> SequenceCoverage {
        var coverage = SequenceCoverage()
        for event in events { coverage.note(event) }
        coverage.sort()
        return coverage
    }

    @Test func `a jump accounts for the numbers between its ends, and for neither of them`() {
        let jump = Self.coverage(.sequenceJumped(from: 10, to: 14))
        let known = (UInt32(8)...16).filter { jump.contains($0) }
        #expect(known == [11, 12, 13])
        // The frame at which the jump ended is one that came; that it did is for its row to say.
        #expect(jump.uncovered(after: 10, before: 15) == 1)
        #expect(jump.uncovered(after: 10, before: 14) == 0)
    }

    @Test func `a jump back, and one to the next number, account for nothing`() {
        for (from, to) in [(8, 0), (8, 9), (8, 8)] as [(UInt32, UInt32)] {
            let jump = Self.coverage(.sequenceJumped(from: from, to: to))
            #expect(!(UInt32(0)...10).contains { jump.contains($0) })
        }
    }

    @Test func `numbers go on from zero behind the last one that 32 bits hold`() {
        let lost = Self.coverage(.framesSkipped(count: 5, from: .max - 1, why: .idle))
        #expect([.max - 2, .max - 1, .max, 0, 1, 2, 3].filter { lost.contains($0) }.count == 5)
        #expect(lost.uncovered(after: .max - 2, before: 3) == 0)
        #expect(lost.uncovered(after: .max - 2, before: 4) == 1)
    }

    @Test func `numbers that two events account for are there once`() {
        let twice = Self.coverage(
            .framesMissing(count: 3, before: 10, reason: .droppedByDriver),
            .framesSkipped(count: 4, from: 8, why: .idle))
        #expect(twice.uncovered(after: 6, before: 12) == 0)
        #expect(twice.uncovered(after: 4, before: 13) == 3)
    }
}
