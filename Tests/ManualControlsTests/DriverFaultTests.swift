import Devices
import Records
import Simulation
import Testing
import Timebase

/// Whole runs on a simulated camera whose driver gives wrong numbers and timestamps: rows, events, verdict and
/// `verify`.
struct DriverFaultTests {
    private static let clean = 60

    private func run(
        _ quirks: [CameraQuirk] = [], drops: Int = 0, _ fault: (inout SimulatedDriverFaults) -> Void
    ) throws -> BracketRun {
        var options = SimulationOptions(seed: 3, dropsPerMillion: drops, hasNoise: false)
        fault(&options.driverFaults)
        var profile = CameraProfile.simulated
        profile.quirks += quirks
        return try BracketRun("  - capture: \(Self.clean)", profile: profile, options: options)
    }

    private func seen(_ run: BracketRun) -> [String] {
        run.events("quirk-seen").compactMap { $0["quirk"] as? String }
    }

    private func holes(_ run: BracketRun) -> [String] {
        run.column("reason").filter { !$0.isEmpty }
    }

    @Test(arguments: [7, UInt32.max - 20] as [UInt32])
    func `a sequence begins anywhere, and wraps`(_ first: UInt32) throws {
        let run = try run(drops: 100_000) { $0.firstSequence = first }
        #expect(Set(holes(run)) == ["dropped-by-driver"])
        #expect(
            Set(run.rows.filter { $0["status"] == "hole" }.map { $0["gap_evidence"] })
                == ["sequence+spacing"])
        #expect(seen(run) == [])
    }

    @Test(arguments: [[], [.sequenceIsStuck]] as [[CameraQuirk]])
    func `a sequence that stands still`(_ quirks: [CameraQuirk]) throws {
        let run = try run(quirks, drops: 100_000) { $0.stuckSequence = 0..<1_000 }
        #expect(run.rows.count == Self.clean)
        #expect(Set(holes(run)).subtracting(["uncertain"]) == ["dropped"])
        #expect(seen(run) == ["sequence_is_stuck"])
        let suggestions = run.judgement.findings.filter { $0.id == "quirk-seen" }
        #expect(suggestions.count == (quirks.isEmpty ? 1 : 0))
        #expect(suggestions.allSatisfy { $0.message.contains("`sequence_is_stuck`") })
    }

    @Test func `a sequence that is reset in mid-stream loses no frame`() throws {
        let run = try run { $0.reset = .init(frame: 30, sequence: 0) }
        #expect(holes(run) == [])
        #expect(run.events("sequence-jumped").count == 1)
        #expect(seen(run) == ["sequence_resets"])
        #expect(run.judgement.verdict == .trustworthy)
    }

    @Test func `a sequence that counts fields`() throws {
        let known = try run([.sequenceCountsFields]) { $0.stride = 2 }
        #expect(holes(known) == [])
        #expect(known.judgement.verdict == .trustworthy)
        let found = try run { $0.stride = 2 }
        #expect(holes(found) == [])
        #expect(seen(found) == ["sequence_counts_fields"])
    }

    @Test func `a frame that is handed out twice is recorded once`() throws {
        let run = try run { $0.repeated = [20, 40] }
        #expect(holes(run) == [])
        #expect(Set(run.sequences).count == Self.clean)
        #expect(
            run.events("frames-skipped").count { $0["why"] as? String == "repeated" } == 2)
        #expect(run.judgement.verdict == .trustworthy)
    }

    @Test(
        arguments: [
            (.zero, "zero", "timestamps_are_zero"), (.stuck, "repeated", "timestamps_are_stuck"),
            (.back(.milliseconds(400)), "back", "timestamps_go_back"),
            (.ahead(.milliseconds(400)), "ahead", "timestamps_are_ahead"),
        ] as [(SimulatedDriverFaults.Timestamp, String, String)])
    func `timestamps that can't be believed leave the time of dequeueing`(
        _ timestamp: SimulatedDriverFaults.Timestamp, _ why: String, _ quirk: String
    ) throws {
        let run = try run {
            $0.timestamps = timestamp
            $0.wrongTimestamps = 20..<1_000
        }
        #expect(holes(run) == [])
        #expect(seen(run) == [quirk])
        #expect(run.events("timestamp-invalid").allSatisfy { $0["why"] as? String == why })
        // A period of 1/60 s: from the last look that found no frame, and as long as a frame may be on its way.
        let doubted = run.rows.suffix(20)
        #expect(doubted.allSatisfy { (Int64($0["session_half_width_ns"] ?? "") ?? 0) > 8_000_000 })
        // The first exposure ends a period after the start of the stream, and so on.
        let ends = run.column("session_end_ns").compactMap(Int64.init)
        let halves = run.column("session_half_width_ns").compactMap(Int64.init)
        let numbers = run.sequences
        for index in ends.indices {
            let truth = ends[0] + Int64(numbers[index] - numbers[0]) * 1_000_000_000 / 60
            #expect(abs(ends[index] - truth) <= halves[index] + halves[0], "slot \(index)")
        }
    }
}
