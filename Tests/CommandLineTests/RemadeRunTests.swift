import Foundation
import Testing

/// What `framelock verify` makes of runs that somebody changed and whose hashes he made anew.
@Suite struct RemadeRunTests {
    /// Frames with a still, a bracket, holes, and a parameter of the command line.
    private static let recipe = """
        framelock: 1
        name: remade
        parameters:
          shots:
            default: 6
            min: 1
            max: 100
        camera:
          use: simulated
          format: {pixels: Y12, size: 320x240, rate: 30 fps}
        lock:
          focus: {lens: 0.4}
          exposure: {duration: 8 ms, gain: 2.0x}
        sequence:
          - capture: $shots
          - bracket: {exposure: [2 ms, 8 ms, 16 ms]}
          - capture: {count: 2, still: tiff}
        require: {dropped: 2, lock_violations: 0}
        """

    /// The changes that begin like one of some words and that `verify` does not find.
    private static func unfound(_ only: [String]) throws -> [String] {
        let folder = try TemporaryFolder()
        let run = "\(folder.path)/run"
        let simulated = try FramelockProgram.run(
            "simulate", try folder.recipe(recipe), "--set", "shots=8", "--faults", "drop=10%",
            "--output", run)
        try #require([0, 80].contains(simulated.status), "\(simulated.stderr)")
        try #require(try FramelockProgram.run("refit", run).status == 0)
        try #require(try FramelockProgram.run("verify", run).status == 0)
        return try ChangedRun.unfound(only, in: run, by: "tamper_run.py")
    }

    @Test func `times, their clock, and by what settings are known are computed again`() throws {
        let unfound = try Self.unfound([
            "ledger.csv session_", "ledger.csv clock", "ledger.csv exposure_known_by",
            "ledger.csv gain_known_by", "ledger.csv lens_known_by", "ledger.csv all session times",
            "ledger.csv camera_timestamp_ticks", "ledger.csv gap_evidence",
            "ledger.csv luma_mean", "ledger.csv saturated_fraction",
        ])
        // A timestamp is known to a microsecond.
        #expect(Set(unfound).subtracting(["ledger.csv: all session times: +1"]) == [])
    }

    @Test func `the plan is what the recipe compiles to`() throws {
        let unfound = try Self.unfound([
            "plan.json require", "plan.json settings", "plan.json program", "plan.json steps",
            "plan.json output", "plan.json stills", "plan.json name",
        ])
        #expect(unfound == [])
        // What a recipe says to people alone makes no other plan; nor does a limit of a parameter.
        let recipe = try Self.unfound(["recipe.yaml"]).filter {
            !$0.contains("a comment") && !$0.contains("min:") && !$0.contains("max:")
                && !$0.contains("default:")
        }
        #expect(recipe == [])
    }

    @Test func `the manifest says of the plan what the plan says`() throws {
        let unfound = try Self.unfound([
            "run.json profile.name", "run.json timestamps", "run.json rows", "run.json plan",
            "run.json recipe", "run.json configuration.width", "run.json configuration.pixels",
            "run.json configuration.camera_ticks", "run.json session.epoch_ns",
        ])
        // A timestamp is known to a microsecond, and so is what session time begins with.
        #expect(Set(unfound).subtracting(["run.json: session.epoch_ns: +1"]) == [])
    }

    @Test func `a fit is fitted again`() throws {
        #expect(try Self.unfound(["refit"]) == [])
    }
}
