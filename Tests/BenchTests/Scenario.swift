import Foundation
import Synchronization
import Testing

/// A script of `Fixtures`, played once in the bench, and what it left in its results folder.
///
/// A boot takes seconds, so a script does several things, and several tests read what came of them. The folder stays
/// until the next play, for whoever wants to look at a failure; its frames go when its suite is over.
struct Scenario: Sendable {
    /// Where all results folders are.
    static let folder = Bench.repository.appending(path: ".build/bench-scenarios")

    /// The results folder.
    let results: URL

    /// Plays `Fixtures/NAME.sh` with the optimised programs.
    ///
    /// - Parameters:
    ///   - name: of the script, and of the results folder in `.build/bench-scenarios`.
    ///   - options: how the bench is set up; the output folder is the scenario's.
    ///   - files: what the script finds in the results folder: contents by name.
    ///   - place: the results folder's name, for a script that is played in several ways.
    ///   - file: of the suite that plays it, at whose end its frames are deleted.
    /// - Returns: the results, or why there are none.
    static func play(
        _ name: String, _ options: Bench.Options = .init(), files: [String: String] = [:],
        as place: String? = nil, file: String = #fileID
    ) -> Result<Scenario, any Error> {
        Result {
            let programs = try Bench.programs()
            let results = folder.appending(path: place ?? name)
            try? FileManager.default.removeItem(at: results)
            played.withLock { $0[file, default: []].append(results) }
            try requireRoom()
            try FileManager.default.createDirectory(
                at: results, withIntermediateDirectories: true)
            for (file, contents) in files {
                try Data(contents.utf8).write(to: results.appending(path: file))
            }
            var options = options
            options.output = results
            options.environment["FRAMELOCK_PROGRAMS"] = programs.path
            let played = try Bench.run(
                ["bash", "Tests/BenchTests/Fixtures/\(name).sh"], options)
            guard played.status == 0 else {
                throw Broken(
                    description: "\(name).sh ended with \(played.status): \(played.stderr)")
            }
            return Scenario(results: results)
        }
    }

    /// The results folders of each suite, by its file.
    private static let played = Mutex([String: [URL]]())

    /// Deletes the frames of what a suite played: its last test is over.
    static func discardFrames(of file: String) {
        for results in played.withLock({ $0.removeValue(forKey: file) }) ?? [] {
            discardFrames(in: results)
        }
    }

    /// Recordings that end for want of room would be taken for what is to be shown.
    private static func requireRoom() throws {
        let attributes = try FileManager.default.attributesOfFileSystem(
            forPath: Bench.repository.path)
        let free = try #require(attributes[.systemFreeSize] as? Int)
        guard free >= roomBytes else {
            throw Broken(
                description: "a scenario records up to \(roomBytes / 1_000_000) MB into .build,"
                    + " where \(free / 1_000_000) MB are free")
        }
    }
    private static let roomBytes = 4_000_000_000

    /// Plays several scenarios, as many at a time as the machine has processors for; in virtual time, none minds
    /// another.
    ///
    /// - Returns: the results, by the description of the stage.
    static func playAll<Stage: Sendable & CustomTestStringConvertible>(
        _ stages: [Stage], _ play: @escaping @Sendable (Stage) -> Result<Scenario, any Error>
    ) -> [String: Result<Scenario, any Error>] {
        let played = Mutex([String: Result<Scenario, any Error>]())
        DispatchQueue.concurrentPerform(iterations: stages.count) { place in
            let result = play(stages[place])
            played.withLock { $0[stages[place].testDescription] = result }
        }
        return played.withLock { $0 }
    }

    /// Deletes the frames that the script's runs recorded; ledgers, events and manifests stay.
    func discardFrames() { Self.discardFrames(in: results) }

    /// Deletes the frame stores anywhere below a folder, unless they are to be kept.
    static func discardFrames(in folder: URL) {
        let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        guard !Bench.keepsFrames, let all else { return }
        for case let file as URL in all where file.lastPathComponent == "frames.zarr" {
            all.skipDescendants()
            try? FileManager.default.removeItem(at: file)
        }
    }

    /// A file that the script left, as text.
    func text(_ name: String) throws -> String {
        try String(contentsOf: results.appending(path: name), encoding: .utf8)
    }

    /// A file with comma-separated values that the script left.
    func table(_ name: String) throws -> Table {
        Table(try text(name))
    }

    /// A JSON file that the script left.
    func decode<Value: Decodable>(_ type: Value.Type, _ name: String) throws -> Value {
        try JSONDecoder().decode(
            type, from: Data(contentsOf: results.appending(path: name)))
    }

    /// The exit code that a command left in `NAME.exit`.
    func exitCode(_ name: String) throws -> Int {
        let text = try text("\(name).exit").trimmingCharacters(in: .newlines)
        return try #require(Int(text), "\(name).exit holds '\(text)'")
    }

    /// Whether a command left something of this name.
    func has(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: results.appending(path: name).path)
    }

    /// A recorded run.
    func run(_ name: String) throws -> RunReport { try RunReport(name, in: self) }

    /// A script that did not come to its end.
    struct Broken: Error, CustomStringConvertible {
        var description: String
    }
}
