import Foundation
import Notation

/// The camera profiles of the project.
enum ProfileFiles {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "hardware/cameras")

    static func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".yaml") }.sorted()
    }

    static func source(_ name: String) throws -> SourceFile {
        SourceFile(name: name, bytes: Array(try Data(contentsOf: folder.appending(path: name))))
    }
}
