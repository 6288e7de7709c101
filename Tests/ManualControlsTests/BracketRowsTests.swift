import Devices
import Engine
import Foundation
import Imaging
import Recipes
import Records
import Simulation
import Testing
import Timebase
import Tracking

@Suite("Bracketed capture")
struct BracketRowsTests {
    private static let eight =
        "  - bracket: {exposure: [1 ms, 2 ms, 3 ms, 4 ms, 5 ms, 6 ms, 7 ms, 10 ms]}\n"

    @Test("B1 auto: biases are stops from the exposure in force")
    func auto() throws {
        let run = try BracketRun("  - bracket: {bias: [-2 EV, 0 EV, 1/2 EV]}")
        #expect(run.exposures == [2_000, 8_000, 11_314])
        #expect(run.column("applied_gain") == ["2", "2", "2"])
    }

    @Test("B1 manual: durations and sensitivities side by side")
    func manual() throws {
        let run = try BracketRun("  - bracket: {exposure: [1 ms, 4 ms], gain: [4.0x, 1.0x]}")
        #expect(run.exposures == [1_000, 4_000])
        #expect(run.column("applied_gain") == ["4", "1"])
    }

    @Test("B1 burst: the same settings, one frame after the other")
    func burst() throws {
        let run = try BracketRun("  - bracket: {burst: 5}")
        #expect(run.exposures == [8_000, 8_000, 8_000, 8_000, 8_000])
        #expect(zip(run.sequences, run.sequences.dropFirst()).allSatisfy { $1 == $0 + 1 })
    }

    @Test("B1 lens and white balance, a value for each shot")
    func lensAndBalance() throws {
        let run = try BracketRun(
            """
              - bracket: {lens: [0.25, 0.75]}
              - bracket: {white_balance: [{temperature: 3200 K}, {temperature: 5600 K}]}
            """)
        #expect(run.column("applied_lens_position").prefix(2) == ["0.25", "0.75"])
        #expect(run.judgement.verdict == .trustworthy)
    }

    @Test("B1 light: one output for each shot, or none")
    func light() throws {
        let run = try BracketRun(
            "  - bracket: {light: [red, none, blue]}",
            lines:
                "{red: {chip: gpio, line: 1, direction: out}, blue: {chip: gpio, line: 2, direction: out}}"
        )
        let switched = run.events("output-set").map {
            "\($0["line"] as? String ?? "") \($0["active"] as? Bool ?? false)"
        }
        #expect(switched == ["red true", "red false", "blue true", "blue false"])
        #expect(run.judgement.verdict == .trustworthy)
    }

    @Test("B2 kinds do not mix, and the error names both")
    func kinds() {
        let complaint = BracketRun.complaint("  - bracket: {bias: [1 EV], lens: [0.5]}")
        #expect(complaint.contains("`lens` and `bias` exclude each other"))
    }

    @Test("B2 a bracket that is kept until it is whole has a largest size, by format and memory")
    func largest() {
        let complaint = BracketRun.complaint(
            "  - bracket: {burst: 20000, atomic: {retries: 1}}")
        #expect(complaint.contains("76800 bytes each (GREY 320x240) at most 13981"))
    }

    @Test("B3 buffers for the largest bracket are there before the run, or there is none")
    func prepare() throws {
        // 100,000 frames of 2 MB are more than this machine has, whatever it is; the plan is made by hand, since the
        // compiler would refuse it.
        var plan = try BracketRun.plan("  - bracket: {burst: 5, atomic: {retries: 1}}")
        #expect(plan.largestGroup == 5)
        plan.program[0] = .group(slots: 1 << 40, retries: 1, step: 0)
        let world = SimulatedWorld(SimulationOptions())
        let error = #expect(throws: DeviceError.self) { try PreparedRun(plan, in: world) }
        #expect(error?.message.contains("for the largest atomic bracket") == true)
    }

    @Test("B4 after a bracket the settings of before are in force again, and at the end of the run")
    func restore() throws {
        let run = try BracketRun(
            """
              - capture: 2
              - bracket: {exposure: [1 ms, 2 ms], gain: [4.0x, 1.0x]}
              - capture: 2
              - bracket: {exposure: [3 ms]}
            """)
        #expect(run.exposures == [8_000, 8_000, 1_000, 2_000, 8_000, 8_000, 3_000])
        #expect(run.column("applied_gain") == ["2", "2", "4", "1", "2", "2", "2"])
        let codes = try run.camera.describe().controls
        #expect(codes.first { $0.control.name == "exposure_time_absolute" }?.code == 8_000)
        #expect(codes.first { $0.control.name == "gain" }?.code == 128)
        // Read back and on record.
        let last = run.events("read-back").last {
            $0["control"] as? String == "exposure_time_absolute"
        }
        #expect(last?["found"] as? Int == 8_000)
    }

    @Test("B4 what the lock leaves open comes back to where the run found it")
    func restoreFound() throws {
        let run = try BracketRun(
            "  - bracket: {exposure: [1 ms, 2 ms]}\n  - capture: 1",
            lock: "{focus: {lens: 0.5}}")
        #expect(run.exposures == [1_000, 2_000, 5_000])
        let code = try run.camera.describe().controls
            .first { $0.control.name == "exposure_time_absolute" }?.code
        #expect(code == 5_000)
    }

    @Test("B5 eight shots cost eight frames and the latency")
    func pipelined() throws {
        let run = try BracketRun("  - capture: 2\n  - wait: 100 ms\n" + Self.eight)
        let shots = run.sequences.suffix(8)
        #expect(zip(shots, shots.dropFirst()).allSatisfy { $1 == $0 + 1 })
        // From the frame that was being exposed when the first setting was written.
        let written = try #require(run.events("settings-written").first?["begun_ns"] as? Int)
        let timestamps = run.column("raw_timestamp_ns").compactMap { Int($0) }
        let second = try #require(timestamps.dropFirst().first)
        let period = 16_666_667
        let exposing = run.sequences[1] + (written - second) / period + 1
        #expect((shots.last ?? 0) - exposing + 1 == 8 + 2)
    }

    @Test("B5 a bracket that follows frames at once costs no latency at all")
    func seamless() throws {
        let run = try BracketRun("  - capture: 2\n" + Self.eight + "  - capture: 2")
        #expect(zip(run.sequences, run.sequences.dropFirst()).allSatisfy { $1 == $0 + 1 })
        #expect(run.exposures.prefix(4) == [8_000, 8_000, 1_000, 2_000])
        #expect(run.exposures.suffix(3) == [10_000, 8_000, 8_000])
    }

    @Test("B5 an estimate knows that settings are written ahead")
    func estimate() throws {
        let plan = try BracketRun.plan(Self.eight)
        let estimate = PlanEstimate(plan, bytesPerFrame: 76_800)
        // Latency and one frame for the first, then eight frames.
        #expect(estimate.duration == FrameRate(frames: 60).map { $0.period * 11 })
    }

    @Test("B6 a dropped frame repeats the group, slots keep their numbers")
    func atomic() throws {
        var repeats = 0
        for seed: UInt64 in 1...12 {
            let run = try BracketRun(
                "  - bracket: {exposure: [1 ms, 2 ms, 4 ms, 10 ms], atomic: {retries: 50}}",
                options: SimulationOptions(seed: seed, dropsPerMillion: 150_000, hasNoise: false))
            #expect(run.column("slot") == ["0", "1", "2", "3"])
            #expect(run.column("status") == Array(repeating: "frame", count: 4))
            #expect(run.exposures == [1_000, 2_000, 4_000, 10_000])
            #expect(run.judgement.verdict == .trustworthy)
            repeats += run.events("group-repeated").count
        }
        #expect(repeats > 3)
    }

    @Test("B6 repetitions are bounded, and a partial group is marked")
    func bounded() throws {
        var partial = 0
        for seed: UInt64 in 1...8 {
            let run = try BracketRun(
                "  - bracket: {exposure: [1 ms, 2 ms, 4 ms, 10 ms], atomic: {retries: 2}}",
                options: SimulationOptions(seed: seed, dropsPerMillion: 500_000, hasNoise: false))
            #expect(run.events("group-repeated").count <= 2)
            let holes = run.column("status").count { $0 == "hole" }
            #expect((run.events("group-partial").count == 1) == (holes > 0))
            #expect((run.judgement.verdict == .missingFrames) == (holes > 0))
            partial += holes > 0 ? 1 : 0
        }
        #expect(partial > 0)
    }

    @Test("D7 a frame that the device drops is a hole with its reason, and its buffer is not lost")
    func drops() throws {
        let run = try BracketRun(
            "  - capture: 200",
            options: SimulationOptions(seed: 5, dropsPerMillion: 100_000, hasNoise: false))
        let holes = run.rows.filter { $0["status"] == "hole" }
        #expect(!holes.isEmpty)
        #expect(holes.allSatisfy { $0["reason"] == "dropped-by-driver" })
        #expect(run.rows.count == 200)
    }
}
