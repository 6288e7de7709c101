import Foundation
import Testing

/// `framelock simulate --scene`, and the faults that last: what was asked for is in the record, what was true beside it.
@Suite struct SceneCommandTests {
    private static let recipe = """
        framelock: 1
        name: scene
        camera: {use: simulated, format: {pixels: Y12, size: 320x240, rate: 30 fps}}
        lock: {exposure: {duration: 8 ms, gain: 1.0x}}
        sequence:
          - repeat: 12
            do:
              - bracket: {exposure: [2 ms, 4 ms, 8 ms]}
              - capture: 2
        """

    private func simulate(_ folder: TemporaryFolder, _ name: String, _ arguments: String...) throws
        -> FramelockProgram.Result
    {
        try FramelockProgram.run(
            ["simulate", try folder.recipe(Self.recipe), "--output", "\(folder.path)/\(name)"]
                + arguments)
    }

    private func truth(_ faults: String, _ options: String...) throws -> [SimulatedRun.Object] {
        let folder = try TemporaryFolder()
        let result = try FramelockProgram.run(
            [
                "simulate", try folder.recipe(Self.recipe), "--no-pixels", "--faults", faults,
                "--output", "\(folder.path)/run",
            ] + options)
        #expect(result.status == 0 || (80...84).contains(result.status), "\(result.stderr)")
        return try folder.text("run/truth.jsonl").split(separator: "\n").compactMap {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? SimulatedRun.Object
        }
    }

    private func exposures(_ truth: [SimulatedRun.Object]) -> [Int64] {
        truth.compactMap { ($0["exposure_time_absolute"] as? NSNumber)?.int64Value }
    }

    @Test func `one seed and one scene make one record, which names the scene`() throws {
        let folder = try TemporaryFolder()
        let scene =
            "brightness=50.5%,drift=10%/s,flicker=100.5Hz:20%,jump=5%,moving=30%,auto-exposure"
        for (name, seed) in [("one", "7"), ("two", "7"), ("other", "8")] {
            let result = try simulate(folder, name, "--seed", seed, "--scene", scene)
            #expect(result.status == 0 || (80...84).contains(result.status), "\(result.stderr)")
        }
        let one = try folder.files("one")
        #expect(try folder.files("two") == one)
        #expect(try folder.files("other")["truth.jsonl"] != one["truth.jsonl"])
        let manifest = try JSONSerialization.jsonObject(with: try #require(one["run.json"]))
        let host = (manifest as? [String: Any])?["host"] as? [String: Any]
        #expect(host?["scene"] as? String == scene && host?["faults"] as? String == "")
        #expect(try FramelockProgram.run("verify", "\(folder.path)/one").status == 0)
    }

    @Test func `faults that have nothing to act on are named`() throws {
        let folder = try TemporaryFolder()
        let result = try simulate(
            folder, "run", "--no-pixels", "--faults",
            "bounce=1%,metadata-late=1%,understated-pixel-rate,lost-frame-end=9%,"
                + "lost-write-run=3,drop=1%")
        let warned = result.stderr.split(separator: "\n").filter { $0.contains("has no effect") }
        #expect(warned.count == 5 && !result.stderr.contains("`drop`"), "\(result.stderr)")
        for fault in ["understated-pixel-rate", "lost-frame-end"] {
            #expect(try !folder.text("run/truth.jsonl").contains(fault))
        }
    }

    /// What the ledger measured, against the truth beside it: brightness is light times exposure.
    @Test func `pixels, ledger and truth agree on the light of a dim scene that drifts`() throws {
        let folder = try TemporaryFolder()
        _ = try simulate(folder, "run", "--scene", "brightness=20%,drift=50%/s")
        let rows = try folder.text("run/ledger.csv").split(separator: "\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        let mean = try #require(rows[0].firstIndex(of: "luma_mean"))
        let number = try #require(rows[0].firstIndex(of: "device_sequence"))
        var lights: Set<Int64> = []
        for line in try folder.text("run/truth.jsonl").split(separator: "\n") {
            let truth = try #require(
                try JSONSerialization.jsonObject(with: Data(line.utf8)) as? SimulatedRun.Object)
            let sequence = "\(try SimulatedRun.number(truth["sequence"]))"
            guard let row = rows.first(where: { $0[number] == sequence }) else { continue }
            let light = try SimulatedRun.number(truth["light"])
            lights.insert(light)
            // 0.08 codes of 12 bits in a microsecond of the usual light.
            let exposure = try SimulatedRun.number(truth["exposure_time_absolute"])
            let expected = 0.08 * Double(exposure) * Double(light) / 1e6
            let measured = try #require(Double(row[mean]))
            #expect(abs(measured / expected - 1) < 0.02, "frame \(sequence)")
        }
        #expect(lights.count > 30)
    }

    @Test func `a scene with mistakes says where they are and how it is written`() throws {
        let folder = try TemporaryFolder()
        let list =
            "drfit=1%/s,drift=1%,flicker=100Hz,brightness=0%,brightness=1000.0001%,jump=101%,auto-exposure=1"
        let result = try simulate(folder, "run", "--scene", list)
        #expect(result.status == 64)
        for words in [
            "--scene:1:1: error: there is no scene `drfit`", "did you mean `drift`?",
            "--scene:1:12: error: `drift=1%` is not how `drift` is given",
            "write it as `drift=10%/s`", "write it as `flicker=100Hz:20%`",
            "`brightness=0%` is not how", "`brightness=1000.0001%` is not how",
            "`jump=101%` is not how", "`auto-exposure=1` is not how",
        ] {
            #expect(result.stderr.contains(words), "\(words) in \(result.stderr)")
        }
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/run"))
        let faults = try simulate(folder, "run", "--faults", "ignored-control=focus,reaction=2")
        #expect(faults.status == 64)
        #expect(faults.stderr.contains("write it as `ignored-control=exposure`"))
        #expect(faults.stderr.contains("write it as `reaction=+2`"))
        let help = try FramelockProgram.run("simulate", "--help").stdout
        for name in [
            "brightness=", "drift=", "flicker=", "jump=", "moving=", "auto-exposure",
            "ignored-control=", "reaction=+2", "jitter=",
        ] {
            #expect(help.contains("\n  \(name)"), "\(name)")
        }
    }

    @Test func `the truth says what a camera had that ignored its exposure`() throws {
        let truth = try truth("ignored-control=exposure")
        let told = truth.filter { $0["fault"] as? String == "ignored-control" }
        #expect(told.count == 1)
        #expect(told.first?["control"] as? String == "exposure_time_absolute")
        let code = try SimulatedRun.number(told.first?["code"])
        #expect(Set(exposures(truth)) == [code])
        #expect(Set(exposures(try self.truth("drop=0%"))) == [2_000, 4_000, 8_000])
        #expect(truth.allSatisfy { $0["light"] == nil })
    }

    @Test func `a wrong latency shifts what frames had, and the truth has the real one`() throws {
        let usual = exposures(try truth("drop=0%"))
        let slow = try truth("reaction=+2")
        #expect(slow.contains { $0["fault"] as? String == "reaction" })
        // The first change: from the lock's exposure, which was written before the start.
        let first = try #require(usual.firstIndex { $0 != usual[0] })
        #expect(exposures(slow).firstIndex { $0 != usual[0] } == first + 2)
    }

    /// ``SimulatedRun`` verifies each: the frames are counted once more from their pixels.
    @Test func `a run says how many of its frames are saturated, and ends 81 beyond its limit`()
        throws
    {
        let recipe = """
            framelock: 1
            name: saturated
            camera: {use: simulated, format: {pixels: Y12, size: 320x240, rate: 30 fps}}
            lock: {exposure: {duration: 8 ms, gain: 2.0x}}
            sequence: [{bracket: {exposure: [2 ms, 30 ms, 4 ms, 30 ms]}}]
            require: {saturated_frames: 2}
            """
        let bright = ["--seed", "4", "--scene", "brightness=300%"]
        let allowed = try SimulatedRun(recipe, "", bright)
        let saturated = allowed.frames.count {
            $0["saturated_fraction"].flatMap(Double.init).map { $0 >= 0.01 } ?? false
        }
        #expect(saturated == 2 && allowed.status == 0)
        let beyond = try SimulatedRun(
            recipe.replacing("saturated_frames: 2", with: "saturated_frames: 1"), "", bright)
        #expect(beyond.status == 81)
    }

    @Test func `jitter is in the timestamps, and the exposures are where they were`() throws {
        let usual = try truth("drop=0%")
        let late = try truth("jitter=9ms")
        func number(_ line: SimulatedRun.Object, _ name: String) -> Int64? {
            (line[name] as? NSNumber)?.int64Value
        }
        let delays = late.compactMap { line -> Int64? in
            guard let end = number(line, "exposure_end_ns") else { return nil }
            return number(line, "raw_timestamp_ns").map { $0 - end }
        }
        #expect(delays.allSatisfy { (-1_000...9_000_000).contains($0) })
        #expect(delays.count > 30 && (delays.max() ?? 0) > 7_000_000)
        #expect((delays.min() ?? 0) < 2_000_000)
        let ends = [usual, late].map { $0.compactMap { number($0, "exposure_end_ns") } }
        #expect(zip(ends[0], ends[1]).allSatisfy { $0 == $1 })
    }
}
