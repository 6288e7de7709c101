import Devices
import Testing
import Timebase

@testable import Records

/// What `verify` makes of rows and events that no engine writes together.
struct EngineCheckTests {
    private static func problems(
        _ events: [RunEvent] = [], _ change: (inout LedgerRow) -> Void = { _ in }
    ) throws -> [String] {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/run"
        let run = try SampleRun(Sample.plan(), at: path)
        run.record.append(.streamStarted, at: Instant(nanoseconds: 0))
        for event in events { run.record.append(event, at: Instant(nanoseconds: 1_000)) }
        for slot in 0..<5 as Range<Int64> {
            var row = Sample.row(slot)
            if slot == 2 { change(&row) }
            run.frame(row)
        }
        try run.finish()
        return try RunVerifier.verify(path, scope: .engine).problems.map(\.description)
    }

    @Test func `the middle of an exposure is half-way between its ends`() throws {
        let problem = "ledger.csv:4: session_mid_ns is not half-way between start and end"
        #expect(!(try Self.problems().contains(problem)))
        let moved = try Self.problems { row in
            guard var time = row.exposureTime else { return }
            time.mid = time.mid + .microseconds(1)
            row.exposureTime = time
        }
        #expect(moved.contains(problem))
    }

    @Test(arguments: [(0, false, true), (1, false, false), (0, true, false)])
    func `an event about a setting is held against its own frame, and not against its number`(
        settings: Int32, isCountedAnew: Bool, isProblem: Bool
    ) throws {
        let contradiction = RunEvent.settingContradicted(
            settings: settings, sequence: 2, group: .exposure, believed: 8_000_000,
            found: 500_000, by: .metadata)
        let problems = try Self.problems(
            [contradiction] + (isCountedAnew ? [.sequenceJumped(from: 9, to: 1)] : []))
        let problem = "ledger.csv:4: exposure_known_by is `read-back`, and an event refutes it"
        #expect(problems.contains(problem) == isProblem)
    }

    @Test func `what nobody asked for stays what it was`() throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/run"
        let run = try SampleRun(Sample.plan(), at: path)
        for slot in 0..<4 as Range<Int64> {
            var row = Sample.row(slot)
            row.applied.whiteBalance = AppliedWhiteBalance(kelvin: slot == 2 ? 4_000 : 5_000)
            run.frame(row)
        }
        try run.finish()
        let problems = try RunVerifier.verify(path, scope: .engine).problems.map(\.description)
        #expect(
            problems.filter { $0.contains("frames before had") } == [
                "ledger.csv:4: white balance (K) was 4000, frames before had 5000, and no event"
                    + " explains it"
            ])
    }

    @Test(arguments: [(-1, true), (0, false), (1_000, false), (1_001, true)] as [(Int64, Bool)])
    func `settings are written while the run goes on, and before the log says so`(
        nanoseconds: Int64, isProblem: Bool
    ) throws {
        let problems = try Self.problems([
            .settingsWritten(
                settings: 0, slot: 0, begun: Sample.epoch + .nanoseconds(nanoseconds), errno: 0)
        ])
        let problem = "events.jsonl: 1 events are not between session time 0 and their `at_ns`"
        #expect(problems.contains(problem) == isProblem)
    }
}
