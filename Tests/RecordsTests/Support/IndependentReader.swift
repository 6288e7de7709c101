import Foundation
import Testing

/// `Tests/python/check_zarr.py`, which reads a run with zarr-python and nothing of framelock.
///
/// The interpreter is `FRAMELOCK_PYTHON`, or the one that the tests' set-up keeps in the cache. A missing one is a
/// failure; `FRAMELOCK_PYTHON=off` leaves these tests out on purpose.
enum IndependentReader {
    static var isWanted: Bool { ProcessInfo.processInfo.environment["FRAMELOCK_PYTHON"] != "off" }

    struct Report: Decodable {
        var shape: [Int]
        var dtype: String
        var frames: Int
        var holes: Int
    }

    /// Checks a run; records an issue if the script finds anything wrong.
    static func check(_ run: String, atLeast slots: Int = 0) throws -> Report {
        let python = try #require(
            interpreter,
            "no Python with zarr: run `make test` once, or set FRAMELOCK_PYTHON to an interpreter or `off`"
        )
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("python/check_zarr.py").path
        let (status, output, errors) = try execute(
            python, [script, run, "--at-least", "\(slots)"])
        try #require(status == 0, "\(errors)")
        return try JSONDecoder().decode(Report.self, from: Data(output.utf8))
    }

    private static let interpreter: String? = {
        let environment = ProcessInfo.processInfo.environment
        if let given = environment["FRAMELOCK_PYTHON"] { return given }
        let home = environment["HOME"] ?? "/root"
        let cache =
            environment["FRAMELOCK_CACHE"]
            ?? (environment["XDG_CACHE_HOME"] ?? home + "/.cache") + "/framelock"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: cache)) ?? []
        let candidates = names.filter { $0.hasPrefix("python-") }.sorted()
            .map { "\(cache)/\($0)/bin/python" }
        return candidates.first { candidate in
            (try? execute(candidate, ["-c", "import google_crc32c, numpy, zarr"]).status) == 0
        }
    }()

    private static func execute(
        _ program: String, _ arguments: [String]
    ) throws -> (status: Int32, output: String, errors: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        let output = Pipe()
        let errors = Pipe()
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        // Both are short: neither pipe fills while the other is read.
        let text = output.fileHandleForReading.readDataToEndOfFile()
        let errorText = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (
            process.terminationStatus, String(decoding: text, as: UTF8.self),
            String(decoding: errorText, as: UTF8.self)
        )
    }
}
