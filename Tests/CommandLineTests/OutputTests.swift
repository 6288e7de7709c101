import Foundation
import TestSupport
import Testing

/// What the program prints for other programs, and what becomes of it when nobody can take it.
struct OutputTests {
    private static let recipe = "recipes/first-light.yaml"

    private struct Checked: Decodable {
        struct Diagnostic: Decodable {
            var id: String
            var severity: String
        }
        struct Estimate: Decodable {
            var slots: Int
            var warmUpEdges: Int

            enum CodingKeys: String, CodingKey {
                case slots
                case warmUpEdges = "warm_up_edges"
            }
        }
        var recipe: String
        var good: Bool
        var diagnostics: [Diagnostic]
        var estimate: Estimate?
    }

    @Test func `run --json prints what show --json prints, and nothing else`() throws {
        let folder = try TemporaryFolder()
        let run = "\(folder.path)/run"
        let result = try FramelockProgram.run("run", Self.recipe, "--json", "--output", run)
        #expect(result.status == 0)
        #expect(result.stdout == (try FramelockProgram.run("show", run, "--json").stdout))
        #expect(result.stdout.contains("\"path\": \"\(run)\""))
        #expect(result.stderr.contains("trustworthy"))
    }

    @Test func `a command that does not exist is answered with the nearest that does`() throws {
        let result = try FramelockProgram.run("verfy", "run")
        #expect(result.status == 64)
        #expect(result.stderr.contains("there is no command `verfy`: did you mean `verify`?"))
        #expect(try FramelockProgram.run("xyzzy").stderr.contains("choose from check, plan, run"))
    }

    private struct Failed: Decodable {
        struct Problem: Decodable {
            var exit_code: Int
            var message: String
            var diagnostics: [Checked.Diagnostic]
        }
        var error: Problem
    }

    @Test func `with --json a failure is an object with its exit code, message and diagnostics`()
        throws
    {
        let folder = try TemporaryFolder()
        let recipe = try folder.recipe("framelock: 1\nname: nothing\nlok: {}\n")
        let calls = [
            (["run", recipe, "--json"], 65), (["plan", recipe, "--json"], 65),
            (["show", folder.path, "--json"], 74), (["verify", folder.path, "--json"], 74),
            (["camera", "status", "--camera", "usb:none", "--json"], 69),
            (["check", "--json"], 64), (["run", recipe, "--nonsense", "--json"], 64),
            (["run", Self.recipe, "--zoom", "0.5,0.5", "--json"], 64),
            (["run", Self.recipe, "--preview", folder.path, "--zoom-factor", "2", "--json"], 64),
        ]
        for (words, status) in calls {
            let result = try FramelockProgram.run(words)
            #expect(result.status == status, "\(words): \(result.stderr)")
            let failed = try JSONDecoder().decode(Failed.self, from: Data(result.stdout.utf8))
            #expect(failed.error.exit_code == status)
            #expect(result.stderr.contains(failed.error.message))
            #expect(failed.error.diagnostics.isEmpty == (status != 65), "\(words)")
        }
    }

    @Test func `a slot or a row that a run does not have is a wrong request`() throws {
        let folder = try TemporaryFolder()
        let run = "\(folder.path)/run"
        _ = try FramelockProgram.run("run", Self.recipe, "--output", run)
        for (words, message) in [
            (["--slot", "0", "--rows", "99999"], "there is no row 99999"),
            (["--slot", "0", "--rows", "1,,2"], "--rows takes row numbers"),
            (["--slot", "99999"], "has no slot 99999"),
        ] {
            let result = try FramelockProgram.run(["show", run] + words)
            #expect(result.status == 64, "\(result.stderr)")
            #expect(result.stderr.contains(message), "\(result.stderr)")
        }
    }

    @Test func `report prints a text, and writes a page whole or not at all`() throws {
        let folder = try TemporaryFolder()
        let run = "\(folder.path)/run"
        _ = try FramelockProgram.run("run", Self.recipe, "--output", run)
        let text = try FramelockProgram.run("report", run)
        #expect(text.status == 0 && text.stderr.isEmpty)
        #expect(text.stdout.hasPrefix("first-light: trustworthy (exit code 0)\n"))
        let page = "\(folder.path)/page.html"
        try Data("before".utf8).write(to: URL(fileURLWithPath: page))
        #expect(try FramelockProgram.run("report", run, "--html", page).status == 0)
        let written = try String(contentsOfFile: page, encoding: .utf8)
        #expect(written.hasPrefix("<!DOCTYPE html>") && written.hasSuffix("</html>\n"))
        let lost = try FramelockProgram.run("report", run, "--html", "\(folder.path)/no/page.html")
        #expect(lost.status == 74)
        #expect(lost.stderr.contains("can't write \(folder.path)/no/page.html"))
    }

    @Test func `check --json has the estimate of a good recipe`() throws {
        let result = try FramelockProgram.run("check", Self.recipe, "--json")
        #expect(result.status == 0)
        let checked = try JSONDecoder().decode(Checked.self, from: Data(result.stdout.utf8))
        #expect(checked.good && checked.diagnostics.isEmpty && checked.recipe == Self.recipe)
        #expect(checked.estimate?.slots == 16)
    }

    private struct Space: Decodable {
        struct Disk: Decodable {
            var bytes: Int64?
            var bytesPerSecond: Int64?
            var freeBytes: Int64?
            var fits: Bool

            enum CodingKeys: String, CodingKey {
                case bytes, fits
                case bytesPerSecond = "bytes_per_second"
                case freeBytes = "free_bytes"
            }
        }
        var disk: Disk
    }

    @Test
    func `a run that the disk has no room for is refused before it begins, unless it is forced`()
        throws
    {
        let folder = try TemporaryFolder()
        let text = """
            framelock: 1
            name: huge
            camera: {use: simulated, format: {pixels: GREY, size: 640x480, rate: 30 fps}}
            lock: {exposure: {duration: 8 ms, gain: 1x}}
            sequence: [{repeat: 1000000, do: [{capture: 1000000}]}]
            """
        let recipe = [try folder.recipe(text)]
        let checked = try FramelockProgram.run(["check"] + recipe)
        #expect(checked.status == 0)
        #expect(checked.stderr.contains("the run takes about 3077"))
        let run = "\(folder.path)/runs/run"
        let refused = try FramelockProgram.run(["run"] + recipe + ["--output", run])
        #expect(refused.status == 74)
        #expect(refused.stderr.contains(" free: record on another disk"))
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/runs"))
        let forced = try FramelockProgram.run(
            ["simulate"] + recipe + ["--faults", "stop@1s", "--force", "--output", run])
        #expect(forced.status == 130)
        // Rows and events alone are too many.
        let rows = try FramelockProgram.run(
            ["simulate"] + recipe + ["--no-pixels", "--output", run + "2"])
        #expect(rows.status == 74 && rows.stderr.contains("the run takes about 51"))
    }

    @Test func `what a run takes on the disk is what it records and not much more`() throws {
        let folder = try TemporaryFolder()
        let run = "\(folder.path)/run"
        let text = try FramelockProgram.run("check", Self.recipe, "--json").stdout
        let disk = try JSONDecoder().decode(Space.self, from: Data(text.utf8)).disk
        #expect(disk.fits)
        #expect(try #require(disk.freeBytes) > 0)
        #expect(try #require(disk.bytesPerSecond) > 30 * 640 * 480 * 2)
        #expect(try FramelockProgram.run("run", Self.recipe, "--output", run).status == 0)
        var bytes: Int64 = 0
        let paths = try #require(FileManager.default.enumerator(atPath: run))
        for case let path as String in paths where !path.hasSuffix("plan.json") {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(run)/\(path)")
            guard attributes[.type] as? FileAttributeType == .typeRegular else { continue }
            bytes += try #require(attributes[.size] as? Int64)
        }
        let asked = try #require(disk.bytes)
        // A manifest, an index and a log have some kilobytes besides.
        #expect((asked * 99 / 100...asked + 40_000).contains(bytes), "\(bytes) of \(asked)")
    }

    @Test func `stills count too, and a full disk is none for any run`() throws {
        let folder = try TemporaryFolder()
        func bytes(_ still: String) throws -> Int64 {
            let text = """
                framelock: 1
                name: stills
                camera: {use: simulated, format: {pixels: SRGGB12, size: 640x480, rate: 30 fps}}
                lock: {exposure: {duration: 8 ms, gain: 1x}}
                sequence: [{repeat: 10, do: [{capture: 1}, {capture: {count: 2\(still)}}]}]
                """
            let result = try FramelockProgram.run("check", try folder.recipe(text), "--json")
            let space = try JSONDecoder().decode(Space.self, from: Data(result.stdout.utf8))
            return try #require(space.disk.bytes)
        }
        let pixels: Int64 = 640 * 480
        let none = try bytes("")
        // 16 bits of three colours, raw samples of 16 bits, and a byte where nothing can be compressed.
        #expect(try bytes(", still: tiff") == none + 20 * 6 * pixels)
        #expect(try bytes(", still: dng") == none + 20 * 2 * pixels)
        #expect(try bytes(", still: jpeg") == none + 20 * pixels)
    }

    @Test func `check says how many edges warm a camera up, and a run gives its rows those behind`()
        throws
    {
        let recipe = "recipes/triggered-exposure.yaml"
        let text = try FramelockProgram.run("check", recipe)
        #expect(
            text.stdout.contains(
                "edges at the start that only warm the camera up and make no row: 2"))
        let result = try FramelockProgram.run("check", recipe, "--json")
        let checked = try JSONDecoder().decode(Checked.self, from: Data(result.stdout.utf8))
        #expect(checked.estimate?.warmUpEdges == 2)
        let file = BuiltProgram.repository.appending(path: recipe)
        let run = try SimulatedRun(String(contentsOf: file, encoding: .utf8), "", "--no-pixels")
        #expect(run.rows.first?["trigger_id"] == "part_present:3")
        // The others have their class in the log.
        #expect(
            run.event("edge-classified").prefix(2).allSatisfy {
                $0["class"] as? String == "matched"
            })
    }

    @Test func `check --json has the diagnostics of a bad one, which people get as well`() throws {
        let result = try FramelockProgram.run(
            "check", Self.recipe, "--json", "--set", "nonsense=3")
        #expect(result.status == 65)
        let checked = try JSONDecoder().decode(Checked.self, from: Data(result.stdout.utf8))
        #expect(!checked.good && checked.estimate == nil)
        let diagnostic = try #require(checked.diagnostics.first)
        #expect(diagnostic.severity == "error")
        #expect(result.stderr.contains("[\(diagnostic.id)]"))
    }

    @Test(arguments: [
        ["check", recipe], ["plan", recipe], ["devices"], ["verify"], ["show"], ["report"],
        ["--help"],
        ["--version"], ["help", "run"],
    ])
    func `output that is lost is a failure`(arguments: [String]) throws {
        let folder = try TemporaryFolder()
        let run = "\(folder.path)/run"
        _ = try FramelockProgram.run("run", Self.recipe, "--output", run)
        let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        let needsRun = ["verify", "show", "report"].contains(arguments[0])
        let result = try FramelockProgram.Started(
            try FramelockProgram.file(), arguments + (needsRun ? [run] : []), output: full
        ).result()
        #expect(result.status == 74)
        #expect(result.stderr.contains("can't write to standard output: No space left on device"))
    }

    /// Runs a line of shell; `$0` is the program, `$1` the folder.
    private static func shell(_ line: String, _ folder: TemporaryFolder) throws
        -> FramelockProgram.Result
    {
        try FramelockProgram.Started(
            URL(filePath: "/bin/sh"),
            ["-c", line, try FramelockProgram.file().path, folder.path]
        ).result()
    }

    @Test func `no file of a record takes the place of a stream that is closed`() throws {
        let folder = try TemporaryFolder()
        let closed = "<&- >&- 2>&-"
        let result = try Self.shell(
            "exec \"$0\" run recipes/first-light.yaml --output \"$1/run\" \(closed)", folder)
        #expect(result.status == 0)
        #expect(try FramelockProgram.run("verify", "\(folder.path)/run").status == 0)
        let unread = try Self.shell("exec \"$0\" show --json \"$1/run\" >&-", folder)
        #expect(unread.status == 74, "results that nobody gets are no success")
        #expect(try folder.text("run/ledger.csv").hasPrefix("slot,"))
    }

    @Test func `a limit on the size of files ends a run as a full disk does`() throws {
        let folder = try TemporaryFolder()
        let result = try Self.shell(
            "ulimit -f 1024; exec \"$0\" run recipes/first-light.yaml --output \"$1/run\"", folder)
        #expect(result.status == 84, "\(result.stderr)")
        #expect(result.stderr.contains("EFBIG"), "\(result.stderr)")
        #expect(try FramelockProgram.run("verify", "\(folder.path)/run").status == 0)
    }

    @Test
    func `a limit on the size of files is an error for a refit, and leaves nothing half written`()
        throws
    {
        let folder = try TemporaryFolder()
        let run = "\(folder.path)/run"
        _ = try FramelockProgram.run("run", Self.recipe, "--output", run)
        let result = try Self.shell("ulimit -f 0; exec \"$0\" refit \"$1/run\"", folder)
        #expect(result.status == 74, "\(result.stderr)")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: run).allSatisfy {
                !$0.hasPrefix("refit")
            })
    }

    @Test func `a pipe that nobody writes to, and a device without an end, are errors`() throws {
        let folder = try TemporaryFolder()
        let piped = try Self.shell("mkfifo \"$1/r.yaml\"; exec \"$0\" check \"$1/r.yaml\"", folder)
        #expect(piped.status == 65, "\(piped.stderr)")
        // Slower than a pipe without a writer is waited for.
        let fed = try Self.shell(
            "(sleep 3; cat recipes/first-light.yaml) | \"$0\" check /dev/stdin", folder)
        #expect(fed.status == 0, "\(fed.stderr)")
        let run = "\(folder.path)/run"
        _ = try FramelockProgram.run("run", Self.recipe, "--output", run)
        let verified = try Self.shell(
            "ln -sf /dev/zero \"$1/run/ledger.csv\"; exec \"$0\" verify \"$1/run\"", folder)
        #expect(verified.status == 74, "\(verified.stderr)")
        #expect((verified.stdout + verified.stderr).contains("no regular file"))
    }

    @Test(arguments: ["show", "report", "verify"])
    func `a text of a run folder never acts on the terminal`(verb: String) throws {
        let folder = try TemporaryFolder()
        _ = try FramelockProgram.run("run", Self.recipe, "--output", "\(folder.path)/run")
        let manifest = folder.url.appending(path: "run/run.json")
        let text = try String(contentsOf: manifest, encoding: .utf8)
        // Every text that is a value, not a word of the format: a screen that is cleared, a title that is set.
        let forged = text.replacing(#"simulated"#, with: #"simulated\u001b[2J\u009b31m"#)
        try #require(forged != text)
        try forged.write(to: manifest, atomically: true, encoding: .utf8)
        let result = try FramelockProgram.run(verb, "\(folder.path)/run")
        let shown = result.stdout + result.stderr
        #expect(!shown.isEmpty)
        #expect(!shown.unicodeScalars.contains { $0.value == 0x1B || $0.value == 0x9B })
    }

    @Test func `a path in an error never acts on the terminal`() throws {
        let result = try FramelockProgram.run("check", "no/\u{1b}[2Jrecipe.yaml")
        #expect(result.status == 64)
        #expect(result.stderr.contains(#"\u{1b}[2Jrecipe.yaml"#))
        #expect(!result.stderr.contains("\u{1b}"))
    }

    @Test func `a reader who leaves does not change what a run is worth`() throws {
        let folder = try TemporaryFolder()
        let run = "\(folder.path)/run"
        let pipe = Pipe()
        try pipe.fileHandleForReading.close()
        let result = try FramelockProgram.Started(
            try FramelockProgram.file(), ["run", Self.recipe, "--output", run],
            errors: pipe.fileHandleForWriting
        ).result()
        #expect(result.status == 0)
        #expect(try FramelockProgram.run("verify", run).status == 0)
    }

    @Test func `runs of one second get folders of their own`() throws {
        let folder = try TemporaryFolder()
        for _ in 0..<3 {
            let result = try FramelockProgram.run("run", Self.recipe, "--runs-in", folder.path)
            #expect(result.status == 0, "\(result.stderr)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 3)
    }

    @Test func `a file that is there and can't be read is not passed over`() throws {
        let folder = try TemporaryFolder()
        let profile = "\(folder.path)/bench.yaml"
        try FileManager.default.createSymbolicLink(
            atPath: profile, withDestinationPath: "bench.yaml")
        let result = try FramelockProgram.run(
            "check", Self.recipe, "--profile", "bench", "--profiles", folder.path)
        #expect(result.status == 74)
        #expect(result.stderr.contains("can't read \(profile)"))
    }

    @Test func `a recipe on the simulated camera needs no rig for its lines`() throws {
        let folder = try TemporaryFolder()
        let result = try FramelockProgram.run(
            "run", "recipes/light-sequence.yaml", "--set", "rounds=2", "--output",
            "\(folder.path)/run")
        #expect(result.status == 0, "\(result.stderr)")
    }

    @Test func `a recipe for a camera by name says which rig needs no hardware`() throws {
        let recipe = "recipes/triggered-inspection.yaml"
        let without = try FramelockProgram.run("check", recipe)
        #expect(without.status == 65)
        #expect(without.stderr.contains("hardware/rigs/simulated.yaml"))
        let with = try FramelockProgram.run(
            "check", recipe, "--rig", "hardware/rigs/simulated.yaml")
        #expect(with.status == 0, "\(with.stderr)")
    }
}
