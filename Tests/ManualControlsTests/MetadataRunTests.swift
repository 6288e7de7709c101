import Devices
import Records
import Simulation
import Testing

/// Whole runs with a sensor that sends its registers along: every row against what the sensor really had.
struct MetadataRunTests {
    private static let bracket = """
          - repeat: 100
            do:
              - bracket: {exposure: [2 ms, 4 ms, 8 ms, 16 ms]}
        """

    /// What the sensor really had, by the driver's number.
    private final class Truth {
        private(set) var exposures: [Int: Int64] = [:]
        private(set) var gains: [Int: Int64] = [:]
        private(set) var lostWrites = 0

        func note(_ truth: SimulatedTruth) {
            switch truth {
            case .frame(let frame):
                guard let sequence = frame.sequence.map(Int.init) else { return }
                for value in frame.codes where value.control.name == "exposure_time_absolute" {
                    exposures[sequence] = value.code
                }
                for value in frame.codes where value.control.name == "gain" {
                    gains[sequence] = value.code
                }
            case .fault(.lostWrite, _, _): lostWrites += 1
            case .fault, .edge: break
            }
        }
    }

    private static func run(
        seed: UInt64 = 1, profile: CameraProfile = .simulatedWithMetadata,
        _ fault: (inout InjectedFaults) -> Void = { _ in }
    ) throws -> (run: BracketRun, truth: Truth) {
        var options = SimulationOptions(seed: seed, hasNoise: false)
        fault(&options.faults.injected)
        let truth = Truth()
        let run = try BracketRun(
            bracket, profile: profile, options: options, truth: { truth.note($0) })
        return (run, truth)
    }

    /// Rows whose exposure is not what the sensor had, in microseconds.
    private static func wrongRows(_ run: BracketRun, _ truth: Truth) -> Int {
        zip(run.sequences, run.exposures).count { truth.exposures[$0] != Int64($1) }
    }

    @Test func `without faults every frame says that it had what was asked for`() throws {
        let (run, truth) = try Self.run()
        #expect(run.judgement.exitCode == 0)
        #expect(Set(run.column("exposure_known_by")) == ["metadata"])
        #expect(Set(run.column("gain_known_by")) == ["metadata"])
        #expect(Set(run.column("lens_known_by")).isDisjoint(with: ["metadata"]))
        #expect(Self.wrongRows(run, truth) == 0)
        #expect(run.column("applied_exposure_ns") == run.column("requested_exposure_ns"))
    }

    @Test func `a write that was acknowledged, read back and lost is seen in every row`() throws {
        let (run, truth) = try Self.run { $0.lostWrites = 20_000 }
        try #require(truth.lostWrites > 0)
        #expect(Self.wrongRows(run, truth) == 0)
        #expect(run.column("applied_exposure_ns") != run.column("requested_exposure_ns"))
        #expect(run.judgement.exitCode == 81)
        #expect(run.judgement.findings.map(\.id).contains("setting-contradicted"))
        for event in run.events("setting-contradicted") {
            let sequence = try #require(event["sequence"] as? Int)
            #expect(event["found"] as? Int64 == (truth.exposures[sequence] ?? 0) * 1_000)
            #expect(event["known_by"] as? String == "metadata")
        }
    }

    @Test func `without metadata brightness is all that speaks against the camera`() throws {
        let (run, truth) = try Self.run(profile: .simulated) { $0.lostWrites = 20_000 }
        try #require(truth.lostWrites > 0)
        #expect(Self.wrongRows(run, truth) == 0)
        #expect(Set(run.column("exposure_known_by")).contains("pixels"))
        #expect(run.judgement.exitCode == 81)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `metadata that are lost or late leave their frames to pixels and read-back`(seed: UInt64)
        throws
    {
        let (run, truth) = try Self.run(seed: seed) {
            $0.lostMetadata = 200_000
            $0.lateMetadata = 200_000
            $0.driverDrops = 50_000
        }
        let known = run.column("exposure_known_by")
        #expect(Set(known).isSubset(of: ["metadata", "pixels", "read-back", "none"]))
        #expect(known.contains { $0 == "pixels" || $0 == "read-back" })
        #expect(zip(known, run.column("status")).allSatisfy { ($0 == "none") == ($1 == "hole") })
        let frames = zip(run.sequences, run.exposures).filter { $1 > 0 }
        #expect(frames.allSatisfy { truth.exposures[$0] == Int64($1) })
        #expect(run.events("setting-contradicted").isEmpty)
    }

    @Test func `metadata of a neighbour under a frame's own number are told by the sensor's count`()
        throws
    {
        let (run, truth) = try Self.run { $0.wrongMetadata = 20_000 }
        #expect(!run.events("metadata-mismatch").isEmpty)
        #expect(run.events("setting-contradicted").isEmpty)
        #expect(Self.wrongRows(run, truth) == 0)
        #expect(run.judgement.exitCode == 0)
    }
}
