import Foundation
import Testing

/// `framelock runs`: what lies in a folder of runs.
struct RunsCommandTests {
    private struct Run: Decodable, Equatable {
        var path: String
        var verdict: String
        var frames: Int?
        var frame_bytes: Int?
        var exit_code: Int?
        var recipe: String?
    }

    private struct Listing: Decodable {
        var folder: String
        var runs: [Run]
    }

    private func list(_ folder: String, _ options: String...) throws -> [Run] {
        let result = try FramelockProgram.run(["runs", folder, "--json"] + options)
        try #require(result.status == 0, "\(result.stderr)")
        let listing = try JSONDecoder().decode(Listing.self, from: Data(result.stdout.utf8))
        #expect(listing.folder == folder)
        return listing.runs
    }

    /// A bracket, three frames of it that were stopped, one that is cut, one that is no manifest, and what is no run.
    private func makeRuns(in folder: TemporaryFolder) throws -> String {
        let runs = "\(folder.path)/runs"
        for (seed, options) in [("1", []), ("2", ["--faults", "stop@100ms"]), ("3", [])] {
            _ = try FramelockProgram.run(
                [
                    "simulate", "recipes/first-light.yaml", "--seed", seed, "--output",
                    "\(runs)/seed-\(seed)",
                ] + options)
        }
        let manifest = "\(runs)/seed-3/run.json"
        let text = try String(contentsOfFile: manifest, encoding: .utf8)
        try text.replacing("\"state\": \"finalised\"", with: "\"state\": \"running\"").write(
            toFile: manifest, atomically: true, encoding: .utf8)
        for (name, file) in [("broken", "run.json"), ("notes", "notes.txt")] {
            try FileManager.default.createDirectory(
                atPath: "\(runs)/\(name)", withIntermediateDirectories: false)
            try "x".write(toFile: "\(runs)/\(name)/\(file)", atomically: true, encoding: .utf8)
        }
        return runs
    }

    @Test func `runs are listed with their verdicts, the newest first`() throws {
        let folder = try TemporaryFolder()
        let runs = try makeRuns(in: folder)
        let found = try list(runs)
        #expect(
            found.map(\.path) == [
                "\(runs)/seed-3", "\(runs)/seed-2", "\(runs)/seed-1", "\(runs)/broken",
            ])
        #expect(
            found.map(\.verdict) == ["not-finalised", "partial", "trustworthy", "unreadable"])
        #expect(found[2].frames == 16 && found[2].exit_code == 0)
        #expect(found[2].frame_bytes == 16 * 640 * 480 * 2)
        #expect(found[0].frames == nil && found[0].recipe == "first-light")
        let table = try FramelockProgram.run("runs", runs).stdout.split(separator: "\n")
        #expect(table.count == 5 && table[3].contains("trustworthy"))
        #expect(table[3].contains("16 of 16") && table[3].hasSuffix("seed-1"))
    }

    @Test func `runs are searched by verdict, words and time`() throws {
        let folder = try TemporaryFolder()
        let runs = try makeRuns(in: folder)
        #expect(try list(runs, "--verdict", "partial").map(\.path) == ["\(runs)/seed-2"])
        #expect(try list(runs, "--match", "no such sample").isEmpty)
        #expect(try list(runs, "--match", "SEED-1").map(\.path) == ["\(runs)/seed-1"])
        #expect(try list(runs, "--match", "first-light").count == 3)
        #expect(try list(runs, "--since", "2020").count == 3)
        #expect(try list(runs, "--since", "2100-01-01").isEmpty)
        #expect(try FramelockProgram.run("runs", runs, "--since", "yesterday").status == 64)
        #expect(try FramelockProgram.run("runs", runs, "--verdict", "good").status == 64)
        #expect(try FramelockProgram.run("runs", "\(folder.path)/none").status == 74)
    }
}
