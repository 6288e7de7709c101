import Foundation
import Testing

/// What `framelock verify` makes of runs that somebody changed afterwards.
@Suite struct TamperedRunTests {
    private static func recorded(in folder: TemporaryFolder) throws -> URL {
        let run = folder.url.appending(path: "run")
        let result = try FramelockProgram.run(
            "run", "recipes/first-light.yaml", "--simulate-drops", "20", "--output", run.path)
        try #require([0, 80].contains(result.status), "\(result.stderr)")
        return run
    }

    @Test func `one changed bit in one pixel is found`() throws {
        let folder = try TemporaryFolder()
        let run = try Self.recorded(in: folder)
        let shard = run.appending(path: "frames.zarr/0/c/0/0/0")
        var bytes = try Data(contentsOf: shard)
        // The last pixels of the last frame.
        bytes[bytes.count - 4096 + 17] ^= 1
        try bytes.write(to: shard)
        let verified = try FramelockProgram.run("verify", run.path)
        #expect(verified.status == 65)
        #expect(verified.stdout.contains("has another CRC-32C than the row"))
    }

    @Test(arguments: [
        "ledger.csv", "events.jsonl", "plan.json", "recipe.yaml", "frames.zarr/0/zarr.json",
    ])
    func `one changed digit in any file is found, and the file is named`(name: String) throws {
        let folder = try TemporaryFolder()
        let run = try Self.recorded(in: folder)
        let file = run.appending(path: name)
        var bytes = try Data(contentsOf: file)
        let place = try #require(bytes.lastIndex(of: UInt8(ascii: "1")))
        bytes[place] = UInt8(ascii: "2")
        try bytes.write(to: file)
        let verified = try FramelockProgram.run("verify", run.path)
        #expect(verified.status == 65, "\(verified.stdout)\(verified.stderr)")
        #expect((verified.stdout + verified.stderr).contains(name))
    }

    @Test func `a better verdict than the run's is found`() throws {
        let folder = try TemporaryFolder()
        let run = folder.url.appending(path: "run")
        let result = try FramelockProgram.run(
            "run", "recipes/first-light.yaml", "--simulate-drops", "50", "--output", run.path)
        try #require(result.status == 80)
        let manifest = run.appending(path: "run.json")
        let text = try String(contentsOf: manifest, encoding: .utf8)
            .replacing("\"missing-frames\"", with: "\"trustworthy\"")
            .replacing("\"exit_code\": 80", with: "\"exit_code\": 0")
        try Data(text.utf8).write(to: manifest)
        let verified = try FramelockProgram.run("verify", run.path)
        #expect(verified.status == 65)
        #expect(verified.stdout.contains("run.json: `verdict` is"))
    }

    @Test func `a lost shard is found`() throws {
        let folder = try TemporaryFolder()
        let run = try Self.recorded(in: folder)
        try FileManager.default.removeItem(at: run.appending(path: "frames.zarr/0/c/0/0/0"))
        let verified = try FramelockProgram.run("verify", run.path, "--json")
        #expect([65, 74].contains(verified.status))
        #expect(verified.stdout.contains("\"consistent\": false"))
    }
}
