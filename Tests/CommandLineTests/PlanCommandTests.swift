import Foundation
import Testing

/// `framelock check` and `framelock plan`, and how mistakes are answered.
@Suite struct PlanCommandTests {
    private struct Planned: Decodable {
        struct Slot: Decodable {
            struct Settings: Decodable { var exposure_ns: Int? }
            var slot: Int
            var requested: Settings
        }
        struct Estimate: Decodable {
            var slots: Int?
            var bytes: Int?
            var duration_ns: Int?
        }
        var plan_sha256: String
        var estimate: Estimate
        var slots: [Slot]
    }

    @Test(arguments: [
        ["recipes/first-light.yaml"], ["recipes/exposure-bracket.yaml"],
        ["recipes/triggered-inspection.yaml", "--rig", "hardware/rigs/bench.yaml"],
        ["recipes/triggered-inspection.yaml", "--rig", "hardware/rigs/simulated.yaml"],
    ])
    func `processes with different hash seeds plan the same to the byte`(
        arguments: [String]
    ) throws {
        let first = try FramelockProgram.run(["plan"] + arguments + ["--json"])
        #expect(first.status == 0, "\(first.stderr)")
        #expect(!first.stdout.isEmpty)
        for _ in 0..<4 {
            let again = try FramelockProgram.run(["plan"] + arguments + ["--json"])
            #expect(again.stdout == first.stdout)
        }
    }

    /// A recipe for a raw sensor of which it says nothing but where it is.
    private static func recipe(_ id: String) throws -> URL {
        let file = FileManager.default.temporaryDirectory
            .appending(path: "framelock-plan-\(UUID().uuidString).yaml")
        let text = """
            framelock: 1
            name: bare
            camera: {use: "\(id)", format: {pixels: SRGGB10P, size: 1640x1232}}
            lock: {exposure: {duration: 5 ms, gain: 2x}}
            sequence: [{capture: 3}]
            """
        try Data(text.utf8).write(to: file)
        return file
    }

    @Test func `without the camera a raw sensor's profile is found by its id, and that is said`()
        throws
    {
        let file = try Self.recipe("csi:imx219:10-0010")
        defer { try? FileManager.default.removeItem(at: file) }
        let result = try FramelockProgram.run("plan", file.path)
        #expect(result.status == 0, "\(result.stderr)")
        #expect(result.stdout.contains("csi:imx219:10-0010 (profile imx219): SRGGB10P 1640x1232"))
        #expect(result.stderr.contains("planned without the camera, by profile `imx219` ("))
        let other = try Self.recipe("csi:imx999:10-0010")
        defer { try? FileManager.default.removeItem(at: other) }
        let refused = try FramelockProgram.run("plan", other.path)
        #expect(refused.status == 65)
        #expect(refused.stderr.contains("`csi:imx999:10-0010` has no profile"))
    }

    @Test func `a plan lists slots with what they ask for`() throws {
        let result = try FramelockProgram.run("plan", "recipes/first-light.yaml", "--json")
        let plan = try JSONDecoder().decode(Planned.self, from: Data(result.stdout.utf8))
        #expect(plan.estimate.slots == 16)
        // Twelve bits lie in two bytes.
        #expect(plan.estimate.bytes == 16 * 640 * 480 * 2)
        #expect(plan.slots.map(\.slot) == Array(0..<16))
        let exposures = [Int](repeating: 8, count: 8) + [1, 2, 4, 8, 16, 32, 8, 8]
        #expect(plan.slots.map(\.requested.exposure_ns) == exposures.map { $0 * 1_000_000 })
        let text = try FramelockProgram.run("plan", "recipes/first-light.yaml")
        #expect(text.status == 0)
        #expect(text.stdout.contains("sha256 \(plan.plan_sha256)"))
    }

    @Test func `the plan of an endless recipe is short`() throws {
        let result = try FramelockProgram.run(
            "check", "recipes/endless-line.yaml", "--rig", "hardware/rigs/simulated.yaml")
        #expect(result.status == 0, "\(result.stderr)")
        #expect(result.stdout.contains("runs until it is stopped"))
    }

    @Test func `a good recipe is called good`() throws {
        let result = try FramelockProgram.run("check", "recipes/first-light.yaml")
        #expect(result.status == 0)
        #expect(result.stdout.hasPrefix("recipes/first-light.yaml: good; 16 slots, "))
        #expect(result.stderr.isEmpty)
    }

    @Test(arguments: ["check", "plan", "run"])
    func `a bad recipe is answered with file, line and column`(verb: String) throws {
        let folder = try TemporaryFolder()
        let recipe = try folder.recipe(
            """
            framelock: 1
            name: wrong
            camera:
              use: simulated
              format: {pixels: SRGGB12, size: 640x480, rate: 30 fps}
            sequence:
              - captur: 5
            """)
        let options = verb == "run" ? ["--output", "\(folder.path)/run"] : []
        let result = try FramelockProgram.run([verb, recipe] + options)
        #expect(result.status == 65)
        #expect(result.stdout.isEmpty)
        #expect(result.stderr.hasPrefix("\(recipe):7:5: error: "), "\(result.stderr)")
        #expect(result.stderr.contains("capture"))
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/run"))
    }

    @Test(arguments: [
        ["fly"], ["run"], ["check", "recipes/first-light.yaml", "--set", "nonsense"],
        ["run", "recipes/first-light.yaml", "--simulate-drops", "101"],
        ["run", "recipes/first-light.yaml", "--output", "a", "--runs-in", "b"],
        ["plan", "recipes/first-light.yaml", "--slots", "-1"], ["show"], ["verify"],
        ["devices", "--fly"], ["show", ""],
        ["plan", "recipes/first-light.yaml", "--slots", "1", "--slots=2"],
        ["simulate", "recipes/first-light.yaml", "--seed", "1", "--seed", "2"],
        ["simulate", "recipes/first-light.yaml", "--no-pixels", "--runs-in", ""],
    ])
    func `a command that makes no sense is usage, and does nothing`(arguments: [String]) throws {
        let result = try FramelockProgram.run(arguments)
        #expect([2, 64].contains(result.status))
        #expect(result.stdout.isEmpty)
        #expect(!result.stderr.isEmpty)
    }

    @Test func `a parameter that the recipe does not have is a mistake in the recipe's terms`()
        throws
    {
        let result = try FramelockProgram.run(
            "check", "recipes/first-light.yaml", "--set", "frames=3")
        #expect(result.status == 65)
        #expect(result.stderr.contains("frames"))
    }

    @Test(arguments: [
        (["check", "no/such/recipe.yaml"], "no/such/recipe.yaml: No such file or directory"),
        (["check", "recipes"], "recipes: Is a directory"),
        (
            ["check", "recipes/first-light.yaml", "--profiles", "no/such"],
            "--profiles: no/such: No such file or directory"
        ),
        (
            ["check", "recipes/first-light.yaml", "--profile", "no-such"],
            "--profile: there is no camera profile `no-such`"
        ),
        (["show", "no/such"], "no/such/run.json: No such file or directory"),
        (["verify", "no/such"], "no/such/run.json: No such file or directory"),
        (
            ["check", "recipes/first-light.yaml", "--profiles", "README.md"],
            "--profiles: README.md is not a folder"
        ),
        (
            ["calibrate", "storage", "no/such"],
            "calibrate storage: no/such: No such file or directory"
        ),
    ])
    func `a file or folder that is not there is named, and none is made`(
        arguments: [String], message: String
    ) throws {
        let result = try FramelockProgram.run(arguments)
        #expect(result.status == 64)
        #expect(result.stderr.contains(message), "\(result.stderr)")
        let made = FramelockProgram.repository.appending(path: "no").path
        #expect(!FileManager.default.fileExists(atPath: made))
    }

    @Test func `the simulated camera is a device like others`() throws {
        struct Devices: Decodable {
            struct Camera: Decodable {
                struct Format: Decodable { var pixels: String? }
                var id: String
                var backend: String
                var formats: [Format]
            }
            var cameras: [Camera]
        }
        let result = try FramelockProgram.run("devices", "--json")
        #expect(result.status == 0)
        let devices = try JSONDecoder().decode(Devices.self, from: Data(result.stdout.utf8))
        let camera = try #require(devices.cameras.first { $0.id == "simulated" })
        #expect(camera.backend == "simulated")
        #expect(camera.formats.contains { $0.pixels == "SRGGB12" })
        #expect(try FramelockProgram.run("devices").stdout.contains("camera simulated\n"))
    }

    @Test func `version and help are answers, not errors`() throws {
        let version = try FramelockProgram.run("--version")
        #expect(version.status == 0)
        #expect(version.stdout.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil)
        for verb in ["run", "check", "plan", "show", "verify", "devices"] {
            let help = try FramelockProgram.run(verb, "--help")
            #expect(help.status == 0)
            #expect(help.stdout.contains("USAGE: framelock \(verb)"))
        }
    }

    /// Lights that come on with an exposure leave no time to write what the next frame is to have.
    @Test(arguments: [
        "{for: {exposure: [2 ms, 4 ms]}, do: [{pulse: {line: a, with: exposure}}, {capture: 1}]}",
        "{for: {gain: [2x, 4x]}, do: [{bracket: {light: [a, b]}}]}",
        "{for: {lens: [0.2, 0.4]}, do: [{bracket: {light: [a, none]}}]}",
        "{bracket: {light: [a, b]}}", "{for: {exposure: [2 ms, 4 ms]}, do: [{capture: 2}]}",
    ])
    func `a run takes as long as its plan says, with lights and without`(step: String) throws {
        let folder = try TemporaryFolder()
        let recipe = try folder.recipe(
            """
            framelock: 1
            name: lit
            camera: {use: simulated, format: {pixels: GREY, size: 320x240, rate: 30 fps}}
            lock: {exposure: {duration: 2 ms, gain: 1.0x}, focus: {lens: 0.1}}
            lines: {a: {direction: out}, b: {direction: out}}
            sequence: [{repeat: 20, do: [\(step)]}]
            """)
        let planned = try JSONDecoder().decode(
            Planned.self,
            from: Data(try FramelockProgram.run("plan", recipe, "--json").stdout.utf8))
        let run = "\(folder.path)/run"
        #expect(try FramelockProgram.run("simulate", recipe, "--output", run).status == 0)
        let manifest = try JSONSerialization.jsonObject(
            with: Data(try folder.text("run/run.json").utf8))
        let session = try #require((manifest as? [String: Any])?["session"] as? [String: Any])
        let took = try #require(session["duration_ns"] as? Int)
        let estimate = try #require(planned.estimate.duration_ns)
        #expect(abs(Double(estimate) / Double(took) - 1) < 0.05, "\(estimate) ns, took \(took)")
    }
}
