import Foundation
import Testing

/// `framelock simulate`: the same seed makes the same record, and the truth beside it says what went wrong.
@Suite struct SimulateCommandTests {
    private static let recipe = """
        framelock: 1
        name: simulated
        camera: {use: simulated, format: {pixels: GREY, size: 320x240, rate: 30 fps}}
        lock: {exposure: {duration: 8 ms, gain: 2.0x}}
        sequence:
          - repeat: 30
            do:
              - bracket: {exposure: [1 ms, 2 ms, 4 ms]}
              - capture: 2
        """

    /// A recipe with a light whose output an input sees.
    private static func sensedLight(exposure: String, sequence: String) -> String {
        """
        framelock: 1
        name: light
        camera: {use: simulated, format: {pixels: Y12, size: 320x240, rate: 30 fps}}
        lock: {exposure: {duration: \(exposure), gain: 1.0x}}
        lines:
          lamp: {chip: simulated, line: 1, direction: out, sensed_by: seen}
          seen: {chip: simulated, line: 2, direction: in, edge: both}
        sequence: \(sequence)
        """
    }

    private struct Line: Decodable {
        var fate: String?
        var fault: String?
    }

    private func simulate(
        _ folder: TemporaryFolder, _ name: String, _ arguments: String...
    ) throws -> FramelockProgram.Result {
        try FramelockProgram.run(
            ["simulate", try folder.recipe(Self.recipe), "--output", "\(folder.path)/\(name)"]
                + arguments)
    }

    private func reasons(_ folder: TemporaryFolder, _ run: String) throws -> [String: Int] {
        try folder.text("\(run)/ledger.csv").split(separator: "\n").dropFirst()
            .map { $0.split(separator: ",", omittingEmptySubsequences: false)[3] }
            .reduce(into: [:]) { $0[String($1), default: 0] += 1 }
    }

    private func truth(_ folder: TemporaryFolder, _ run: String) throws -> [String: Int] {
        try folder.text("\(run)/truth.jsonl").split(separator: "\n").reduce(into: [:]) {
            let line = try JSONDecoder().decode(Line.self, from: Data($1.utf8))
            $0[line.fate ?? line.fault ?? "", default: 0] += 1
        }
    }

    @Test func `one seed makes one record, byte for byte`() throws {
        let folder = try TemporaryFolder()
        let faults = ["--faults", "drop=2%,late-write=10%,damage=1%,disk-stall=500ms@1s"]
        for (name, seed) in [("one", "7"), ("two", "7"), ("other", "8")] {
            let result = try simulate(folder, name, "--seed", seed, faults[0], faults[1])
            #expect(result.status == 80, "\(result.stderr)")
            #expect(!result.stderr.contains("bytes of its stack"), "more than three quarters of it")
        }
        let (one, two) = (try folder.files("one"), try folder.files("two"))
        #expect(one == two)
        #expect(one["truth.jsonl"] != nil && one["run.json"] != nil)
        #expect(try folder.files("other")["truth.jsonl"] != one["truth.jsonl"])
        #expect(try FramelockProgram.run("verify", "\(folder.path)/one").status == 0)
    }

    @Test func `a pool that a stalled disk fills leaves holes, and the truth says why`() throws {
        let folder = try TemporaryFolder()
        let result = try simulate(folder, "run", "--faults", "disk-stall=4s@1s")
        #expect(result.status == 80, "\(result.stderr)")
        #expect(try reasons(folder, "run")["buffers-full", default: 0] > 0)
        #expect(try truth(folder, "run")["disk-stall"] == 1)
    }

    @Test func `a disk that is full ends the run`() throws {
        let folder = try TemporaryFolder()
        let result = try simulate(folder, "run", "--faults", "disk-full@1s")
        #expect(result.status == 84, "\(result.stderr)")
        #expect(try reasons(folder, "run")["storage-failed", default: 0] > 0)
        #expect(try FramelockProgram.run("verify", "\(folder.path)/run").status == 0)
    }

    @Test func `a disk that refuses the last frame ends the run too`() throws {
        let folder = try TemporaryFolder()
        let one = try folder.recipe(
            """
            framelock: 1
            name: one
            camera: {use: simulated, format: {pixels: GREY, size: 320x240, rate: 30 fps}}
            lock: {exposure: {duration: 8 ms, gain: 2.0x}}
            sequence: [{capture: 1}]
            """)
        let result = try FramelockProgram.run(
            "simulate", one, "--output", "\(folder.path)/run", "--faults", "disk-full@0s")
        #expect(result.status == 84, "\(result.stderr)")
        #expect(result.stderr.contains("after 1 slot\n"), "\(result.stderr)")
        #expect(try FramelockProgram.run("verify", "\(folder.path)/run").status == 0)
    }

    /// Edges are lost at random: with these seeds that of the last switch of all.
    @Test(arguments: ["2026113091016", "2026113091059"])
    func `the last switch of an output is judged as every other one`(seed: String) throws {
        let run = try SimulatedRun(
            Self.sensedLight(
                exposure: "8 ms", sequence: "[{repeat: 20, do: [{bracket: {light: [none, lamp]}}]}]"
            ),
            "edge-loss=3%", "--seed", seed)
        let switches = run.event("output-set").count
        #expect(switches == 40 && run.event("output-sensed").count == 39)
        #expect(run.event("output-unsensed").count == 1 && run.status == 82)
    }

    /// A camera that is gone is ready at every turn, and virtual time stands still meanwhile: while it records, and
    /// while the end of the run waits for what inputs see.
    @Test(arguments: [
        "unplug@0.05s", "unplug@0.105s", "unplug@0.15s", "stop@0.05s", "disk-full@0s",
    ])
    func `a run that ends does not wait for ever for edges that are lost`(fault: String) throws {
        let run = try SimulatedRun(
            Self.sensedLight(
                exposure: "16 ms",
                sequence: "[{pulse: {line: lamp, with: exposure}}, {capture: 1}]"),
            "\(fault),edge-loss=100%")
        #expect(run.status != 0 && run.event("output-sensed").isEmpty)
        let (switched, unseen) = (run.event("output-set").count, run.event("output-unsensed").count)
        #expect(fault.hasPrefix("unplug") ? unseen <= switched : unseen == switched)
    }

    @Test func `a run without pixels says so and is consistent`() throws {
        let folder = try TemporaryFolder()
        let result = try simulate(folder, "run", "--no-pixels", "--faults", "stop@2s")
        #expect(result.status == 130, "\(result.stderr)")
        #expect(result.stderr.contains("without pixels"))
        let files = try folder.files("run")
        #expect(!files.keys.contains { $0.hasPrefix("frames.zarr") })
        #expect(try folder.text("run/run.json").contains(#""format": "none""#))
        #expect(try FramelockProgram.run("verify", "\(folder.path)/run").status == 0)
    }

    @Test func `a list with mistakes says where they are and what was meant`() throws {
        let folder = try TemporaryFolder()
        let result = try simulate(
            folder, "run", "--faults",
            "drop=1%,lte-write=5%,disk-stall=2s,unplug@3xs,stop=1%,drop=2%")
        #expect(result.status == 64)
        for words in [
            "--faults:1:9: error: there is no fault `lte-write`", "did you mean `late-write`?",
            "--faults:1:22: error: `disk-stall=2s` is not how `disk-stall` is given",
            "write it as `disk-stall=2s@30s`", "--faults:1:36: error: `xs` is not a unit",
            "write it as `stop@30s`", "--faults:1:55: error: `drop` is given twice",
        ] {
            #expect(result.stderr.contains(words), "\(result.stderr)")
        }
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/run"))
    }

    @Test func `stills have no place in a run without pixels`() throws {
        let folder = try TemporaryFolder()
        let recipe = try folder.recipe(
            Self.recipe.replacing("capture: 2", with: "capture: {count: 2, still: jpeg}"))
        let result = try FramelockProgram.run(
            "simulate", recipe, "--no-pixels", "--output", "\(folder.path)/run")
        #expect(result.status == 64, "\(result.stderr)")
        #expect(result.stderr.contains("still"))
    }
}
