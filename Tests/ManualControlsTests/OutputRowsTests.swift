import Devices
import Engine
import Foundation
import Imaging
import Notation
import Recipes
import Records
import Simulation
import Testing
import Timebase

/// One session with several outputs, and the aids of a preview.
@Suite("Outputs and preview aids")
struct OutputRowsTests {
    /// Runs a recipe on the simulated camera in virtual time; returns the run's path.
    private static func run(
        _ sequence: String, in folder: StillFolderOfTest, pixels: String = "SRGGB12",
        preview: (AcceptedConfiguration) -> PreviewTap? = { _ in nil }
    ) throws -> String {
        let text = """
            framelock: 1
            name: outputs
            camera:
              use: simulated
              format: {pixels: \(pixels), size: 320x240, rate: 30 fps}
            lock:
              exposure: {duration: 8 ms, iso: 200}
            sequence:
            \(sequence)
            """
        let source = SourceFile(name: "recipe.yaml", text: text)
        let recipe = try RecipeDecoder.decode(source)
        let world = SimulatedWorld(SimulationOptions())
        let choice = try CameraChoice(recipe.camera, rig: nil, in: source.name)
        let plan = try PlanCompiler.compile(
            recipe, camera: choice, profile: .simulated, rig: nil
        ).plan
        let prepared = try PreparedRun(plan, in: world)
        let path = folder.url.appending(path: UUID().uuidString).path
        let record = try RunRecord(
            in: RunFolder.create(at: path),
            RunDescription(
                version: "0.0.0", recipe: source.bytes, parameters: [], plan: plan,
                camera: world.camera.identity, accepted: prepared.accepted, epoch: prepared.epoch,
                realtime: world.realtime(), host: .null),
            isDurable: false)
        let runner = Runner(
            prepared, record: record, progress: RunProgress(),
            preview: preview(prepared.accepted))
        _ = try runner.run()
        return path
    }

    @Test("D6 record, statistics, stills and preview come from one session and keep their counts")
    func severalOutputs() throws {
        let folder = try StillFolderOfTest()
        var tap: PreviewTap?
        let path = try Self.run(
            "  - capture: 20\n  - capture: {count: 3, still: dng}", in: folder
        ) {
            tap = PreviewTap($0)
            return tap
        }
        let report = try RunVerifier.verify(path)
        #expect(report.isConsistent && report.frames == 23, "\(report.text)")
        let summary = try RunSummary.read(path)
        #expect(summary.json["stills"] == 3 && summary.json["missed_stills"] == 0)
        // Nobody looked: every frame but one that may still wait was skipped, and none of them is missing anywhere.
        let preview = try #require(tap)
        #expect(preview.delivered == 0)
        let waiting = preview.take { row, bytes in
            (row.slot, bytes.contains { $0 != 0 })
        }
        #expect(preview.delivered + preview.skipped == 23)
        if let waiting { #expect(waiting.1) }
        // Statistics: a mean for every row.
        let ledger = try String(contentsOfFile: path + "/ledger.csv", encoding: .utf8)
            .split(separator: "\n").map {
                $0.split(separator: ",", omittingEmptySubsequences: false)
            }
        let column = try #require(ledger[0].firstIndex(of: "luma_mean"))
        #expect(ledger.dropFirst().count == 23)
        #expect(ledger.dropFirst().allSatisfy { (Double($0[column]) ?? 0) > 0 })
    }

    @Test("D6 a preview that starves, and one that looks all the time, leave the same record")
    func starvingPreview() throws {
        let folder = try StillFolderOfTest()
        let sequence = "  - capture: {count: 4, still: jpeg}"
        func files(_ path: String) throws -> [Data] {
            try ["frames.zarr/0/c/0/0/0", "stills/000000.jpg", "stills/000003.jpg"].map {
                try Data(contentsOf: URL(filePath: "\(path)/\($0)"))
            }
        }
        let without = try Self.run(sequence, in: folder)
        let starving = try Self.run(sequence, in: folder) { PreviewTap($0) }
        #expect(try files(without)[0] == files(starving)[0])
        #expect(try RunVerifier.verify(starving).isConsistent)
    }

    @Test("O1 stills of a run agree with its ledger", arguments: StillFormat.allCases)
    func stillsOfARun(format: StillFormat) throws {
        let folder = try StillFolderOfTest()
        let path = try Self.run(
            """
              - for: {exposure: [8 ms, 2 ms], iso: [100, 400]}
                do:
                  - capture: {still: \(format.rawValue)}
            """, in: folder)
        let manifest = try JSONReader.read(
            [UInt8](Data(contentsOf: URL(filePath: path + "/run.json"))), name: "run.json")
        let epoch = try #require(manifest["session"]?["started"]?["realtime_ns"]?.integerValue)
        let lines = try String(contentsOfFile: path + "/ledger.csv", encoding: .utf8)
            .split(separator: "\n").map {
                $0.split(separator: ",", omittingEmptySubsequences: false)
            }
        try #require(lines.count == 5)
        for line in lines.dropFirst() {
            func value(_ name: Substring) throws -> Substring {
                line[try #require(lines[0].firstIndex(of: name))]
            }
            let slot = try #require(Int(value("slot")))
            let tags = try StillReaders.exiftool(
                "\(path)/stills/00000\(slot).\(format.fileExtension)")
            let exposure = try #require(Double(value("applied_exposure_ns"))) / 1e9
            let seen = try #require(tags["ExposureTime"] as? NSNumber).doubleValue
            #expect(abs(seen / exposure - 1) < 1e-6)
            let gain = try #require(Double(value("applied_gain")))
            #expect((tags["ISO"] as? NSNumber)?.doubleValue == gain * 100)
            let start = epoch + (try #require(Int64(value("session_start_ns"))))
            let time = try #require(tags["SubSecDateTimeOriginal"] as? String)
            let fraction = String(String(1_000_000_000 + start % 1_000_000_000).dropFirst())
            #expect(time.hasSuffix(".\(fraction)+00:00"), "\(time)")
            let formatter = DateFormatter()
            formatter.locale = Locale(identifier: "en_US_POSIX")
            formatter.timeZone = TimeZone(identifier: "UTC")
            formatter.dateFormat = "yyyy:MM:dd HH:mm:ss"
            let date = try #require(formatter.date(from: String(time.prefix(19))))
            #expect(Int64(date.timeIntervalSince1970) == start / 1_000_000_000)
        }
    }

    @Test("F7 peaking marks what is sharp in the simulated scene, and much less of it out of focus")
    func peaking() throws {
        let folder = try StillFolderOfTest()
        let path = try Self.run(
            """
              - capture: {still: tiff}
              - for: {lens: [0.4, 1]}
                do:
                  - capture: 1
            """, in: folder, pixels: "GREY")
        // Frames of the record, 8 bits, in slot order: as found, in focus, out of focus.
        let size = try #require(FrameSize(width: 320, height: 240))
        let shard = try Data(contentsOf: URL(filePath: path + "/frames.zarr/0/c/0/0/0"))
        let format = try #require(PixelFormat.named("GREY"))
        let development = try #require(
            Development(format, size: size, settings: DevelopmentSettings()))
        let peaking = try #require(FocusPeaking(threshold: 8))
        let marks = try (1...2).map { slot -> Int in
            let padded = (320 * 240 + 4_095) / 4_096 * 4_096
            let frame = [UInt8](shard[slot * padded..<slot * padded + 320 * 240])
            let image = frame.withUnsafeBytes { development.image(of: $0) }
            let marked = try #require(peaking.marked(image))
            return stride(from: 0, to: marked.bytes.count, by: 3)
                .count { Array(marked.bytes[$0..<$0 + 3]) == [255, 0, 0] }
        }
        #expect(marks[0] > 1_000 && marks[0] > 4 * marks[1], "\(marks)")
    }
}
