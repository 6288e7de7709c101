import Devices
import Foundation
import Recipes
import TestSupport
import Testing
import Timebase
import Tracking

@testable import Records

/// What `verify` makes of numbers that are missing between frames.
struct LostFrameTests {
    @Test func `a gap that neither a hole nor an event explains is a problem`() throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/run"
        let run = try SampleRun(Sample.plan(), at: path)
        run.record.append(
            .framesSkipped(count: 2, from: .max, why: .idle), at: Instant(nanoseconds: 0))
        for (slot, sequence) in [UInt32.max - 1, 1, 2, 5, 6].enumerated() {
            run.frame(Sample.row(Int64(slot), sequence: sequence))
        }
        try run.finish()
        let report = try RunVerifier.verify(path, scope: [])
        #expect(
            report.problems.map(\.description) == [
                "ledger.csv:5: 2 of the frames between device_sequence 2 and 5 are neither holes "
                    + "nor in the events"
            ])
    }

    @Test
    func `a device that begins to count anew is no problem once the log says so, and only once`()
        throws
    {
        let temporary = try TemporaryFolder()
        for (name, resets) in [("none", 0), ("one", 1)] {
            let path = "\(temporary.path)/\(name)"
            let run = try SampleRun(Sample.plan(), at: path)
            for (slot, sequence) in [7, 8, 0, 1, 0].enumerated() as EnumeratedSequence<[UInt32]> {
                if slot == 2, resets > 0 {
                    run.record.append(
                        .sequenceJumped(from: 8, to: 0), at: Instant(nanoseconds: 1))
                }
                run.frame(Sample.row(Int64(slot), sequence: sequence))
            }
            try run.finish()
            let lines = try RunVerifier.verify(path, scope: []).problems.map(\.line)
            #expect(lines == (resets == 0 ? [4, 6] : [6]))
        }
    }

    @Test(arguments: [(2, []), (3, [5])] as [(Int64, [Int])])
    func `a timestamp that is not believed may put two frames out of order, and no third`(
        disordered: Int64, lines: [Int]
    ) throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/run"
        let run = try SampleRun(Sample.plan(), at: path)
        run.record.append(
            .timestampInvalid(count: 1, from: 1, why: .back), at: Instant(nanoseconds: 0))
        for slot in 0..<5 as Range<Int64> {
            var row = Sample.row(slot)
            let place = slot > disordered ? slot : -slot
            row.rawTimestamp = Sample.epoch + .milliseconds(500 + place)
            run.frame(row)
        }
        try run.finish()
        #expect(try RunVerifier.verify(path, scope: []).problems.map(\.line) == lines)
    }

    private static let triggered: [Instruction] = [
        .loop(count: 4, every: .zero, end: 3, step: 0),
        .waitForEdge(line: 0, within: .zero, step: 0),
        .capture(count: 1, settings: 0, lights: 0, step: 0), .endLoop(start: 0),
    ]

    @Test func `a slot that had no turn when the disk was full needs no event of its own`() throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/run"
        let run = try SampleRun(
            Sample.plan(program: Self.triggered, lines: [Sample.line]), at: path)
        for slot in 0..<4 as Range<Int64> {
            let number = UInt32(slot) + 1
            run.record.append(
                .edge(
                    LineEdge(
                        line: 0, isRising: true, timestamp: Instant(nanoseconds: slot),
                        lineSequence: number)), at: Instant(nanoseconds: slot))
            var row = slot == 0 ? Sample.row(0) : Sample.hole(slot, .storageFailed)
            if slot < 3 {
                row.trigger = TriggerReference(
                    line: 0, lineSequence: number, delay: nil,
                    outcome: .matched)
            }
            // The disk refused the second slot's frame; the third waited for its own when the run ended.
            if slot == 1 {
                row.deviceSequence = 1
                run.record.append(
                    .storageFailed(slot: 1, errno: 28), at: Instant(nanoseconds: 1))
            }
            if slot == 0 { run.frame(row) } else { run.hole(row) }
        }
        #expect(try run.finish(.storageFailed).exitCode == 84)
        let report = try RunVerifier.verify(path, scope: [])
        #expect(report.isConsistent, "\(report.text)")
    }

    @Test(arguments: [HoleReason.storageFailed, .droppedByDriver, .damaged, .droppedByDevice])
    func `a lost frame that no event knows of is a problem, with a trigger or without`(
        reason: HoleReason
    ) throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/run"
        let run = try SampleRun(Sample.plan(), at: path)
        for slot in 0..<5 as Range<Int64> {
            guard slot == 2 else {
                run.frame(Sample.row(slot))
                continue
            }
            var hole = Sample.hole(slot, reason)
            if reason != .droppedByDevice { hole.deviceSequence = 2 }
            run.hole(hole)
            if reason == .droppedByDevice {
                run.record.append(
                    .framesSkipped(count: 1, from: 2, why: .idle), at: Instant(nanoseconds: 1))
            }
        }
        try run.finish()
        let problems = try RunVerifier.verify(path, scope: []).problems
        #expect(problems.map(\.line) == [4])
        #expect(problems.first?.message.contains("event") == true)
    }

    @Test func `a frame that found no free buffer explains its own number`() throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/run"
        let run = try SampleRun(Sample.plan(), at: path)
        for slot in 0..<5 as Range<Int64> {
            var row = Sample.row(slot)
            row.exposureTime = nil
            row.applied = AppliedSettings()
            if slot == 2 { row.reason = .buffersFull }
            if slot == 2 { run.hole(row) } else { run.frame(Sample.row(slot)) }
        }
        try run.finish()
        let report = try RunVerifier.verify(path, scope: [])
        #expect(report.isConsistent, "\(report.text)")
    }

    @Test func `a row that comes while somebody verifies is left for the next time`() throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/run"
        let sample = try SampleRun(Sample.plan(), at: path)
        sample.frame(Sample.row(0))
        try sample.record.flush()
        let run = try RecordedRun(RunFolder(path: path))
        var report = VerificationReport(path: path, isFinalised: false)
        let events = try EventCheck.read(run, [], &report)
        sample.record.append(
            .framesSkipped(count: 7, from: 1, why: .idle), at: Instant(nanoseconds: 1))
        sample.frame(Sample.row(1, sequence: 8))
        try sample.record.flush()
        var ledger = LedgerCheck(run, events)
        let tally = try ledger.read(&report)
        #expect(report.problems.isEmpty)
        #expect(tally.frames == 1)
        #expect(try RunVerifier.verify(path, scope: []).frames == 2)
    }

    @Test func `numbers are covered across their new start, and never more than there are`() {
        var coverage = SequenceCoverage()
        coverage.note(.framesSkipped(count: 4, from: .max - 1, why: .idle))
        coverage.note(.framesMissing(count: 3, before: 10, reason: .droppedByDriver))
        coverage.note(.framesMissing(count: 50, before: 90, reason: .droppedByDevice))
        coverage.sort()
        #expect(coverage.uncovered(after: .max - 2, before: 2) == 0)
        #expect(coverage.uncovered(after: .max - 3, before: 3) == 2)
        #expect(coverage.uncovered(after: 6, before: 10) == 0)
        #expect(coverage.uncovered(after: 10, before: 91) == 80)
        #expect(coverage.contains(.max) && coverage.contains(1) && !coverage.contains(2))
        coverage.note(.framesSkipped(count: .max, from: 5, why: .idle))
        coverage.note(.framesMissing(count: .min, before: 5, reason: .droppedByDriver))
        coverage.sort()
        #expect(coverage.uncovered(after: 7, before: 6) == 0)
    }
}
