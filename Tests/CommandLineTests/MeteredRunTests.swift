import Foundation
import Testing

/// A run that meters first: what is found is locked, and on record.
@Suite struct MeteredRunTests {
    private static let recipe = """
        framelock: 1
        name: metered
        camera:
          use: simulated
          format: {pixels: SRGGB12, size: 640x480, rate: 30 fps}
        sequence:
          - meter: {exposure: auto, focus: auto, white_balance: auto}
          - capture: 4
        """

    @Test func `what was metered is in the plan, in every row and in the pixels`() throws {
        let folder = try TemporaryFolder()
        let run = "\(folder.path)/run"
        let result = try FramelockProgram.run(
            "run", try folder.recipe(Self.recipe), "--output", run)
        #expect(result.status == 0, "\(result.stderr)")
        let rows = try folder.text("run/ledger.csv").split(separator: "\n").dropFirst().map {
            $0.split(separator: ",", omittingEmptySubsequences: false)
        }
        #expect(rows.count == 4)
        let asked = Set(rows.map { $0[11] })
        #expect(asked.count == 1 && asked == Set(rows.map { $0[12] }), "one exposure, as asked")
        // The target is 0.17 of 4095; ±0.1 EV leaves 650 to 750, the scene's colours a little more.
        for row in rows {
            let mean = try #require(Double(row[18]))
            #expect(mean > 500 && mean < 900, "luma_mean \(mean)")
        }
        let manifest = try folder.text("run/run.json")
        #expect(manifest.contains("\"metering\""))
        #expect(!(try folder.text("run/plan.json").contains("\"current\"")))
        #expect(try FramelockProgram.run("verify", run).status == 0)
    }

    @Test(arguments: ["GREY", "Y12"])
    func `white balance is not metered on pictures without colour`(pixels: String) throws {
        let folder = try TemporaryFolder()
        let recipe = try folder.recipe(Self.recipe.replacing("SRGGB12", with: pixels))
        for command in [["check", recipe], ["run", recipe, "--output", "\(folder.path)/run"]] {
            let result = try FramelockProgram.run(command)
            #expect(result.status == 65)
            #expect(result.stderr.contains("\(pixels), which has no colour"), "\(result.stderr)")
        }
    }

    @Test func `a metering that is interrupted ends at once, and records nothing`() throws {
        let folder = try TemporaryFolder()
        // In real time a flat scene is metered for seconds.
        let started = try FramelockProgram.Started(
            try FramelockProgram.file(),
            [
                "run", try folder.recipe(Self.recipe.replacing("30 fps", with: "1 fps")),
                "--real-time", "--output", "\(folder.path)/run",
            ])
        usleep(1_500_000)
        kill(started.process.processIdentifier, SIGINT)
        let result = try started.result()
        #expect(result.status == 130, "\(result.stderr)")
        #expect(result.stderr.contains("interrupted while metering"), "\(result.stderr)")
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/run"))
    }

    @Test func `white balance is metered for a sensor that keeps it with its frames`() throws {
        let folder = try TemporaryFolder()
        let recipe = """
            framelock: 1
            name: metered
            camera:
              use: simulated
              profile: simulated-raw
              format: {pixels: SRGGB12, size: 640x480, rate: 30 fps}
            lock: {exposure: {duration: 8 ms, gain: 1x}}
            sequence:
              - meter: {white_balance: auto}
              - capture: 2
            """
        let run = "\(folder.path)/run"
        let result = try FramelockProgram.run("run", try folder.recipe(recipe), "--output", run)
        #expect(result.status == 0, "\(result.stderr)")
        let rows = try folder.text("run/ledger.csv").split(separator: "\n").dropFirst().map {
            $0.split(separator: ",", omittingEmptySubsequences: false)
        }
        #expect(rows.count == 2)
    }

    @Test func `two runs meter the same`() throws {
        let folder = try TemporaryFolder()
        let recipe = try folder.recipe(Self.recipe)
        for name in ["a", "b"] {
            let result = try FramelockProgram.run(
                "run", recipe, "--output", "\(folder.path)/\(name)")
            #expect(result.status == 0, "\(result.stderr)")
        }
        #expect(try folder.text("a/plan.json") == folder.text("b/plan.json"))
    }
}
