import Devices
import Records
import Simulation
import Testing

/// Whole runs in which nothing but pixels shows what became of a write.
struct LightEvidenceRunTests {
    private static let bracket = """
          - repeat: 60
            do:
              - bracket: {exposure: [4 ms, 8 ms, 16 ms]}
        """

    private static func run(
        seed: UInt64 = 1, noise: Bool = true, _ change: (inout SimulationOptions) -> Void = { _ in }
    ) throws -> (run: BracketRun, exposures: [Int: Int64]) {
        var options = SimulationOptions(seed: seed, hasNoise: noise)
        change(&options)
        var exposures: [Int: Int64] = [:]
        let run = try BracketRun(
            bracket, lock: "{exposure: {duration: 8 ms, gain: 4.0x}}", options: options,
            truth: { truth in
                guard case .frame(let frame) = truth, let sequence = frame.sequence else { return }
                let code = frame.codes.first { $0.control.name == "exposure_time_absolute" }
                exposures[Int(sequence)] = code?.code
            })
        return (run, exposures)
    }

    @Test func `frames that go by their settings confirm them`() throws {
        let (run, _) = try Self.run()
        #expect(run.judgement.exitCode == 0)
        #expect(run.judgement.findings.allSatisfy { $0.kind == .saturatedFrames })
        let known = run.column("exposure_known_by")
        #expect(Set(known).isSubset(of: ["pixels", "read-back"]))
        #expect(known.count { $0 == "pixels" } > known.count / 2)
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `a write that was acknowledged, read back and lost is found in the pixels`(seed: UInt64)
        throws
    {
        let (run, exposures) = try Self.run(seed: seed) { $0.faults.injected.lostWrites = 50_000 }
        let events = run.events("setting-contradicted")
        let asked = run.column("requested_exposure_ns").map { (Int64($0) ?? 0) / 1_000 }
        let wrong = zip(run.sequences, asked).filter { exposures[$0] != $1 }
        let ways = Dictionary(
            zip(run.sequences, run.column("exposure_known_by")),
            uniquingKeysWith: { _, last in last }
        )
        try #require(!wrong.isEmpty)
        #expect(!events.isEmpty)
        for event in events {
            let sequence = try #require(event["sequence"] as? Int)
            #expect(wrong.contains { $0.0 == sequence })
            #expect(event["found"] as? Int64 == (exposures[sequence] ?? 0) * 1_000)
            // What is lost until the end may have been the scene's doing.
            let way = event["known_by"] as? String
            #expect(way == "pixels" || way == "none")
            #expect(ways[sequence] == way)
        }
        #expect(run.judgement.exitCode == 81)
        #expect(run.judgement.findings.map(\.id).contains("setting-contradicted"))
    }

    @Test func `other faults and a changing light contradict nothing`() throws {
        let (run, _) = try Self.run(seed: 5) {
            $0.faults.injected.driverDrops = 30_000
            $0.faults.injected.lateWrites = 50_000
            $0.faults.injected.deviceDrops = 30_000
        }
        #expect(run.events("setting-contradicted").isEmpty)
    }
}
