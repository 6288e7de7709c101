import Foundation
import Testing

/// The lines of a run's `events.jsonl`, as others read them.
struct EventList {
    /// A control that somebody else changed.
    struct ControlChange: Decodable {
        var control: String
        var found: Int
        var sequence: Int?
        var time: Int

        enum CodingKeys: String, CodingKey {
            case control, found, sequence
            case time = "raw_timestamp_ns"
        }
    }

    private struct Named: Decodable { var event: String }

    /// What was changed, in the order of the log.
    let changes: [ControlChange]

    init(_ text: String) throws {
        let decoder = JSONDecoder()
        changes = try text.split(separator: "\n").compactMap { line in
            let line = Data(line.utf8)
            guard try decoder.decode(Named.self, from: line).event == "control-changed" else {
                return nil
            }
            return try decoder.decode(ControlChange.self, from: line)
        }
    }
}

extension Scenario {
    /// What others changed during a run.
    func changes(_ run: String) throws -> [EventList.ControlChange] {
        try EventList(text("\(run)/events.jsonl")).changes
    }
}
