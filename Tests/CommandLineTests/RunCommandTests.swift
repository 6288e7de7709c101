import Foundation
import Testing

/// `framelock run` on the simulated camera, and what `show` and `verify` say of it afterwards.
@Suite struct RunCommandTests {
    private static let recipe = "recipes/first-light.yaml"

    private struct Summary: Decodable {
        var verdict: String
        var exit_code: Int
        var slots: Int
        var frames: Int
        var holes: Int
        var holes_by_reason: [String: Int]
        var recipe_sha256: String
        var plan_sha256: String
        var state: String
    }

    private static func summary(_ run: String) throws -> Summary {
        let shown = try FramelockProgram.run("show", run, "--json")
        #expect(shown.status == 0, "\(shown.stderr)")
        return try JSONDecoder().decode(Summary.self, from: Data(shown.stdout.utf8))
    }

    @Test func `a first run is trustworthy, says where it is, and verifies`() throws {
        let folder = try TemporaryFolder()
        let run = "\(folder.path)/run"
        let result = try FramelockProgram.run("run", Self.recipe, "--output", run)
        #expect(result.status == 0)
        // Data goes to standard output, and a run has none.
        #expect(result.stdout.isEmpty)
        for word in ["trustworthy", "16 frames, 0 holes", run, "framelock show"] {
            #expect(result.stderr.contains(word), "\(result.stderr)")
        }
        let summary = try Self.summary(run)
        #expect(summary.verdict == "trustworthy" && summary.exit_code == 0)
        #expect(summary.slots == 16 && summary.frames == 16 && summary.holes == 0)
        #expect(summary.state == "finalised")
        let verified = try FramelockProgram.run("verify", run)
        #expect(verified.status == 0)
        #expect(verified.stdout == "\(run): consistent (16 slots, 16 frames)\n")
        let recipe = FramelockProgram.repository.appending(path: Self.recipe)
        #expect(try folder.files("run")["recipe.yaml"] == Data(contentsOf: recipe))
    }

    @Test func `two runs with one seed give the same frames and ledgers`() throws {
        let folder = try TemporaryFolder()
        for (name, seed) in [("one", "7"), ("two", "7"), ("other", "8")] {
            let result = try FramelockProgram.run(
                "run", Self.recipe, "--seed", seed, "--simulate-drops", "20",
                "--output", "\(folder.path)/\(name)")
            #expect([0, 80].contains(result.status), "\(result.stderr)")
        }
        let one = try folder.files("one")
        let two = try folder.files("two")
        let other = try folder.files("other")
        let frames = one.keys.filter { $0.hasPrefix("frames.zarr/") }
        // Two descriptions and at least one shard.
        #expect(frames.count >= 3)
        #expect(one.keys.sorted() == two.keys.sorted())
        for name in frames + ["ledger.csv", "plan.json"] {
            #expect(one[name] == two[name], "\(name) differs")
        }
        // The calendar goes on between two runs, all other events are the same.
        let events = try ["one", "two"].map { name in
            try folder.text("\(name)/events.jsonl").split(separator: "\n")
                .filter { !$0.contains("\"clock-sample\"") }
        }
        #expect(events[0] == events[1] && !events[0].isEmpty)
        #expect(one["ledger.csv"] != other["ledger.csv"])
        #expect(frames.contains { one[$0] != other[$0] })
        #expect(one["plan.json"] == other["plan.json"])
    }

    @Test func `lost frames are holes, and the exit code says so`() throws {
        let folder = try TemporaryFolder()
        let run = "\(folder.path)/run"
        let result = try FramelockProgram.run(
            "run", "recipes/first-light.yaml", "--simulate-drops", "30", "--seed", "3",
            "--output", run)
        #expect(result.status == 80)
        let summary = try Self.summary(run)
        #expect(summary.verdict == "missing-frames" && summary.exit_code == 80)
        #expect(summary.holes > 0 && summary.frames + summary.holes == 16)
        #expect(summary.holes_by_reason.values.reduce(0, +) == summary.holes)
        let ledger = try folder.text("run/ledger.csv").split(separator: "\n").dropFirst()
        #expect(ledger.count == 16)
        #expect(ledger.filter { $0.contains(",hole,dropped-by-") }.count == summary.holes)
        #expect(try FramelockProgram.run("verify", run).status == 0)
    }

    @Test func `a run never overwrites anything`() throws {
        let folder = try TemporaryFolder()
        let run = "\(folder.path)/run"
        #expect(try FramelockProgram.run("run", Self.recipe, "--output", run).status == 0)
        let before = try folder.files("run")
        let again = try FramelockProgram.run("run", Self.recipe, "--output", run, "--seed", "9")
        #expect(again.status == 74)
        #expect(again.stderr.contains(run) && again.stderr.contains("exists"))
        #expect(try folder.files("run") == before)

        try Data("mine".utf8).write(to: folder.url.appending(path: "file"))
        let file = try FramelockProgram.run(
            "run", Self.recipe, "--output", "\(folder.path)/file")
        #expect(file.status == 74)
        #expect(try folder.text("file") == "mine")
    }

    @Test func `without a name a run is called after its time and recipe`() throws {
        let folder = try TemporaryFolder()
        let result = try FramelockProgram.run(
            "run", Self.recipe, "--runs-in", "\(folder.path)/runs")
        #expect(result.status == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/runs")
        let name = try #require(names.first)
        #expect(names.count == 1)
        #expect(name.wholeMatch(of: /\d{4}-\d\d-\d\dT\d{6}Z-first-light/) != nil, "\(name)")
    }

    @Test func `show tells people what --json tells programs`() throws {
        let folder = try TemporaryFolder()
        let run = "\(folder.path)/run"
        _ = try FramelockProgram.run("run", Self.recipe, "--output", run)
        let shown = try FramelockProgram.run("show", run)
        #expect(shown.status == 0)
        let verdict =
            "verdict   trustworthy (exit code 0); exposure 8 proven, 8 by read-back, of 16 frames; gain by read-back only; "
        #expect(shown.stdout.hasPrefix(verdict))
        #expect(shown.stdout.contains("16 frames, 0 holes"))
        #expect(shown.stdout.contains("\(run)/frames.zarr"))
    }

    @Test func `a folder that is no run is said to be none`() throws {
        let folder = try TemporaryFolder()
        for verb in ["show", "verify"] {
            let result = try FramelockProgram.run(verb, folder.path)
            #expect(result.status == 74)
            #expect(result.stderr.contains("is this the folder of a run?"))
        }
    }
}
