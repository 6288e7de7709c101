import Foundation
import TestSupport
import Testing

/// The bench: a user-mode Linux kernel with real camera and GPIO drivers, over the host's own files.
///
/// Tests that want it are suites in an extension of ``InTheBench``. What it can do and what it costs is told in
/// `hardware/bench/README.md`.
enum Bench {
    private static let environment = ProcessInfo.processInfo.environment["FRAMELOCK_BENCH"]
    /// Whether the tests of the bench were asked for: they are, unless the environment has `FRAMELOCK_BENCH=off`.
    static let isWanted = environment != "off"
    /// Whether all recorded frames stay, as with `FRAMELOCK_BENCH=keep`; they take about 17 GB.
    static let keepsFrames = environment == "keep"

    /// The root of the repository.
    static let repository = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The folder of the bench's own programs.
    static let folder = repository.appending(path: "hardware/bench")

    /// How a command in the bench ended, and what it said.
    struct Result {
        /// The command's exit status, or 128 + n if signal n ended it; see ``timedOut`` and ``noReport``.
        var status: Int32
        var stdout: String
        var stderr: String
        /// The host's time from boot to the end.
        var hostTime: Duration
    }

    /// The status of a guest that the host killed because its time was up.
    static let timedOut: Int32 = 124
    /// The status of a guest that panicked, or ended without reporting.
    static let noReport: Int32 = 125

    /// What a run in the bench is made with.
    struct Options {
        /// Virtual time stands still while anything runs, and jumps while everything sleeps.
        var virtual = true
        /// A folder to be writable inside, at the same path; `kernel.log` goes there too.
        var output: URL?
        /// The host's time after which the guest is killed.
        var timeoutSeconds = 120
        /// How many vivid test cameras there are.
        var vivid = 0
        /// Whether there is the vimc media graph.
        var vimc = false
        /// The board of the CSI bench; it has a kernel of its own.
        var csi: CSIBoard?
        /// What commands find in their environment beside the caller's own.
        var environment: [String: String] = [:]
        /// More words for the kernel's command line.
        var kernelArguments: [String] = []

        /// The same, as `hardware/bench/run` takes them.
        fileprivate var words: [String] {
            var words = [virtual ? "--virtual" : "--real"]
            words += ["--timeout", "\(timeoutSeconds)", "--vivid", "\(vivid)"]
            if let output { words += ["--output", output.path(percentEncoded: false)] }
            if vimc { words.append("--vimc") }
            words += csi?.words ?? []
            for argument in kernelArguments { words += ["--kernel-arg", argument] }
            return words
        }
    }

    /// Runs a command in the bench, in the root of the repository.
    ///
    /// - Parameters:
    ///   - command: the program and its arguments, as they are; no shell looks at them.
    ///   - options: how the bench is set up.
    /// - Returns: how the command ended, time-out and panic included.
    /// - Throws: when the bench itself is missing: its kernel cannot be built, or it cannot be started.
    static func run(_ command: [String], _ options: Options = Options()) throws -> Result {
        _ = try kernel.get()
        return try Guests.withPlace(isAlone: !options.virtual) {
            try host(
                [folder.appending(path: "run").path] + options.words + ["--"] + command,
                options.environment)
        }
    }

    /// Runs a bash script in the bench, which ends at the first command that fails.
    static func script(_ script: String, _ options: Options = Options()) throws -> Result {
        try run(["bash", "-euo", "pipefail", "-c", script], options)
    }

    /// The folder of the programs that are tried, optimised as they are when they are shipped.
    ///
    /// - Throws: when there are none of these sources.
    static func programs() throws -> URL {
        try BuiltProgram.optimizedFolder(of: ["framelock", "framelock-bench-camera"])
    }

    /// Runs `body` with a new folder, which is deleted afterwards.
    static func withFolder<Value>(_ body: (URL) throws -> Value) throws -> Value {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "framelock-bench-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body(folder)
    }

    /// Something that a test in the bench needs and that is not there.
    struct Missing: Error, CustomStringConvertible {
        var description: String
    }

    /// The kernel's path; building it takes minutes the first time, and no time ever after.
    static let kernel: Swift.Result<String, Missing> = {
        do {
            let result = try host([folder.appending(path: "build-kernel").path])
            guard result.status == 0 else {
                return .failure(Missing(description: "no kernel for the bench: \(result.stderr)"))
            }
            return .success(result.stdout.trimmingCharacters(in: .newlines))
        } catch {
            return .failure(Missing(description: "build-kernel did not start: \(error)"))
        }
    }()

    /// Runs a program on the host, named by its path, in the root of the repository.
    ///
    /// - Parameter environment: what it finds beside this process's own.
    static func host(_ command: [String], _ environment: [String: String] = [:]) throws -> Result {
        try withFolder { folder in
            let stdout = folder.appending(path: "stdout")
            let stderr = folder.appending(path: "stderr")
            let process = Process()
            process.executableURL = URL(filePath: command[0])
            process.arguments = Array(command.dropFirst())
            process.currentDirectoryURL = repository
            process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
            // Files, not pipes: nothing has to be read while the program runs.
            try Data().write(to: stdout)
            try Data().write(to: stderr)
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = try FileHandle(forWritingTo: stdout)
            process.standardError = try FileHandle(forWritingTo: stderr)
            let hostTime = try ContinuousClock().measure {
                try process.run()
                process.waitUntilExit()
            }
            let signalled = process.terminationReason == .uncaughtSignal
            return Result(
                status: process.terminationStatus + (signalled ? 128 : 0),
                stdout: String(decoding: try Data(contentsOf: stdout), as: UTF8.self),
                stderr: String(decoding: try Data(contentsOf: stderr), as: UTF8.self),
                hostTime: hostTime)
        }
    }
}

/// All that runs in the bench.
///
/// Suites run side by side, as many as the machine has processors for. Tests that read what the same script left run
/// one after the other, so that none only waits.
@Suite(
    .turns(),
    .enabled(if: Bench.isWanted, "FRAMELOCK_BENCH=off: nothing that needs the bench was run"))
enum InTheBench {}
