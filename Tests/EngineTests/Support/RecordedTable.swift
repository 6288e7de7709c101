import Foundation

/// A run folder as anybody would read it: a table and lines of JSON.
///
/// Shares no code with the record.
struct RecordedTable {
    /// Rows of the ledger by the names of their columns.
    let rows: [[String: String]]
    /// Events in order.
    let events: [[String: Any]]
    /// The manifest.
    let manifest: [String: Any]

    init(_ folder: String) throws {
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
    func events(_ name: String) -> [[String: Any]] {
        events.filter { $0["event"] as? String == name }
    }

    private static func object(_ data: Data) throws -> [String: Any] {
        try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
    }
}

/// A folder that is gone when the test is over.
final class TemporaryFolder {
    let path: String

    init() throws {
        path =
            FileManager.default.temporaryDirectory
            .appendingPathComponent("framelock-engine-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
