import Foundation
import Testing

extension InTheBench {
    /// Brackets on the bench's USB camera, whose pictures tell what each frame really had.
    @Suite(.serialized) struct Brackets {
        private static let scenario = Scenario.play("bracket", .init(timeoutSeconds: 400))

        /// Exposures in 100 us and gains in sixteenths, in order of slots.
        private static let wanted: [[Int]] =
            [[Int]](repeating: [80, 32], count: 5)
            + [
                [10, 32], [20, 32], [40, 16], [60, 16], [100, 32], [120, 16], [140, 24],
                [160, 16],
            ]
            + [[Int]](repeating: [80, 32], count: 3) + [[30, 32], [50, 32]]

        private static let runs = [
            "bracket", "pause-1008", "pause-1016", "pause-1024", "burst", "slow-gain",
        ]

        private func found(_ run: RunReport) throws -> [[Int]] {
            try run.truths().map { [$0.exposureNanoseconds / 100_000, $0.gain] }
        }

        /// Frames of the camera from the one that was exposed when the first shot was written to the last shot.
        private func cost(_ run: RunReport, _ scenario: Scenario) throws -> Int {
            struct Event: Decodable {
                var event: String
                var begun_ns: Int?
            }
            let before = try run.rows[4].required("raw_timestamp_ns")
            let written = try scenario.events(Event.self, run.name).compactMap {
                $0.event == "settings-written" ? $0.begun_ns : nil
            }.first { $0 > before }
            let truths = try run.truths()
            let begun = try #require(written)
            let period = 33_333_333
            let last = truths[12]
            // Frames whose readout began after the write, up to the last shot's.
            return (last.readoutStartNanoseconds - begun) / period + 1
        }

        @Test func `a manual bracket of eight exposures costs eight frames and the latency`() throws
        {
            for name in ["bracket", "burst"] {
                let scenario = try Self.scenario.get()
                let run = try scenario.run(name)
                run.expectWhole(exitCode: 0, "trustworthy", slots: 18)
                let counters = try run.truths().map(\.counter)
                #expect(counters[5...15].map { $0 - counters[5] } == Array(0...10), "\(name)")
                #expect(try cost(run, scenario) == 8 + 2, "\(name)")
            }
        }

        @Test(arguments: runs)
        func `each frame had exactly what its row says`(name: String) throws {
            let run = try Self.scenario.get().run(name)
            run.expectWhole(exitCode: 0, "trustworthy", slots: 18)
            #expect(try found(run) == Self.wanted)
            for (row, truth) in zip(run.rows, try run.truths()) {
                #expect(try row.required("applied_exposure_ns") == truth.exposureNanoseconds)
                #expect(Double(row["applied_gain"]) == Double(truth.gain) / 16)
            }
        }

        @Test(arguments: runs)
        func `each frame's mean is within two percent of what its row predicts`(
            name: String
        ) throws {
            let run = try Self.scenario.get().run(name)
            let pixels = try run.pixels()
            for row in run.rows {
                let slot = try row.required("slot")
                let frame = try #require(try pixels.frame(slot: slot))
                let mean = TruthPattern.flatMean(frame: frame, width: 640, height: 480) - 16
                let exposure = try Double(row.required("applied_exposure_ns")) / 100_000
                let gain = try #require(Double(row["applied_gain"]))
                let predicted = 0.6 * exposure * gain
                // A picture holds whole counts: half of one is lost to rounding.
                #expect(abs(mean - predicted) <= max(0.02 * predicted, 0.5), "slot \(slot)")
            }
        }

        @Test func `afterwards the settings of before are back, on the device and in the pixels`()
            throws
        {
            let scenario = try Self.scenario.get()
            let devices = try scenario.decode(DeviceList.self, "after.json")
            let camera = try #require(devices.cameras.first { $0.id == "usb:framelock-bench-0001" })
            let values = camera.controls.filter {
                ["exposure_time_absolute", "gain"].contains($0.control)
            }
            #expect(values.map(\.value).sorted { ($0 ?? 0) < ($1 ?? 0) } == [32, 80])
            // In the same run the frames after the bracket, and in the next one its first frames.
            #expect(try found(scenario.run("bracket"))[13...15].allSatisfy { $0 == [80, 32] })
            #expect(try found(scenario.run("again"))[0...4].allSatisfy { $0 == [80, 32] })
        }

        @Test func `a group that lost frames is taken again, whole`() throws {
            let run = try Self.scenario.get().run("atomic")
            run.expectWhole(exitCode: 0, "trustworthy", slots: 13)
            #expect(
                try found(run).map { $0[0] }
                    == [80, 80, 80, 80, 80, 10, 20, 40, 80, 120, 160, 80, 80])
            let counters = try run.truths().map(\.counter)
            #expect(counters[5...10].map { $0 - counters[5] } == Array(0...5))
        }
    }
}

extension Scenario {
    /// The events of a run.
    func events<Event: Decodable>(_ type: Event.Type, _ run: String) throws -> [Event] {
        try text("\(run)/events.jsonl").split(separator: "\n").map {
            try JSONDecoder().decode(type, from: Data($0.utf8))
        }
    }
}
