import Engine
import Records
import Testing
import Timebase

/// Whole runs from seeds, with every fault that a rig can have, against an oracle that knows the truth.
struct SeededRunTests {
    /// Seeds that once found something; they stay.
    private static let foundSomething: [UInt64] = [289]
    private static let batch = 40

    @Test(arguments: 0..<8)
    func `no seed makes a record that is not true`(_ number: Int) throws {
        let first = UInt64(number * Self.batch) + 1
        for seed in first..<first + UInt64(Self.batch) { try check(seed) }
    }

    @Test(arguments: foundSomething)
    func `what once went wrong does not go wrong again`(_ seed: UInt64) throws {
        try check(seed)
    }

    private func check(_ seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/run"
        let run = try SeededRun(seed: seed)
        let (judgement, tally) = try run.run(in: path)
        let table = try RecordedTable(path)
        var oracle = RunOracle(run, table)
        for complaint in oracle.judge() { Issue.record("seed \(seed): \(complaint)") }
        // Reading everything back takes longer than the run.
        if seed % 8 == 0 {
            let report = try RunVerifier.verify(path)
            #expect(report.problems.isEmpty, "seed \(seed)")
        }
        checkCounts(tally, judgement, table, seed)
    }

    /// The counts that were kept during the run are those of the rows.
    private func checkCounts(
        _ tally: RunTally, _ judgement: Judgement, _ table: RecordedTable, _ seed: UInt64
    ) {
        #expect(tally.slots == Int64(table.rows.count), "seed \(seed)")
        #expect(tally.frames == Int64(table.rows.count { $0["status"] == "frame" }), "seed \(seed)")
        for reason in HoleReason.allCases {
            let rows = table.rows.count { $0["reason"] == reason.rawValue }
            #expect(tally.holes[reason, default: 0] == Int64(rows), "seed \(seed)")
        }
        #expect(tally.missingEdges == Int64(table.events("trigger-timeout").count), "seed \(seed)")
        #expect(table.manifest["verdict"] as? String == judgement.verdict.rawValue)
    }
}
