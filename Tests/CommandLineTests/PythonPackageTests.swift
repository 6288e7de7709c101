import Foundation
import Testing

/// The Python package of `deploy/python` beside readers that are not framelock's: zarr-python and csv.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["FRAMELOCK_PYTHON"] != "off"))
struct PythonPackageTests {
    private static func recipe(_ pixels: String) -> String {
        """
        framelock: 1
        name: package
        metadata: {sample: slide 12, pixel_size: 0.65 um, notes: {dose: 2.5, batch: "007"}}
        camera: {use: simulated, format: {pixels: \(pixels), size: 320x240, rate: 30 fps}}
        lock: {exposure: {duration: 8 ms, gain: 2.0x}}
        sequence: [{repeat: 20, do: [{bracket: {exposure: [2 ms, 8 ms, 16 ms]}}]}]
        require: {dropped: 100}
        """
    }

    @Test func `the wheel reads frames, holes, ledger and log as others do`() throws {
        let folder = try TemporaryFolder()
        let python = try TestPython.with("zarr, wheel")
        // Building leaves files beside the sources.
        try FileManager.default.copyItem(
            at: FramelockProgram.repository.appending(path: "deploy/python"),
            to: URL(filePath: "\(folder.path)/python"))
        let built = try FramelockProgram.Started(
            python,
            [
                "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-index", "--no-build-isolation",
                "--wheel-dir", "\(folder.path)/wheel", "\(folder.path)/python",
            ]
        ).result()
        try #require(built.status == 0, "\(built.stderr)")
        let wheel = "\(folder.path)/wheel/framelock-0.1.0-py3-none-any.whl"
        try #require(FileManager.default.fileExists(atPath: wheel))

        var runs: [String] = []
        for pixels in ["GREY", "YUYV", "Y12", "SRGGB12"] {
            runs.append("\(folder.path)/\(pixels)")
            let recipe = try folder.recipe(Self.recipe(pixels))
            let options = ["--faults", "drop=10%", "--output", runs[runs.count - 1]]
            let result = try FramelockProgram.run(["simulate", recipe] + options)
            try #require(result.status == 0, "\(result.stderr)")
        }
        runs.append("\(folder.path)/stopped")
        let recipe = try folder.recipe(Self.recipe("GREY"))
        let stopped = try FramelockProgram.run(
            ["simulate", recipe, "--faults", "stop@1s", "--output", "\(folder.path)/stopped"])
        try #require(stopped.status == 130, "\(stopped.stderr)")

        let empty = "\(folder.path)/empty"
        try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: false)
        let script = FramelockProgram.repository.appending(path: "Tests/python/check_package.py")
        let read = try FramelockProgram.Started(
            python, [script.path, wheel, empty] + runs
        ).result()
        #expect(read.status == 0, "\(read.stdout)\(read.stderr)")
    }
}
