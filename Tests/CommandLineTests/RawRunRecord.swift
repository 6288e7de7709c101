import Foundation
import Testing

/// What a simulated run of a raw sensor recorded, beside what was true.
struct RawRunRecord {
    typealias Object = [String: Any]

    var status: Int32 = 0
    var truth: [Object] = []
    var events: [Object] = []
    var rows: [[String: String]] = []
    var epoch: Int64 = 0

    var frames: [[String: String]] { rows.filter { $0["status"] == "frame" } }
    func event(_ name: String) -> [Object] {
        events.filter { $0["event"] as? String == name }
    }

    /// Simulates a recipe with faults, and verifies what it recorded.
    static func simulate(_ recipe: String, _ faults: String, seed: Int) throws -> RawRunRecord {
        let folder = try TemporaryFolder()
        let result = try FramelockProgram.run(
            "simulate", try folder.recipe(recipe), "--faults", faults, "--seed", "\(seed)",
            "--output", "\(folder.path)/run")
        var record = RawRunRecord()
        record.status = result.status
        #expect(try FramelockProgram.run("verify", "\(folder.path)/run").status == 0)
        record.truth = try objects(folder.text("run/truth.jsonl"))
        record.events = try objects(folder.text("run/events.jsonl"))
        let lines = try folder.text("run/ledger.csv").split(separator: "\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        record.rows = lines.dropFirst().map {
            Dictionary(zip(lines[0], $0), uniquingKeysWith: { first, _ in first })
        }
        let manifest = try objects(folder.text("run/run.json").replacing("\n", with: " "))[0]
        let session = manifest["session"] as? Object
        record.epoch = try #require(session?["epoch_ns"] as? NSNumber).int64Value
        return record
    }

    private static func objects(_ text: String) throws -> [Object] {
        try text.split(separator: "\n").compactMap {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? Object
        }
    }

    /// When a frame's exposure really ended.
    func trueEnd(_ sequence: Int64) throws -> Int64 {
        let frame = truth.first {
            $0["fate"] as? String == "delivered"
                && ($0["sequence"] as? NSNumber)?.int64Value == sequence
        }
        return try #require(frame?["exposure_end_ns"] as? NSNumber).int64Value
    }

    /// Rows whose true times lie outside their bounds, and rows that claim an exposure that their frame did not have.
    ///
    /// - Parameter scale: how long a line really takes, of what the driver says.
    func wrong(scale: Double = 1) throws -> (times: Int, exposures: Int) {
        var frames: [String: Object] = [:]
        for frame in truth where frame["fate"] as? String == "delivered" {
            let sequence = try #require(frame["sequence"] as? NSNumber)
            frames["\(sequence)"] = frame
        }
        var wrong = (times: 0, exposures: 0)
        for row in self.frames {
            let frame = try #require(frames[row["device_sequence"] ?? ""])
            let end = try #require(frame["exposure_end_ns"] as? NSNumber).int64Value - epoch
            let code = try #require(frame["exposure_time_absolute"] as? NSNumber).int64Value
            let exposure = Int64(Double(code * 1_000) * scale)
            let room = try #require(row["session_half_width_ns"].flatMap(Int64.init))
            for (column, time) in [("session_start_ns", end - exposure), ("session_end_ns", end)] {
                let said = try #require(row[column].flatMap(Int64.init))
                if abs(said - time) > room { wrong.times += 1 }
            }
            if let applied = row["applied_exposure_ns"].flatMap(Int64.init), applied != exposure {
                wrong.exposures += 1
            }
        }
        return wrong
    }
}
