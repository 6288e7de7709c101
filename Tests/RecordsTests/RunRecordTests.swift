import Foundation
import Records
import Testing

struct RunRecordTests {
    @Test func `a finished run has every file and a verdict`() throws {
        let folder = try TemporaryFolder()
        let run = try SampleRun(Sample.plan(), at: folder.path + "/deep/run")
        for slot in 0..<5 as Range<Int64> { run.frame(Sample.row(slot)) }
        let judgement = try run.finish()
        #expect(judgement.verdict == .trustworthy)
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path + "/deep/run")
        #expect(
            files.sorted() == [
                "checksums", "events.jsonl", "frames.zarr", "frames.zarr/0", "frames.zarr/0/c",
                "frames.zarr/0/c/0", "frames.zarr/0/c/0/0", "frames.zarr/0/c/0/0/0",
                "frames.zarr/0/zarr.json", "frames.zarr/zarr.json", "ledger.csv", "plan.json",
                "recipe.yaml", "run.json",
            ])
    }
}
