internal import Foundation
public import Notation

/// The camera profiles of the project.
public enum ProfileFiles {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "hardware/cameras")

    /// Their files' names, in order.
    public static func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".yaml") }.sorted()
    }

    /// One of them.
    public static func source(_ name: String) throws -> SourceFile {
        SourceFile(name: name, bytes: Array(try Data(contentsOf: folder.appending(path: name))))
    }
}
