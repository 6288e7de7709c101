internal import Foundation

/// A run folder as anybody would read it: a table and lines of JSON.
///
/// Shares no code with the record.
package struct RecordedTable {
    /// Rows of the ledger by the names of their columns.
    package let rows: [[String: String]]
    /// Events in order.
    package let events: [[String: Any]]
    /// The manifest.
    package let manifest: [String: Any]

    package init(_ folder: String) throws {
        let text = try String(contentsOfFile: folder + "/ledger.csv", encoding: .utf8)
        let lines = text.split(separator: "\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        let names = lines.first ?? []
        rows = lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(names, $0)) }
        let log = try String(contentsOfFile: folder + "/events.jsonl", encoding: .utf8)
        events = try log.split(separator: "\n").map { try Self.object(Data($0.utf8)) }
        manifest = try Self.object(Data(contentsOf: URL(fileURLWithPath: folder + "/run.json")))
    }

    /// Events of a name.
    package func events(_ name: String) -> [[String: Any]] {
        events.filter { $0["event"] as? String == name }
    }

    private static func object(_ data: Data) throws -> [String: Any] {
        try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
    }
}

/// A folder that is gone when the test is over.
package final class TemporaryFolder {
    package let path: String

    package init() throws {
        path = "\(Self.parent)/framelock-engine-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    /// In memory where the machine has such a place: thousands of runs are no test of a disk.
    private static let parent =
        FileManager.default.isWritableFile(atPath: "/dev/shm")
        ? "/dev/shm" : FileManager.default.temporaryDirectory.path

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
