import Foundation
import Testing

/// What Python's zarr sees in the demonstration's frames.
@Suite(
    .enabled(
        if: ProcessInfo.processInfo.environment["FRAMELOCK_PYTHON"] != "off",
        "FRAMELOCK_PYTHON=off: nothing was read with Python"))
struct LinearityTests {
    private struct Report: Decodable {
        struct Frame: Decodable {
            var exposure_ns: Int
            var mean: Double
            var saturated: Int
        }
        var shape: [Int]
        var dtype: String
        var frames: [Frame]
    }

    private static let script = """
        import csv, json, sys
        import zarr
        array = zarr.open_array(sys.argv[1] + "/frames.zarr/0", mode="r")
        frames = []
        for row in csv.DictReader(open(sys.argv[1] + "/ledger.csv")):
            if row["status"] == "frame" and row["step"] == "sequence[1]":
                frame = array[int(row["slot"])]
                frames.append({
                    "exposure_ns": int(row["applied_exposure_ns"]), "mean": float(frame.mean()),
                    "saturated": int((frame == 4095).sum())})
        print(json.dumps({"shape": array.shape, "dtype": str(array.dtype), "frames": frames}))
        """

    @Test func `a bracket's means are proportional to the exposures in the ledger`() throws {
        let folder = try TemporaryFolder()
        let run = "\(folder.path)/run"
        let result = try FramelockProgram.run(
            "run", "recipes/first-light.yaml", "--output", run)
        try #require(result.status == 0, "\(result.stderr)")
        let read = try FramelockProgram.Started(TestPython.with("zarr"), ["-c", Self.script, run])
            .result()
        try #require(read.status == 0, "\(read.stderr)")
        let report = try JSONDecoder().decode(Report.self, from: Data(read.stdout.utf8))
        #expect(report.shape == [16, 480, 640])
        #expect(report.dtype == "uint16")
        #expect(
            report.frames.map(\.exposure_ns) == [1, 2, 4, 8, 16, 32].map { $0 * 1_000_000 })
        // The camera takes its black level off, so the line goes through zero; where samples saturate it bends.
        let linear = report.frames.filter { $0.saturated == 0 }
        #expect(linear.count >= 5)
        let slopes = linear.map { $0.mean / Double($0.exposure_ns) }
        let least = try #require(slopes.min())
        let most = try #require(slopes.max())
        #expect(least > 0 && most / least < 1.005, "\(slopes)")
    }
}
