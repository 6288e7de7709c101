import Foundation
import Testing

/// A simulated raw sensor with what its receiver and its driver do to it: no row says what is not true, or better than it
/// is known.
@Suite struct SimulatedRawSensorTests {
    private static func recipe(_ profile: String) -> String {
        """
        framelock: 1
        name: raw
        camera: {use: simulated, profile: \(profile), format: {pixels: Y12, size: 320x240, rate: 30 fps}}
        lock: {exposure: {duration: 2 ms, gain: 2.0x}}
        sequence:
          - repeat: 15
            do:
              - for: {exposure: [1 ms, 2 ms, 4 ms, 8 ms]}
                do: [{capture: 2}]
        """
    }

    private typealias Object = [String: Any]

    private struct Record {
        var status: Int32 = 0
        var truth: [Object] = []
        var events: [Object] = []
        var rows: [[String: String]] = []
        var epoch: Int64 = 0

        var frames: [[String: String]] { rows.filter { $0["status"] == "frame" } }
        func event(_ name: String) -> [Object] {
            events.filter { $0["event"] as? String == name }
        }
    }

    private static func simulate(
        _ profile: String, _ faults: String, seed: Int = 7
    ) throws -> Record {
        let folder = try TemporaryFolder()
        let result = try FramelockProgram.run(
            "simulate", try folder.recipe(recipe(profile)), "--faults", faults, "--seed", "\(seed)",
            "--output",
            "\(folder.path)/run")
        var record = Record()
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

    /// Rows whose true times lie outside their bounds, and rows that claim an exposure that their frame did not have.
    ///
    /// - Parameter scale: how long a line really takes, of what the driver says.
    private static func wrong(
        _ record: Record, scale: Double = 1
    ) throws -> (times: Int, exposures: Int) {
        var truth: [String: Object] = [:]
        for frame in record.truth where frame["fate"] as? String == "delivered" {
            let sequence = try #require(frame["sequence"] as? NSNumber)
            truth["\(sequence)"] = frame
        }
        var wrong = (times: 0, exposures: 0)
        for row in record.frames {
            let frame = try #require(truth[row["device_sequence"] ?? ""])
            let end = try #require(frame["exposure_end_ns"] as? NSNumber).int64Value - record.epoch
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

    @Test func `without faults the registers add nothing but certainty`() throws {
        let record = try Self.simulate("simulated-raw", "")
        #expect(record.status == 0)
        #expect(try Self.wrong(record) == (0, 0))
        #expect(record.frames.count == 120)
        let widest = record.frames.compactMap { $0["session_half_width_ns"].flatMap(Int64.init) }
        #expect((widest.max() ?? .max) < 500_000)
    }

    @Test func `interrupts that come late leave no time outside its bounds`() throws {
        let record = try Self.simulate("simulated-raw", "late-interrupt=10%")
        #expect(record.status == 0)
        #expect(try Self.wrong(record) == (0, 0))
        #expect(record.event("stamps-doubted").contains { $0["why"] as? String == "late" })
        let widest = record.frames.compactMap { $0["session_half_width_ns"].flatMap(Int64.init) }
        #expect((widest.max() ?? .max) < 1_000_000)
    }

    @Test func `a frame whose end was missed has the next one's timestamp, and its bounds say so`()
        throws
    {
        let record = try Self.simulate("simulated-raw", "lost-frame-end=4%,late-interrupt=5%")
        #expect(record.truth.contains { $0["fault"] as? String == "lost-frame-end" })
        #expect(try Self.wrong(record) == (0, 0))
        #expect(record.status == 80)
    }

    @Test func `a driver that understates its pixel rate makes no exposure known`() throws {
        let record = try Self.simulate("simulated-raw", "understated-pixel-rate")
        #expect(record.status == 81)
        let told = try #require(record.event("period-mismatch").first)
        #expect(abs(try #require(told["expected_ns"] as? NSNumber).int64Value - 33_333_000) < 1_000)
        #expect(abs(try #require(told["found_ns"] as? NSNumber).int64Value - 16_666_500) < 2_000)
        #expect(try Self.wrong(record, scale: 0.5) == (0, 0))
        #expect(record.frames.allSatisfy { ["", "none"].contains($0["exposure_known_by"] ?? "") })
    }

    /// With seed 1 the last of them are never followed by one that shows.
    @Test(arguments: ["lost-write=3%", "lost-write=4%,lost-write-run=3"], [1, 5, 7])
    func `writes that are lost are found in the brightness, and no row has what its frame had not`(
        _ faults: String, seed: Int
    ) throws {
        let record = try Self.simulate("simulated-raw", faults, seed: seed)
        #expect(record.truth.contains { $0["fault"] as? String == "lost-write" })
        #expect(try Self.wrong(record) == (0, 0))
        #expect(record.status == 81)
        let refuted = record.frames.filter {
            $0["applied_exposure_ns"] != $0["requested_exposure_ns"]
        }
        #expect(!refuted.isEmpty)
        #expect(record.event("setting-contradicted").count == refuted.count)
        #expect(refuted.allSatisfy { ["statistics", "none"].contains($0["exposure_known_by"]) })
    }

    @Test func `metadata that are another frame's are not believed`() throws {
        let record = try Self.simulate(
            "simulated-raw-metadata", "metadata-wrong=5%,metadata-loss=3%,late-interrupt=5%")
        #expect(record.event("metadata-foreign").count > 2)
        #expect(record.event("setting-contradicted").isEmpty)
        #expect(try Self.wrong(record) == (0, 0))
        #expect(record.status == 0)
    }
}
