import Foundation
import Testing

@testable import Records

/// A run that was cut while its folder was made.
struct CutAtStartTests {
    /// The files of a run that has begun, in the order in which they are made, without those of the frames.
    private static let files = [
        "recipe.yaml", "plan.json", "ledger.csv", "events.jsonl", "run.json",
    ]

    private static func begun(_ folder: TemporaryFolder) throws -> String {
        let path = folder.path + "/run"
        _ = try SampleRun(Sample.plan(), at: path)
        return path
    }

    @Test func `a run that has just begun is not finalised`() throws {
        let folder = try TemporaryFolder()
        let report = try RunVerifier.verify(Self.begun(folder), scope: [])
        #expect(report.problems == [])
        #expect(report.exitCode == 84)
    }

    @Test(arguments: 0..<5, ["missing", "empty", "cut"])
    func `a run that was cut at any of its first files is not finalised`(
        place: Int, end: String
    ) throws {
        let folder = try TemporaryFolder()
        let path = try Self.begun(folder)
        let manager = FileManager.default
        // The manifest comes by a name of its own, and whole; what comes after the cut is not there yet.
        for name in Self.files[(place + 1)...] { try manager.removeItem(atPath: "\(path)/\(name)") }
        if place < 4 { try manager.removeItem(atPath: "\(path)/frames.zarr") }
        let last = "\(path)/\(Self.files[place])"
        let bytes = try Data(contentsOf: URL(filePath: last))
        try manager.removeItem(atPath: last)
        let name = place == 4 ? last + ".new" : last
        if end != "missing" {
            try Data(end == "empty" ? Data() : bytes.dropLast(3)).write(to: URL(filePath: name))
        }
        let report = try RunVerifier.verify(path, scope: [])
        #expect(report.problems == [])
        #expect(report.exitCode == 84, "\(report.text)")
        #expect(report.text.contains("not finalised"))
    }

    @Test func `a run that was cut right after its folder was made is not finalised`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/run"
        _ = try RunFolder.create(at: path)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["run"])
        #expect(try RunVerifier.verify(path, scope: []).exitCode == 84)
        // It is still nobody else's.
        #expect(throws: StorageError.self) { try RunFolder.create(at: path) }
    }

    @Test func `a folder of other things is no run that was cut`() throws {
        let folder = try TemporaryFolder()
        #expect(throws: UnreadableRun.self) { try RunVerifier.verify(folder.path, scope: []) }
        try Data("x".utf8).write(to: URL(filePath: folder.path + "/recipe.yaml"))
        #expect(throws: UnreadableRun.self) { try RunVerifier.verify(folder.path, scope: []) }
    }
}
