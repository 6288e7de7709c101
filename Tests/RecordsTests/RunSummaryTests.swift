import Foundation
import Notation
import Recipes
import Testing
import Timebase

@testable import Records

struct RunSummaryTests {
    @Test func `a finished run is summed up`() throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/run"
        let plan = try Sample.plan()
        let run = try SampleRun(plan, at: path)
        for slot in 0..<4 as Range<Int64> { run.frame(Sample.row(slot)) }
        run.hole(Sample.hole(4, .damaged))
        try run.finish()
        let json = try RunSummary.read(path).json
        #expect(json["verdict"] == "missing-frames")
        #expect(json["exit_code"] == 80)
        #expect(
            json["recipe_sha256"]?.stringValue
                == FileDigest(of: Array("framelock: 1\n".utf8)).description)
        #expect(json["plan_sha256"]?.stringValue == plan.digest.description)
        #expect(json["slots"] == 5)
        #expect(json["frames"] == 4)
        #expect(json["holes"] == 1)
        #expect(json["holes_by_reason"] == ["damaged": 1])
        #expect(
            json["triggers"]?.objectValue?.names == [
                "edges", "matched", "wait_timeouts", "unused_edges", "lost_edges",
                "edges_without_frame", "edges_without_slot", "frames_without_edge", "unmatched",
            ])
        #expect(json["camera"]?["id"] == "simulated")
        #expect(json["camera"]?["driver"] == "simulated")
        #expect(json["camera"]?["backend"] == "simulated")
        #expect(
            json["findings"] == [
                [
                    "id": "dropped", "message": "1 missing frame (limit 0 of `dropped`)",
                    "over_limit": true,
                    "look": "ledger.csv: reason",
                ]
            ])
        #expect(json["duration_ns"] == 3_000_000_000)
        #expect(json["frames_path"]?.stringValue == path + "/frames.zarr")
    }

    @Test func `the summary for people`() throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/run"
        let run = try SampleRun(Sample.plan(), at: path)
        for slot in 0..<4 as Range<Int64> { run.frame(Sample.row(slot)) }
        run.hole(Sample.hole(4, .damaged))
        try run.finish()
        #expect(
            try RunSummary.read(path).text == """
                verdict   missing-frames (exit code 80); exposure by read-back only; gain by read-back only; lens by read-back only
                recipe    sample  62e337826a5c
                camera    Simulated camera (simulated, simulated)
                format    SRGGB12 32x20
                started   2026-11-20T14:03:22.000000000Z
                duration  3 s
                slots     5: 4 frames, 1 hole
                  damaged: 1
                ! 1 missing frame (limit 0 of `dropped`) [dropped]
                frames    \(path)/frames.zarr
                """)
    }

    @Test func `a run that still goes on is counted as far as it is there`() throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/run"
        let run = try SampleRun(Sample.plan(), at: path)
        for slot in 0..<3 as Range<Int64> { run.frame(Sample.row(slot)) }
        try run.record.flush()
        let json = try RunSummary.read(path).json
        #expect(json["state"] == "running")
        #expect(json["verdict"] == "partial")
        #expect(json["frames"] == 3)
        #expect(json["findings"]?[0]?["id"] == "not-finalised")
        #expect(try RunSummary.read(path).text.contains("not finalised"))
    }

    @Test func `a manifest is read back as it was written`() throws {
        let temporary = try TemporaryFolder()
        for (name, isOver) in [("over", true), ("going", false)] {
            let path = "\(temporary.path)/\(name)"
            let run = try SampleRun(Sample.plan(), at: path)
            for slot in 0..<3 as Range<Int64> { run.frame(Sample.row(slot)) }
            if isOver { try run.finish(.interrupted) } else { try run.record.flush() }
            let read = try RecordedRun(path: path)
            let text = try WholeFile.read(path + "/run.json")
            #expect(try read.manifest.bytes(read.outcome?.get()) == text)
            #expect(read.manifest.state == (isOver ? .finalised : .running))
            #expect(try read.outcome?.get().tally.slots == (isOver ? 3 : nil))
        }
    }

    @Test(arguments: [
        ("\"epoch_ns\": ", "\"epoch\": ", "`session.epoch_ns` is missing"),
        ("\"width\": 32", "\"width\": 70000", "`configuration.width` is not a whole number from"),
        ("\"count\": 20", "\"count\": 0", "`rows.count` is not a whole number from 1 to 1000000"),
        ("\"framelock_run\": 1", "\"framelock_run\": 2", "`framelock_run` is not 1"),
        ("\"frames\": 5", "\"frames\": null", "what came of the run: `frames` is not"),
        ("\"holes\": 0", "\"holes\": 1", "`holes` is not 0, which the other members give"),
    ])
    func `what is wrong with a manifest is told with its place`(
        written: String, wrong: String, message: String
    ) throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/run"
        let run = try SampleRun(Sample.plan(), at: path)
        for slot in 0..<5 as Range<Int64> { run.frame(Sample.row(slot)) }
        try run.finish()
        let file = URL(filePath: path + "/run.json")
        let text = try String(contentsOf: file, encoding: .utf8)
        try Data(text.replacing(written, with: wrong).utf8).write(to: file)
        let error = #expect(throws: UnreadableRun.self) { try RunSummary.read(path) }
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
        #expect(error?.exitCode == 74)
    }
}
