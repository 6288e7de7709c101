import Foundation
import Testing

/// What a simulated run recorded, beside what was true.
struct SimulatedRun {
    typealias Object = [String: Any]

    let status: Int32
    let truth: [Object]
    let events: [Object]
    let rows: [[String: String]]
    let epoch: Int64

    var frames: [[String: String]] { rows.filter { $0["status"] == "frame" } }
    func told(_ fault: String) -> [Object] { truth.filter { $0["fault"] as? String == fault } }
    /// What was handed out, in order.
    var delivered: [Object] { truth.filter { $0["fate"] as? String == "delivered" } }
    func event(_ name: String) -> [Object] {
        events.filter { $0["event"] as? String == name }
    }

    /// Simulates a recipe with faults, and verifies what it recorded.
    init(_ recipe: String, _ faults: String, _ options: String...) throws {
        try self.init(recipe, faults, options)
    }

    /// The same, with options as a list.
    init(_ recipe: String, _ faults: String, _ options: [String]) throws {
        let folder = try TemporaryFolder()
        let result = try FramelockProgram.run(
            ["simulate", try folder.recipe(recipe)]
                + (faults.isEmpty ? [] : ["--faults", faults]) + options + [
                    "--output", "\(folder.path)/run",
                ])
        status = result.status
        #expect(try FramelockProgram.run("verify", "\(folder.path)/run").status == 0)
        truth = try Self.objects(folder.text("run/truth.jsonl"))
        events = try Self.objects(folder.text("run/events.jsonl"))
        let lines = try folder.text("run/ledger.csv").split(separator: "\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        rows = lines.dropFirst().map {
            Dictionary(zip(lines[0], $0), uniquingKeysWith: { first, _ in first })
        }
        let manifest = try Self.objects(folder.text("run/run.json").replacing("\n", with: " "))[0]
        epoch = try Self.number((manifest["session"] as? Object)?["epoch_ns"])
    }

    static func number(_ value: Any?) throws -> Int64 {
        try #require(value as? NSNumber).int64Value
    }

    private static func objects(_ text: String) throws -> [Object] {
        try text.split(separator: "\n").compactMap {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? Object
        }
    }

    /// What was handed out, by the number as the ledger has it.
    private func deliveredByNumber() throws -> [String: Object] {
        var frames: [String: Object] = [:]
        for frame in delivered { frames["\(try Self.number(frame["sequence"]))"] = frame }
        return frames
    }

    /// When a frame's exposure really ended.
    func trueEnd(_ sequence: Int64) throws -> Int64 {
        let frame = delivered.first { ($0["sequence"] as? NSNumber)?.int64Value == sequence }
        return try Self.number(frame?["exposure_end_ns"])
    }

    /// Rows whose true times lie outside their bounds, and rows that claim an exposure that their frame did not have.
    ///
    /// - Parameter scale: how long a line really takes, of what the driver says.
    func wrong(scale: Double = 1) throws -> (times: Int, exposures: Int) {
        let frames = try deliveredByNumber()
        var wrong = (times: 0, exposures: 0)
        for row in self.frames {
            let frame = try #require(frames[row["device_sequence"] ?? ""])
            let end = try Self.number(frame["exposure_end_ns"]) - epoch
            let code = try Self.number(frame["exposure_time_absolute"])
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

    /// Slots whose row has an exposure or a gain by pixels that its frame did not have.
    func wronglyShown() throws -> [String] {
        let frames = try deliveredByNumber()
        return try self.frames.filter { row in
            let frame = try #require(frames[row["device_sequence"] ?? ""])
            let exposure = try Self.number(frame["exposure_time_absolute"]) * 1_000
            let gain = Double(try Self.number(frame["gain"])) / 64
            let areRight = (
                row["applied_exposure_ns"] == "\(exposure)",
                row["applied_gain"].flatMap(Double.init) == gain
            )
            return row["exposure_known_by"] == "pixels" && !areRight.0
                || row["gain_known_by"] == "pixels" && !areRight.1
        }.map { $0["slot"] ?? "" }
    }
}
