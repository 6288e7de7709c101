internal import Records

/// Whole runs of the engine on a rig with faults, each from a seed.
public struct RunProof: Proof {
    /// `runs`.
    public static let name = "runs"
    /// What the oracle says of every record.
    public static let claim =
        "no fault makes a record that is not true, and each is told for what it was"
    /// So many runs.
    public static let caseCount = 100_000

    /// Seeds that once found something, and what; they stay.
    package static let foundSomething: [(seed: UInt64, what: String)] = [
        (289, "what was written ahead for a group showed in the middle of its next attempt")
    ]

    private var tally = RunProofTally()

    /// Creates a proof without cases.
    public init() {}

    /// Runs seeds, on all processors.
    public mutating func run(cases: Range<Int>) throws -> [String] {
        let results = try Workers.map(cases) { seed in try Self.judge(UInt64(seed)) }
        var complaints: [String] = []
        for result in results {
            complaints += result.complaints
            tally.add(result)
        }
        return complaints
    }

    /// Slots, endings and injected faults.
    public var figures: [String] { tally.figures }

    /// Runs one seed and judges its record.
    static func judge(_ seed: UInt64) throws -> RunProofResult {
        let folder = try TemporaryFolder()
        let path = folder.path + "/run"
        let run = try SeededRun(seed: seed)
        let (judgement, counts) = try run.run(in: path)
        var oracle = RunOracle(run, try RecordedTable(path))
        oracle.judge()
        oracle.checkCounts(counts, judgement)
        // Reading everything back takes longer than the run.
        if seed % 8 == 0 {
            for problem in try RunVerifier.verify(path).problems {
                oracle.complain("verify: \(problem)")
            }
        }
        return RunProofResult(oracle)
    }
}
