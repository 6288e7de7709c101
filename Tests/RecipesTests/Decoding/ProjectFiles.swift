import Foundation
import Notation

/// Files of the repository that tests read, and golden files that they compare with.
enum ProjectFiles {
    /// The repository.
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static let golden = root.appending(path: "Tests/RecipesTests/Golden")
    static let recipes = root.appending(path: "recipes")

    /// Whether golden files are to be written anew; tests that do so fail, so that nobody forgets to look at them.
    static let isRecording = ProcessInfo.processInfo.environment["FRAMELOCK_RECORD"] == "1"

    /// A file by its path from the repository, under its last component as name.
    static func source(_ path: String) throws -> SourceFile {
        let data = try Data(contentsOf: root.appending(path: path))
        return SourceFile(name: path, bytes: Array(data))
    }

    /// The YAML files of a folder, by name.
    static func yamlFiles(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".yaml") }.sorted()
    }

    /// What a golden file holds; records `text` first, and says so, where recording was asked for.
    static func golden(_ url: URL, recording text: String) throws -> (text: String, isNew: Bool) {
        if isRecording {
            let old = try? String(contentsOf: url, encoding: .utf8)
            try text.write(to: url, atomically: true, encoding: .utf8)
            return (text, old != text)
        }
        return (try String(contentsOf: url, encoding: .utf8), false)
    }
}
