import Foundation
import Testing

/// Stills from the recipe to the file, by the program as people have it, read by Pillow and tifffile.
@Suite(
    .enabled(
        if: ProcessInfo.processInfo.environment["FRAMELOCK_PYTHON"] != "off",
        "FRAMELOCK_PYTHON=off: nothing was read with Python"))
struct StillRunTests {
    private struct Counts: Decodable, Equatable {
        var jpg: Int
        var tif: Int
        var dng: Int
    }

    private struct Summary: Decodable {
        var verdict: String
        var stills: Int
        var missed_stills: Int
    }

    @Test func `a run's stills are there, open elsewhere and verify`() throws {
        let folder = try TemporaryFolder()
        let run = "\(folder.path)/run"
        let result = try FramelockProgram.run("run", "recipes/stills.yaml", "--output", run)
        try #require(result.status == 0, "\(result.stderr)")
        let shown = try FramelockProgram.run("show", run, "--json")
        let summary = try JSONDecoder().decode(Summary.self, from: Data(shown.stdout.utf8))
        #expect(summary.verdict == "trustworthy")
        #expect(summary.stills == 5 && summary.missed_stills == 0)
        let verified = try FramelockProgram.run("verify", run)
        #expect(verified.status == 0, "\(verified.stdout)")
        let script = FramelockProgram.repository.appending(path: "Tests/python/check_stills.py")
        let read = try FramelockProgram.Started(
            TestPython.with("PIL, tifffile, zarr"), [script.path, run]
        ).result()
        try #require(read.status == 0, "\(read.stderr)")
        #expect(
            try JSONDecoder().decode(Counts.self, from: Data(read.stdout.utf8))
                == Counts(jpg: 1, tif: 1, dng: 3))
    }

    @Test func `the same run makes the same DNGs, byte for byte but for the clock`() throws {
        let folder = try TemporaryFolder()
        var files: [[String: Data]] = []
        for name in ["one", "two"] {
            let result = try FramelockProgram.run(
                "run", "recipes/stills.yaml", "--output", "\(folder.path)/\(name)")
            try #require(result.status == 0, "\(result.stderr)")
            files.append(try folder.files("\(name)/stills"))
        }
        #expect(files[0].keys.sorted() == files[1].keys.sorted())
        for (name, bytes) in files[0] {
            let other = try #require(files[1][name])
            // Times are text of fixed length: everything else stays in its place.
            let different = zip(bytes, other).count { $0 != $1 }
            #expect(bytes.count == other.count && different < 100, "\(name): \(different)")
        }
    }
}
