import Devices
import Foundation
import Recipes
import Testing
import Timebase
import Tracking

@testable import Records

/// What `verify` makes of edges that expose the camera, and of the frames that rows give them.
struct TriggerPairingTests {
    /// Three edges, three frames; `change` may tell another story of a row.
    private static func problems(
        classedTwice: UInt32? = nil, _ change: (inout LedgerRow) -> Void = { _ in }
    ) throws -> [String] {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/run"
        var plan = try Sample.plan(
            program: [.capture(count: 3, settings: 0, lights: 0, step: 0)], lines: [Sample.line])
        plan.camera.trigger = PlannedTrigger(
            line: 0,
            window: TriggerWindow(
                earliest: .milliseconds(8), latest: .milliseconds(8), edgeDelay: .zero,
                shortestPeriod: .milliseconds(9), longestPeriod: .milliseconds(9)))
        let run = try SampleRun(plan, at: path)
        for slot in 0..<3 as Range<Int64> {
            let time = Instant<Session>(nanoseconds: slot * 33_333_333 + 14_000_000)
            let number = UInt32(slot) + 1
            run.record.append(
                .edge(
                    LineEdge(
                        line: 0, isRising: true,
                        timestamp: Instant(nanoseconds: Sample.epoch.nanoseconds + slot),
                        lineSequence: number)), at: time)
            run.record.append(
                .edgeClassified(
                    line: 0, lineSequence: number, outcome: .matched, sequence: UInt32(slot)),
                at: time)
            if number == classedTwice {
                run.record.append(
                    .edgeClassified(
                        line: 0, lineSequence: number, outcome: .missed, sequence: nil), at: time)
            }
            var row = Sample.row(slot)
            row.trigger = TriggerReference(
                line: 0, lineSequence: number, delay: nil, outcome: .matched)
            if slot == 1 { change(&row) }
            run.frame(row)
        }
        try run.finish()
        return try RunVerifier.verify(path, scope: []).problems.map(\.description)
    }

    @Test func `edges and frames that go together in both tables are consistent`() throws {
        #expect(try Self.problems() == [])
    }

    @Test func `a row with the frame of another edge is found`() throws {
        let problems = try Self.problems { $0.trigger?.lineSequence = 1 }
        #expect(
            problems.contains("ledger.csv:3: the events give edge part_present:1 another frame"))
    }

    @Test func `an edge that became something twice is found`() throws {
        let problems = try Self.problems(classedTwice: 2)
        #expect(
            problems.contains(
                "events.jsonl: 1 edges or frames of the camera's trigger are classed twice"))
    }

    @Test func `a row that claims more of its edge than the events do is found`() throws {
        let problems = try Self.problems { $0.trigger?.outcome = .ambiguous }
        #expect(
            problems.contains(
                "ledger.csv:3: edge part_present:2 is `matched` in the events and `ambiguous` here")
        )
    }
}
