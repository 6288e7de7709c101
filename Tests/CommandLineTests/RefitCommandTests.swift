import Foundation
import Testing

/// `framelock refit` on a recorded run.
@Suite struct RefitCommandTests {
    @Test func `a run is fitted afterwards, and nothing of its record changes`() throws {
        let folder = try TemporaryFolder()
        let run = "\(folder.path)/run"
        let result = try FramelockProgram.run(
            "run", "recipes/first-light.yaml", "--output", run)
        #expect(result.status == 0, "\(result.stderr)")
        let before = try folder.files("run")

        let refit = try FramelockProgram.run("refit", run)
        #expect(refit.status == 0, "\(refit.stderr)")
        #expect(refit.stdout.contains("16 slots, 16 with times"), "\(refit.stdout)")
        #expect(refit.stdout.contains("CLOCK_REALTIME: "), "\(refit.stdout)")
        var after = try folder.files("run")
        let table = try #require(after["refit.csv"])
        #expect(after["refit.json"] != nil)
        for name in ["refit.csv", "refit.json"] { after[name] = nil }
        #expect(after == before)
        #expect(String(decoding: table, as: UTF8.self).split(separator: "\n").count == 17)

        let verified = try FramelockProgram.run("verify", run)
        #expect(verified.status == 0, "\(verified.stdout)")
        // Once more gives the same.
        #expect(try FramelockProgram.run("refit", run).status == 0)
        #expect(try folder.files("run")["refit.csv"] == table)
    }

    @Test func `a ledger that was cut is refused`() throws {
        let folder = try TemporaryFolder()
        let run = "\(folder.path)/run"
        let recipe = try folder.recipe(
            """
            framelock: 1
            name: cut
            camera: {use: simulated, format: {pixels: GREY, size: 320x240, rate: 30 fps}}
            sequence: [{capture: 3}]
            """)
        let simulated = try FramelockProgram.run("simulate", recipe, "--output", run)
        try #require(simulated.status == 0, "\(simulated.stderr)")
        let ledger = "\(run)/ledger.csv"
        let rows = try String(contentsOfFile: ledger, encoding: .utf8).split(separator: "\n")
        try (rows.dropLast().joined(separator: "\n") + "\n").write(
            toFile: ledger, atomically: true, encoding: .utf8)
        let result = try FramelockProgram.run("refit", run)
        #expect(result.status == 65)
        #expect(result.stderr.contains("ledger.csv has 2 rows for 3 slots"), "\(result.stderr)")
    }

    @Test func `a folder that is no run is refused`() throws {
        let folder = try TemporaryFolder()
        let result = try FramelockProgram.run("refit", folder.path)
        #expect(result.status == 74)
        #expect(result.stderr.contains("is this the folder of a run?"), "\(result.stderr)")
    }
}
