import Foundation
import Testing

/// Exports of runs, opened by tifffile, ome-types, ome-zarr-models, h5py, astropy and Pillow, and held against the run as
/// zarr-python reads it.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["FRAMELOCK_PYTHON"] != "off"))
struct ExportCommandTests {
    private struct Counts: Decodable, Equatable {
        var frames, t, z, c: Int
    }

    /// Two lights at three lens positions, four times: a full grid of 24 slots.
    private static func recipe(_ pixels: String) -> String {
        """
        framelock: 1
        name: grid
        metadata: {sample: "<slide> & 12", operator: nobody, objective: 10x, pixel_size: 0.65 um}
        camera: {use: simulated, format: {pixels: \(pixels), size: 320x240, rate: 30 fps}}
        lock: {exposure: {duration: 8 ms, gain: 2.0x}, focus: {lens: 0.1}}
        lines: {light_red: {direction: out}, light_uv: {direction: out}}
        sequence:
          - repeat: 4
            do:
              - for: {lens: [0.1, 0.5, 0.9]}
                do:
                  - repeat: 1
                    do: [{pulse: {line: light_red, with: exposure}}, {capture: 1, label: red}]
                  - repeat: 1
                    do: [{pulse: {line: light_uv, with: exposure}}, {capture: 1, label: near UV}]
        require: {dropped: 100, late_pulses: 100}
        """
    }

    private static func simulated(
        _ pixels: String, in folder: TemporaryFolder, _ options: [String] = []
    ) throws -> String {
        let run = "\(folder.path)/\(pixels)"
        let recipe = try folder.recipe(recipe(pixels))
        let result = try FramelockProgram.run(
            ["simulate", recipe, "--seed", "5", "--output", run] + options)
        try #require(result.status == 0, "\(result.stderr)")
        return run
    }

    /// What Python found in exports.
    private static func read(_ run: String, _ exports: String...) throws -> [Counts] {
        try read(run, exports)
    }

    private static func read(_ run: String, _ exports: [String]) throws -> [Counts] {
        let script = FramelockProgram.repository.appending(path: "Tests/python/check_export.py")
        let read = try FramelockProgram.Started(
            TestPython.with("astropy, h5py, ome_types, ome_zarr_models, tifffile, zarr, PIL"),
            [script.path, run] + exports
        ).result()
        try #require(read.status == 0, "\(read.stderr)")
        return try JSONDecoder().decode([Counts].self, from: Data(read.stdout.utf8))
    }

    @Test(arguments: ["GREY", "Y12", "SRGGB12", "YUYV"])
    func `each format has the frames of the run, with its holes, as a grid`(pixels: String) throws {
        let folder = try TemporaryFolder()
        let run = try Self.simulated(pixels, in: folder, ["--faults", "drop=10%"])
        var exports: [String] = []
        for words in [
            "ome_tiff --compress", "ome_tiff --mosaic", "ome_zarr", "ome_zarr --compress --pyramid",
            "nexus", "nexus --compress", "fits", "tiff --compress", "png", "jpeg", "dng", "raw",
            "csv",
        ] {
            let words = words.split(separator: " ").map(String.init)
            let (format, export) = (words[0], "\(folder.path)/\(words.joined())")
            let options = ["export", run, "--output", export, "--format"] + words
            let result = try FramelockProgram.run(options)
            if pixels == "YUYV", format == "dng" {
                #expect(result.status == 64 && result.stderr.contains("YUYV is none"))
                continue
            }
            try #require(result.status == 0, "\(result.stderr)")
            exports.append(export)
        }
        let counts = try Self.read(run, exports)
        #expect(counts.allSatisfy { ($0.t, $0.z, $0.c) == (4, 3, 2) })
        #expect(Set(counts.map(\.frames)).count == 1 && (10..<24).contains(counts[0].frames))
    }

    @Test func `slots and columns choose rows, and files are called by what they are`() throws {
        let folder = try TemporaryFolder()
        let run = try Self.simulated("GREY", in: folder)
        let export = "\(folder.path)/chosen"
        let result = try FramelockProgram.run(
            "export", run, "--format", "png", "--output", export, "--slots", "0-9,20-",
            "--where", "label=near UV", "--where", "requested_lens_position=0.5")
        try #require(result.status == 0, "\(result.stderr)")
        #expect(try Self.read(run, export) == [Counts(frames: 3, t: 3, z: 1, c: 1)])
        let names = try FileManager.default.contentsOfDirectory(atPath: export).sorted()
        #expect(
            names == [
                "000003_near-UV_light-uv_round-0-0_lens-0.5.png",
                "000009_near-UV_light-uv_round-1-0_lens-0.5.png",
                "000021_near-UV_light-uv_round-3-0_lens-0.5.png", "export.json", "frames.csv",
            ])
    }

    @Test func `a damaged frame is left out and named, and nothing is overwritten`() throws {
        let folder = try TemporaryFolder()
        let run = try Self.simulated("GREY", in: folder)
        let shard = "\(run)/frames.zarr/0/c/0/0/0"
        var bytes = try Data(contentsOf: URL(filePath: shard))
        // Behind the index, which has the first sector.
        bytes[10_000] ^= 1
        try bytes.write(to: URL(filePath: shard))
        let export = "\(folder.path)/damaged"
        let words = ["export", run, "--format", "ome_tiff", "--output", export]
        let result = try FramelockProgram.run(words)
        #expect(result.status == 65)
        #expect(result.stdout.contains("1 frame can't be read"), "\(result.stdout)")
        #expect(result.stdout.contains("(slot 0)"))
        let again = try FramelockProgram.run(words)
        #expect(again.status == 74 && again.stderr.contains("choose another name"))
    }

    @Test(arguments: ["nexus", "ome_tiff", "ome_zarr", "fits", "raw"])
    func `a disk that takes no more ends an export, and nothing of it is left`(
        format: String
    ) throws {
        let folder = try TemporaryFolder()
        let run = try Self.simulated("Y12", in: folder)
        let export = "\(folder.path)/full"
        // In kilobytes: half a frame of the formats that have a file for each.
        let limit = ["nexus", "ome_tiff"].contains(format) ? 500 : 75
        let result = try FramelockProgram.Started(
            URL(filePath: "/bin/bash"),
            [
                "-c", "ulimit -f \(limit); exec \"$@\"", "bash",
                try FramelockProgram.file().path, "export", run, "--format", format,
                "--output", export,
            ]
        ).result()
        #expect(result.status == 74, "\(result.stderr)")
        #expect(
            result.stderr.contains("File too large") || result.stderr.contains("EFBIG"),
            "\(result.stderr)")
        #expect(!FileManager.default.fileExists(atPath: export))
    }

    @Test func `what breaks a grid is said`() throws {
        let folder = try TemporaryFolder()
        let run = try Self.simulated("GREY", in: folder)
        let result = try FramelockProgram.run(
            "export", run, "--format", "ome_tiff", "--output", "\(folder.path)/broken", "--slots",
            "1-")
        #expect(result.status == 0)
        #expect(
            result.stdout.contains(
                "`red` at lens position 0.1 was taken 3 times, others 4 times; --slots and --where"),
            "\(result.stdout)")
    }

    @Test(arguments: ["shorter", "garbage", "another value"])
    func `nothing is exported by a ledger that was altered`(how: String) throws {
        let folder = try TemporaryFolder()
        let run = try Self.simulated("GREY", in: folder)
        let path = URL(filePath: "\(run)/ledger.csv")
        var lines = try String(contentsOf: path, encoding: .utf8).components(separatedBy: "\n")
        switch how {
        case "shorter": lines.remove(at: 4)
        case "garbage": lines[4] = "garbage"
        default: lines[4] = lines[4].replacing("8000000", with: "8000001")
        }
        try Data(lines.joined(separator: "\n").utf8).write(to: path)
        let export = "\(folder.path)/altered"
        let result = try FramelockProgram.run("export", run, "--format", "raw", "--output", export)
        #expect(result.status == 65)
        #expect(result.stderr.contains("ledger.csv is not the one"), "\(result.stderr)")
        #expect(!FileManager.default.fileExists(atPath: export))
    }

    @Test
    func `a run that was stopped is exported as far as it came, whatever its notes are called`()
        throws
    {
        let folder = try TemporaryFolder()
        let recipe = try folder.recipe(
            Self.recipe("GREY").replacing(
                "operator: nobody", with: "notes: {verdict: good, camera: 2, run: 3, recipe: 4}"))
        let run = "\(folder.path)/stopped"
        let stopped = try FramelockProgram.run(
            "simulate", recipe, "--faults", "stop@400ms", "--output", run)
        #expect(stopped.status == 130)
        let export = "\(folder.path)/export"
        let result = try FramelockProgram.run(
            "export", run, "--format", "ome_tiff", "--output", export, "--slots", "0-")
        #expect(result.status == 0, "\(result.stderr)")
        #expect(try Self.read(run, export)[0].frames > 1)
        // In the run's own folder it would be no part of the record.
        let inside = try FramelockProgram.run(
            "export", run, "--format", "csv", "--output", "\(run)/stills/export")
        #expect(inside.status == 64 && inside.stderr.contains("the run's own folder"))
    }

    @Test(arguments: [
        (["--format", "bmp"], "choose from ome_tiff"),
        (["--format", "tif"], "did you mean `tiff`?"),
        (["--format", "csv", "--slots", "9-1"], "is no slot and no range"),
        (["--format", "csv", "--slots", "24-"], "no row of the ledger is selected"),
        (["--format", "csv", "--where", "lable=x"], "did you mean `label`?"),
        (
            ["--format", "png", "--compress"],
            "only ome_tiff, ome_zarr, nexus and tiff are compressed"
        ),
        (["--format", "nexus", "--pyramid"], "only ome_zarr can have a pyramid"),
        (["--format", "fits", "--mosaic"], "only ome_tiff and ome_zarr would have channels"),
    ])
    func `what can't be meant is refused, and no folder is made`(
        words: [String], message: String
    ) throws {
        let folder = try TemporaryFolder()
        let run = try Self.simulated("GREY", in: folder)
        let export = "\(folder.path)/refused"
        let result = try FramelockProgram.run(["export", run, "--output", export] + words)
        #expect(result.status == 64)
        #expect(result.stderr.contains(message), "\(result.stderr)")
        #expect(!FileManager.default.fileExists(atPath: export))
    }
}
