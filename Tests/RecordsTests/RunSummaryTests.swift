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
                "edges", "matched", "missing_edges", "unused_edges", "lost_edges",
                "edges_without_frame", "unanswered_edges", "spurious_frames", "unmatched",
            ])
        #expect(json["camera"]?["id"] == "simulated")
        #expect(json["camera"]?["driver"] == "simulated")
        #expect(json["camera"]?["backend"] == "simulated")
        #expect(
            json["findings"] == [
                [
                    "id": "dropped", "message": "1 missing frames (limit 0)", "over_limit": true,
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
                verdict   missing-frames (exit code 80)
                recipe    sample  62e337826a5c
                camera    Simulated camera (simulated, simulated)
                format    SRGGB12 32x20
                started   2026-11-20T14:03:22.000000000Z
                duration  3 s
                slots     5: 4 frames, 1 holes
                  damaged: 1
                ! 1 missing frames (limit 0) [dropped]
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
}
