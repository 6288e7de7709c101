internal import Cameras
internal import Foundation
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
        (289, "what was written ahead for a group showed in the middle of its next attempt"),
        (
            589,
            "a slot to come was written again after a later one: frames of a capture drifted apart"
        ),
        (1135, "what was written again for a slot showed in the middle of the next capture"),
        (1534, "with stamps later than half a period, a light was taken for its neighbour's"),
        (1835, "the same, after a frame that was lost inside the camera"),
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
        let judgement: Judgement
        let counts: RunTally
        do {
            (judgement, counts) = try run.run(in: path)
        } catch let error as CameraError where run.unplugged != nil {
            // Gone before its first frame: refused with the reason, and nothing is left behind.
            let isClean = !FileManager.default.fileExists(atPath: path)
            return RunProofResult(
                complaints: isClean ? [] : ["seed \(seed): \(error), and a folder is left"],
                frames: 0, holes: [:], exitCode: 69, faults: ["unplugged": 1])
        }
        var oracle = RunOracle(run, try RecordedTable(path))
        oracle.judge()
        oracle.checkCounts(counts, judgement)
        // Reading everything back takes longer than the run.
        if seed % 8 == 0 {
            for problem in try RunVerifier.verify(path).problems {
                oracle.complain("verify: \(problem)")
            }
        }
        if TemporaryFolder.isKept {
            let truth = run.world.testCamera.truth.map { "\($0)\n" }.joined()
            try "\(run.tree)\n\(truth)".write(
                toFile: folder.path + "/truth", atomically: false, encoding: .utf8)
        }
        return RunProofResult(oracle)
    }
}
