import Foundation
import TestSupport
import Testing

/// The program as people have it: the release build, or the debug build where that is the one of these sources.
enum FramelockProgram {
    /// How it ended, and what it said.
    struct Result {
        /// The exit status; minus the signal's number if a signal ended it.
        var status: Int32
        var stdout: String
        var stderr: String
    }

    /// The root of the repository.
    static let repository = BuiltProgram.repository

    /// Its file.
    ///
    /// - Throws: `Missing` if it was not built of these sources.
    static func file() throws -> URL { try BuiltProgram.current("framelock") }

    /// Runs it in the root of the repository, to its end.
    static func run(_ arguments: String...) throws -> Result { try run(arguments) }

    /// Runs it in the root of the repository, to its end.
    static func run(_ arguments: [String]) throws -> Result {
        try Started(try file(), arguments).result()
    }

    /// A program that runs.
    struct Started {
        let process = Process()
        private let folder = FileManager.default.temporaryDirectory
            .appending(path: "framelock-command-\(UUID().uuidString)")

        /// - Parameters:
        ///   - output: where standard output goes, instead of into the result.
        ///   - errors: where standard error goes, instead of into the result.
        init(
            _ program: URL, _ arguments: [String], output: FileHandle? = nil,
            errors: FileHandle? = nil
        ) throws {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            process.executableURL = program
            process.arguments = arguments
            process.currentDirectoryURL = repository
            var environment = ProcessInfo.processInfo.environment
            environment["SWIFT_BACKTRACE"] = "enable=no"
            // Each process is to have a hash seed of its own.
            environment["SWIFT_DETERMINISTIC_HASHING"] = nil
            process.environment = environment
            process.standardInput = FileHandle.nullDevice
            // Files, not pipes: nothing has to be read while it runs.
            for name in ["stdout", "stderr"] {
                try Data().write(to: folder.appending(path: name))
            }
            process.standardOutput =
                try output ?? FileHandle(forWritingTo: folder.appending(path: "stdout"))
            process.standardError =
                try errors ?? FileHandle(forWritingTo: folder.appending(path: "stderr"))
            try process.run()
        }

        /// Waits for its end; one that does not end is killed after five minutes, which its status shows.
        func result() throws -> Result {
            let number = process.processIdentifier
            let end = DispatchWorkItem { kill(number, SIGKILL) }
            DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(300), execute: end)
            process.waitUntilExit()
            end.cancel()
            defer { try? FileManager.default.removeItem(at: folder) }
            func text(_ name: String) throws -> String {
                String(
                    decoding: try Data(contentsOf: folder.appending(path: name)), as: UTF8.self)
            }
            let status = process.terminationStatus
            return Result(
                status: process.terminationReason == .uncaughtSignal ? -status : status,
                stdout: try text("stdout"), stderr: try text("stderr"))
        }
    }

    /// Something that has to be built or installed first.
    struct Missing: Error, CustomStringConvertible {
        var description: String
    }
}

/// A folder of its own, which is gone with the value.
final class TemporaryFolder {
    let url = FileManager.default.temporaryDirectory
        .appending(path: "framelock-command-line-test-\(UUID().uuidString)")
    var path: String { url.path }

    init() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// Writes a recipe; returns its path.
    func recipe(_ text: String) throws -> String {
        let file = url.appending(path: "recipe.yaml")
        try Data(text.utf8).write(to: file)
        return file.path
    }

    /// A file in the folder.
    func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: url.appending(path: name)), as: UTF8.self)
    }

    /// Every file below a folder: its bytes by its path.
    func files(_ name: String) throws -> [String: Data] {
        let root = url.appending(path: name)
        var files: [String: Data] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: root.path) {
            let file = root.appending(path: path)
            if (try? file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) == true {
                files[path] = try Data(contentsOf: file)
            }
        }
        return files
    }
}
