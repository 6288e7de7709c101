internal import Devices
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
        (1534, "with timestamps later than half a period, a light was taken for its neighbour's"),
        (1835, "the same, after a frame that was lost inside the camera"),
        (8692, "a light came late behind a write, and its frame was taken"),
        (13_323, "a slot whose settings were refused took its edge with it: the next began before"),
        (17_491, "frames lost unseen were taken for another rate, and lights planned by that"),
        (
            20_160,
            "somebody else's exposure began before the light that was planned for the slot's own"
        ),
        (
            20_462,
            "another's change during a write that took long was believed to have come after it"
        ),
        (21_247, "a change was never believed to show, since the driver counted anew meanwhile"),
        (21_656, "`verify` knew of one reset between two rows, and there were two"),
        (22_092, "word of a second change hid that the first had been written over"),
        (22_653, "holes claimed numbers of a sequence that nobody believed"),
        (24_056, "frames were skipped on both sides of a reset, and counted on from the first"),
        (44_827, "settings were written ahead for a slot that had still to wait"),
        (1_001_808, "a frame that found no room in a group that was taken again was told nowhere"),
        (1_004_797, "settings were written ahead as if no light of the slot before were still on"),
        (
            7_701_712,
            "a frame timed by its arrival hid that one was lost inside, and a later write showed"
        ),
        (
            24_226_355,
            "the first frames under a second light were taken for those of a write that was lost"
        ),
        (
            2_026_112_500_810,
            "a write ahead that was written over was unknown, and a lost write left it"
        ),
        (
            2_026_112_561_280,
            "a value that no write explained passed for a scene that jumped, and was confirmed"
        ),
        (
            2_026_112_880_479_168,
            "a frame with another setting was what a setting was known by, and was confirmed"
        ),
        (
            2_026_112_588_847,
            "two settings looked alike, and a curve that bends so was believed without a doubt"
        ),
        (
            20_261_125_213_613,
            "an edge from the queue was older than the rounds behind it: each waited twice as long"
        ),
        (24_225_696, "`verify` held an event against another frame of the same number"),
        (
            24_238_190,
            "settings were written ahead as if the lens had been written already for slots before"
        ),
        (55_236_664, "a skipped frame was told with the number of one that never was"),
        (
            20_261_125_235_331,
            "timestamps in time that came less and less late were taken for another period"
        ),
        (
            20_261_125_221_277,
            "frames that are on their way for long were thought to be there within two periods"
        ),
        (
            20_261_127_022_599,
            "timestamps late by most of a period passed for lost frames, and moved the phase"
        ),
        (
            20_261_128_023_430,
            "a timestamp late by half a period, of a frame that waited for the host, passed for a gap"
        ),
        (
            2_026_113_126_078,
            "a lost write ahead for a slot of a group that was taken again was not among the writes"
        ),
        (
            2_026_112_580_944,
            "`verify` missed a frame that late timestamps had hidden among frames without rows"
        ),
        (
            2_026_114_044_575,
            "a timestamp that went on ahead, of a frame that waited for the host, passed for lost frames"
        ),
        (
            2_026_114_053_101,
            "another program's change was counted over a frame lost inside, which no timestamp showed"
        ),
        (
            2_026_112_713_028_234,
            "three timestamps that came less and less late passed for another period"
        ),
        (
            2_026_112_900_413_760,
            "a light that always came with the same write was darker than none, and confirmed it"
        ),
        (
            2_026_112_910_158_741,
            "a slot waited for another frame untold, and had what was written ahead for the next one"
        ),
        (
            2_026_112_951_008_521,
            "another program wrote while frames were lost inside the camera: the next frame had it already"
        ),
    ]

    /// Seeds that found one of these too, or a mistake of the oracle.
    package static let foundTheSame: [UInt64] = [
        3643, 4994, 10_190, 11_707, 12_001, 12_564, 12_649, 14_103, 14_990, 18_147, 19_036, 20_070,
        20_104, 20_148, 20_184, 20_764, 20_982, 21_539, 22_165, 22_911, 23_014, 23_138, 23_148,
        24_239, 25_855, 52_625, 54_662, 57_078, 57_863, 63_537, 70_838, 71_477, 82_790, 1_000_352,
        1_000_495, 1_000_562, 1_000_861, 1_000_952, 1_001_444, 1_002_291, 1_002_323, 1_003_736,
        1_005_277, 1_005_279, 1_005_944, 1_006_480, 1_007_130, 1_008_176, 1_010_304, 1_010_616,
        1_010_864, 1_011_040, 7_301_040, 7_705_404, 55_226_392, 55_227_183,
        24_225_368, 24_225_516, 24_225_536, 24_225_810, 31_000_011, 202_611_240_334,
        202_611_240_360, 202_611_240_465, 202_611_240_473,
        20_261_127_072_633, 24_404_719, 20_261_128_028_036, 20_261_125_239_015, 20_261_125_416_892,
        20_261_125_310_432, 20_261_125_319_503,
        2_026_112_502_922, 2_026_112_507_028, 2_026_112_518_229, 2_026_112_519_898,
        2_026_112_533_532, 2_026_112_536_653,
        20_261_125_938_065, 77_000_016_313, 77_000_017_310, 2_026_112_615_224,
        20_261_125_713_979, 2_026_112_737_617, 2_026_113_155_748, 2_026_112_917_923,
        2_026_112_933_626, 2_026_112_954_680, 2_026_114_030_143,
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
        return complaints + (tally.complaint.map { [$0] } ?? [])
    }

    /// Slots, endings, injected faults and doubts.
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
        } catch let error as DeviceError where run.unplugged != nil {
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
            for problem in try RunVerifier.verify(path, scope: .engine).problems {
                oracle.complain("verify: \(problem)")
            }
        }
        if TemporaryFolder.isKept {
            let truth = run.world.testCamera.truth.map { "\($0)\n" }.joined()
            try "\(run.tree)\n\(truth)".write(
                toFile: folder.path + "/truth", atomically: false, encoding: .utf8)
        }
        return RunProofResult(oracle, seed: seed)
    }
}
