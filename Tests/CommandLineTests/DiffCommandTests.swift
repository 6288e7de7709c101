import Foundation
import Testing

/// What `diff` finds between runs, and that `rerun` leaves it nothing to find.
struct DiffCommandTests {
    private static func recipe(exposure: String = "8 ms") -> String {
        """
        framelock: 1
        name: twins
        parameters: {frames: {default: 6, min: 1, max: 100}}
        camera: {use: simulated, format: {pixels: Y12, size: 320x240, rate: 30 fps}}
        lock: {exposure: {duration: \(exposure), gain: 1.0x}}
        sequence: [{capture: $frames}]
        require: {dropped: 100}
        """
    }

    private static func simulated(
        _ name: String, in folder: TemporaryFolder, exposure: String = "8 ms",
        _ options: [String] = []
    ) throws -> String {
        let run = "\(folder.path)/\(name)"
        let recipe = try folder.recipe(recipe(exposure: exposure))
        let result = try FramelockProgram.run(
            ["simulate", recipe, "--seed", "3", "--output", run] + options)
        try #require(result.status == 0, "\(result.stderr)")
        return run
    }

    private struct Comparison: Decodable {
        struct Ledger: Decodable {
            struct Column: Decodable {
                var column: String
                var slots: Int
                var first_slot, a, b: String
            }
            var slots: Int
            var columns: [Column]
        }
        struct Frames: Decodable {
            struct Slot: Decodable, Equatable { var slot, samples, largest, row, column: Int }
            var compared, differing: Int
            var slots: [Slot]
        }
        struct Lines: Decodable { var differing: Int }
        struct Member: Decodable { var path: String }
        var same: Bool
        var recipe, events: Lines
        var plan, manifest: [Member]
        var ledger: Ledger
        var frames: Frames?
        var files: [String]
    }

    private static func compare(_ a: String, _ b: String) throws -> Comparison {
        let result = try FramelockProgram.run("diff", a, b, "--json")
        let comparison = try JSONDecoder().decode(
            Comparison.self, from: Data(result.stdout.utf8))
        #expect(result.status == (comparison.same ? 0 : 1))
        return comparison
    }

    @Test func `a simulation that is run again is the same, byte for byte`() throws {
        let folder = try TemporaryFolder()
        let options = ["--faults", "drop=10%", "--scene", "drift=10%/s", "--set", "frames=20"]
        let first = try Self.simulated("first", in: folder, options)
        let second = "\(folder.path)/second"
        let result = try FramelockProgram.run("rerun", first, "--output", second)
        #expect(result.status == 0, "\(result.stderr)")
        #expect(!result.stderr.contains("another one"))
        let said = try FramelockProgram.run("diff", first, second)
        #expect(said.status == 0)
        #expect(said.stdout.hasPrefix("nothing differs: 20 slots, "), "\(said.stdout)")
        for name in ["run.json", "ledger.csv", "events.jsonl", "checksums", "truth.jsonl"] {
            #expect(
                FileManager.default.contentsEqual(
                    atPath: "\(first)/\(name)", andPath: "\(second)/\(name)"), "\(name)")
        }
    }

    @Test func `a pixel that was flipped is found as exactly that`() throws {
        let folder = try TemporaryFolder()
        let (a, b) = (try Self.simulated("a", in: folder), try Self.simulated("b", in: folder))
        let shard = URL(filePath: "\(b)/frames.zarr/0/c/0/0/0")
        var bytes = try Data(contentsOf: shard)
        // Frames are behind the index, in blocks of 4096 bytes: sample 1000 of slot 0.
        bytes[4096 + 2 * 1_000] ^= 4
        try bytes.write(to: shard)
        let found = try Self.compare(a, b)
        let slots = try #require(found.frames).slots
        #expect(
            slots == [.init(slot: 0, samples: 1, largest: 4, row: 3, column: 40)], "\(slots)")
        #expect(found.ledger.columns.isEmpty && found.manifest.isEmpty && found.plan.isEmpty)
        #expect(found.recipe.differing + found.events.differing == 0 && found.files.isEmpty)
    }

    @Test func `a timestamp that was shifted is found as exactly that`() throws {
        let folder = try TemporaryFolder()
        let (a, b) = (try Self.simulated("a", in: folder), try Self.simulated("b", in: folder))
        let path = URL(filePath: "\(b)/ledger.csv")
        var lines = try String(contentsOf: path, encoding: .utf8).components(separatedBy: "\n")
        var fields = lines[3].components(separatedBy: ",")
        fields[5] = "\(try #require(Int64(fields[5])) + 1)"
        lines[3] = fields.joined(separator: ",")
        try lines.joined(separator: "\n").write(to: path, atomically: true, encoding: .utf8)
        let found = try Self.compare(a, b)
        #expect(found.ledger.columns.map(\.column) == ["raw_timestamp_ns"])
        #expect(found.ledger.columns.map(\.slots) == [1])
        #expect(found.ledger.columns.first?.first_slot == "2")
        #expect(found.frames?.differing == 0 && found.manifest.isEmpty)
    }

    @Test(arguments: ["plan.json", "frames.zarr/zarr.json", "stills/000001.png"])
    func `a file that was altered is found, whatever the hashes say`(name: String) throws {
        let folder = try TemporaryFolder()
        let (a, b) = (try Self.simulated("a", in: folder), try Self.simulated("b", in: folder))
        let path = URL(filePath: "\(b)/\(name)")
        if name.hasPrefix("stills") {
            for run in [a, b] {
                try FileManager.default.createDirectory(
                    atPath: "\(run)/stills", withIntermediateDirectories: true)
                try Data("picture of \(run == a)".utf8).write(
                    to: URL(filePath: "\(run)/\(name)"))
            }
        } else {
            let text = try String(contentsOf: path, encoding: .utf8)
            try #require(text.contains("twins"))
            try Data(text.replacing("twins", with: "other").utf8).write(to: path)
        }
        let found = try Self.compare(a, b)
        #expect(found.files == (name == "plan.json" ? [] : [name]))
        #expect(found.plan.map(\.path) == (name == "plan.json" ? ["name"] : []))
    }

    @Test func `another exposure shows in recipe, plan, rows and pixels, and nowhere else`() throws
    {
        let folder = try TemporaryFolder()
        let a = try Self.simulated("a", in: folder)
        let b = try Self.simulated("b", in: folder, exposure: "4 ms")
        let found = try Self.compare(a, b)
        #expect(found.recipe.differing == 1)
        #expect(found.plan.allSatisfy { $0.path.hasPrefix("settings[0]") }, "\(found.plan)")
        let columns = Set(found.ledger.columns.map(\.column))
        #expect(columns.isSuperset(of: ["requested_exposure_ns", "applied_exposure_ns", "crc32c"]))
        #expect(
            columns.isDisjoint(with: ["status", "device_sequence", "requested_gain", "lights"]))
        #expect(found.frames?.differing == 6)
    }

    @Test func `what was asked for comes first, and frames that one has not are named`() throws {
        let folder = try TemporaryFolder()
        let a = try Self.simulated("a", in: folder, ["--set", "frames=20"])
        let b = try Self.simulated(
            "b", in: folder, ["--set", "frames=21", "--faults", "drop=30%"])
        let said = try FramelockProgram.run("diff", a, b).stdout.split(separator: "\n")
        #expect(said.dropFirst(2).prefix(2) == ["asked for", "  parameter frames: 20 / 21"])
        #expect(said[4] == "  faults: none / drop=30%")
        let rows = try String(contentsOfFile: "\(b)/ledger.csv", encoding: .utf8)
            .split(separator: "\n").filter { $0.contains(",hole,") }
            .compactMap { $0.split(separator: ",").first }.filter { $0 != "20" }
        #expect(!rows.isEmpty)
        #expect(
            said.contains("  no frame in B alone: slot \(rows.joined(separator: ", "))"), "\(said)")
    }

    @Test func `runs of unlike frames are compared as far as they can be`() throws {
        let folder = try TemporaryFolder()
        let a = try Self.simulated("a", in: folder)
        let b = try Self.simulated("b", in: folder, ["--no-pixels", "--set", "frames=8"])
        let result = try FramelockProgram.run("diff", a, b)
        #expect(result.status == 1)
        #expect(result.stdout.contains("pixels can't be compared: Y12 320x240 / no pixels"))
        #expect(result.stdout.contains("2 rows in B alone, slots 6 to 7"), "\(result.stdout)")
    }

    @Test func `a recipe that was altered is no recipe of that run, whatever else was`() throws {
        let folder = try TemporaryFolder()
        let first = try Self.simulated("first", in: folder)
        for name in ["ledger.csv", "recipe.yaml"] {
            let file = try FileHandle(forWritingTo: URL(filePath: "\(first)/\(name)"))
            try file.seekToEnd()
            try file.write(contentsOf: Data("# another\n".utf8))
            try file.close()
        }
        let result = try FramelockProgram.run(
            "rerun", first, "--output", "\(folder.path)/second")
        #expect(result.status == 65)
        #expect(result.stderr.contains("is not the recipe of that run"), "\(result.stderr)")
    }

    @Test func `a plan that comes out as another one is said`() throws {
        let folder = try TemporaryFolder()
        let first = try Self.simulated("first", in: folder)
        // As if the profile had changed since.
        let path = "\(first)/run.json"
        var manifest = try String(contentsOfFile: path, encoding: .utf8)
        let digest = try #require(
            manifest.range(of: "\"plan\": \\{\\s*\"sha256\": \"", options: .regularExpression))
        let digit = manifest[digest.upperBound]
        manifest.replaceSubrange(
            digest.upperBound...digest.upperBound, with: digit == "0" ? "1" : "0")
        try manifest.write(to: URL(filePath: path), atomically: true, encoding: .utf8)
        let result = try FramelockProgram.run(
            "rerun", first, "--output", "\(folder.path)/second")
        #expect(result.status == 0)
        #expect(result.stderr.contains("the plan is another one"), "\(result.stderr)")
    }
}
