import Devices
import Foundation
import Imaging
import Notation
import Recipes
import Simulation
import Testing
import Timebase

/// Same recipe, same camera, same rig: the same bytes, everywhere and always.
struct PlanIdentityTests {
    /// A recipe with much in it that a dictionary or a set could bring into disorder.
    static func bytes() throws(DiagnosticList) -> [UInt8] {
        let lines = (0..<20).map { "line_\($0): {chip: c\($0 % 3), line: \($0), direction: out}" }
        let text = PlanFixtures.recipe(
            """
              - for:
                  lens: {from: 0, to: 1, steps: 11}
                  gain: [1x, 2x, 4x]
                  exposure: [1 ms, 2 ms, 4 ms, 8 ms]
                do:
                  - pulse: {line: line_7, with: exposure}
                  - capture: 1
                  - pulse: {line: line_3, for: 1 ms}
              - bracket: {white_balance: [{temperature: 3000 K}, {red: 1.5, green: 1, blue: 2}]}
            """,
            lines: "{\(lines.joined(separator: ", "))}")
        return try PlanFixtures.compile(text).json.utf8(.canonical)
    }

    @Test func `two processes with different hash seeds make the same plan`() async throws {
        func other() async throws -> [UInt8] {
            let result = await #expect(
                processExitsWith: .success, observing: [\.standardOutputContent]
            ) {
                let bytes = try PlanIdentityTests.bytes()
                FileHandle.standardOutput.write(
                    Data("<\("seed".hashValue)>".utf8) + Data("[".utf8) + Data(bytes)
                        + Data("]END".utf8))
            }
            return try #require(result).standardOutputContent
        }
        let outputs = [try await other(), try await other()].map {
            String(decoding: $0, as: UTF8.self)
        }
        let own = String(decoding: try Self.bytes(), as: UTF8.self)
        for output in outputs { #expect(output.contains("[\(own)]END")) }
        let seeds = outputs.map { $0.split(separator: ">").first }
        #expect(seeds[0] != seeds[1], "hashing is not seeded here, so this test shows nothing")
    }

    @Test func `compiling again and again changes nothing`() throws {
        let first = try Self.bytes()
        for _ in 0..<5 { #expect(try Self.bytes() == first) }
    }

    @Test func `another camera, rig or recipe is another plan`() throws {
        let text = PlanFixtures.recipe("  - capture: 1", lines: "[strobe]")
        let plan = try PlanFixtures.compile(text, rig: PlanFixtures.rig)
        var camera = PlanFixtures.camera
        camera.exposure?.latencyFrames = 3
        let others = [
            try PlanFixtures.compile(text, profile: camera, rig: PlanFixtures.rig),
            try PlanFixtures.compile(
                text,
                rig: PlanFixtures.rig.replacingOccurrences(of: "GPIO27", with: "GPIO26")),
            try PlanFixtures.compile(
                text.replacingOccurrences(of: "8 ms", with: "9 ms"), rig: PlanFixtures.rig),
        ]
        let texts = ([plan] + others).map { $0.json.text(.canonical) }
        #expect(Set(texts).count == 4)
    }

    @Test func `spelling and comments are not part of a plan`() throws {
        let text = PlanFixtures.recipe("  - capture: 1")
        let same = text.replacingOccurrences(of: "8 ms", with: "8000us")
            .replacingOccurrences(of: "sequence:", with: "# The work.\nsequence:")
        #expect(same != text)
        #expect(
            try PlanFixtures.compile(same).json.utf8(.canonical)
                == PlanFixtures.compile(text).json.utf8(.canonical))
    }
}

/// The recipes, rigs and camera profiles of the project fit together.
struct ProjectPlanTests {
    private static let rigs = [
        "bench", "generic-x86-usb", "raspberry-pi-4", "raspberry-pi-5", "simulated",
    ]

    /// The profile that a choice leads to; the simulated camera's figures are those of the test camera.
    private static func profile(_ choice: CameraChoice) throws -> CameraProfile {
        guard let name = choice.profile else {
            #expect(choice.id == "simulated")
            var camera = PlanFixtures.camera
            camera.formats = []
            return camera
        }
        if name == CameraProfile.simulatedRawWithMetadata.name { return .simulatedRawWithMetadata }
        let source = try ProjectFiles.source("hardware/cameras/\(name).yaml")
        return try CameraProfileDecoder.decode(source)
    }

    @Test(arguments: try ProjectFiles.yamlFiles(in: ProjectFiles.recipes), rigs)
    func `every recipe compiles on every rig`(file: String, rigName: String) throws {
        let source = try ProjectFiles.source("recipes/\(file)")
        let rigSource = try ProjectFiles.source("hardware/rigs/\(rigName).yaml")
        do throws(DiagnosticList) {
            let rig = try RigDecoder.decode(rigSource)
            let recipe = try RecipeDecoder.decode(source)
            let choice = try CameraChoice(recipe.camera, rig: rig, in: source.name)
            guard let profile = try? Self.profile(choice) else {
                Issue.record("\(choice) has no profile in hardware/cameras")
                return
            }
            let plan = try PlanCompiler.compile(recipe, camera: choice, profile: profile, rig: rig)
                .plan
            let bytes = plan.camera.configuration.size.width
            let estimate = PlanEstimate(plan, bytesPerFrame: bytes)
            #expect(estimate.slots.map { $0 > 0 } ?? file.contains("endless"))
            RoundTrip.check(plan)
        } catch {
            Issue.record("\(DiagnosticRenderer(sources: [source, rigSource]).render(error))")
        }
    }

    @Test func `no rig is forgotten here`() throws {
        let folder = ProjectFiles.root.appending(path: "hardware/rigs")
        #expect(try ProjectFiles.yamlFiles(in: folder) == Self.rigs.map { "\($0).yaml" })
    }
}
