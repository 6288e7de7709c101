import Foundation
import Testing

extension InTheBench {
    /// The triggered recipe: a light barrier on a simulated line, the bench's USB camera, a strobe.
    @Suite(.serialized) struct Trigger {
        private static let scenario = Scenario.play(
            "trigger", .init(timeoutSeconds: 500), files: ["edges": edges])

        /// 200 pulses of 5 ms, 60 to 300 ms apart, the same at each run of the tests.
        private static let edges: String = {
            var state: UInt64 = 2026
            return (0..<200).map { _ in
                // Knuth's generator; its upper bits are good enough for distances.
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let microseconds = 60_000 + Int(state >> 33) % 240_000
                return "\(Double(microseconds) / 1_000) 5\n"
            }.joined()
        }()

        /// The USB camera makes 30 frames a second.
        private static let period = 33_333_333

        /// The kernel sees an edge with its next tick, and two reads of the clock lie between.
        private static let edgeDelay = -1_000...1_101_000

        /// When the light barrier went up, by the equipment that did it.
        private static func played(_ name: String) throws -> [Int] {
            try scenario.get().table("\(name).played").rows
                .filter { $0["value"] == "1" }.map { try $0.required("time_ns") }
        }

        /// The timestamp of the edge that a row names, on CLOCK_MONOTONIC.
        private static func edge(_ row: Table.Row, _ run: RunReport) throws -> Int {
            try run.epochNanoseconds + row.required("session_start_ns")
                - row.required("trigger_delay_ns")
        }

        @Test func `200 edges at varying distance make one frame each`() throws {
            let run = try Self.scenario.get().run("many")
            run.expectWhole(exitCode: 0, "trustworthy", slots: 200)
            #expect(run.frames.count == 200)
            #expect(run.summary.triggers["edges"] == 200)
            #expect(run.summary.triggers["matched"] == 200)
            #expect(run.summary.triggers["unmatched"] == 0)
            #expect(run.rows.map { $0["trigger_id"] } == (1...200).map { "part_present:\($0)" })
            #expect(run.rows.allSatisfy { $0["trigger_class"] == "matched" })
            let sequences = Set(try run.rows.map { try $0.required("device_sequence") })
            #expect(sequences.count == 200)
        }

        @Test func `each row names the edge that was played, and when it came`() throws {
            let run = try Self.scenario.get().run("many")
            let played = try Self.played("many")
            try #require(played.count == 200)
            for (row, played) in zip(run.rows, played) {
                let delay = try Self.edge(row, run) - played
                #expect(Self.edgeDelay.contains(delay), "slot \(row["slot"])")
            }
        }

        @Test func `the delay is the true one, within what the ledger claims`() throws {
            let run = try Self.scenario.get().run("many")
            let truths = try run.truths()
            for (row, truth) in zip(run.rows, truths) {
                let halfWidth = try row.required("session_half_width_ns")
                let start = truth.readoutStartNanoseconds - truth.exposureNanoseconds
                let claimed = try run.epochNanoseconds + row.required("session_start_ns")
                #expect(abs(claimed - start) <= halfWidth, "start of slot \(row["slot"])")
                let end = try run.epochNanoseconds + row.required("session_end_ns")
                #expect(abs(end - truth.readoutStartNanoseconds) <= halfWidth)
                #expect(truth.exposureNanoseconds == 2_000_000)
                let edge = try Self.edge(row, run)
                let delay = start - edge
                #expect(abs(try row.required("trigger_delay_ns") - delay) <= halfWidth)
                // Exposed after its edge, and not later than the third frame from there.
                #expect((0..<100_000_000).contains(delay), "slot \(row["slot"]): \(delay)")
            }
        }

        @Test func `the strobe lights each frame for all of its exposure, and nothing else`() throws
        {
            let run = try Self.scenario.get().run("many")
            let changes = try Self.scenario.get().table("many.strobe").rows
                .filter { $0["how"] != "initial" }
            #expect(changes.map { $0["value"] } == (0..<400).map { $0 % 2 == 0 ? "1" : "0" })
            let instants = try changes.map { try $0.required("time_ns") }
            let truths = try run.truths()
            try #require(instants.count == 400 && truths.count == 200)
            for (number, truth) in truths.enumerated() {
                let start = truth.readoutStartNanoseconds - truth.exposureNanoseconds
                #expect(instants[2 * number] <= start, "on for slot \(number)")
                #expect(
                    instants[2 * number + 1] >= truth.readoutStartNanoseconds,
                    "off for slot \(number)")
                // Neither the frame before nor the next one has any of it.
                #expect(instants[2 * number] > truth.readoutStartNanoseconds - Self.period)
                #expect(instants[2 * number + 1] < start + Self.period)
            }
        }

        @Test func `two edges within a frame have a frame each`() throws {
            let run = try Self.scenario.get().run("burst")
            run.expectWhole(exitCode: 0, "trustworthy", slots: 5)
            #expect(run.rows.map { $0["trigger_id"] } == (1...5).map { "part_present:\($0)" })
            let played = try Self.played("burst")
            for (row, played) in zip(run.rows, played) {
                #expect(Self.edgeDelay.contains(try Self.edge(row, run) - played))
            }
            // The second of the two waited for a frame of its own.
            let sequences = try run.rows.map { try $0.required("device_sequence") }
            #expect(sequences[3] > sequences[2])
            #expect(try run.rows[3].required("trigger_delay_ns") > 23_000_000)
        }

        @Test func `an edge too many is told`() throws {
            let run = try Self.scenario.get().run("excess")
            run.expectWhole(exitCode: 82, "trigger-mismatch", slots: 3)
            #expect(run.frames.count == 3)
            #expect(run.summary.triggers["edges"] == 4)
            #expect(run.summary.triggers["unused_edges"] == 1)
            #expect(run.summary.triggers["unmatched"] == 1)
            // Outputs may also have been late, which is told and not judged.
            #expect(run.summary.findings.first?.id == "unmatched-triggers")
        }

        @Test func `a missing edge leaves a hole, and the next edges keep their frames`() throws {
            let run = try Self.scenario.get().run("missing")
            run.expectWhole(exitCode: 82, "trigger-mismatch", slots: 5)
            #expect(run.rows.map { $0["reason"] } == ["", "", "trigger-timeout", "", ""])
            #expect(
                run.rows.map { $0["trigger_class"] }
                    == ["matched", "matched", "", "matched", "matched"])
            #expect(
                run.frames.map { $0["trigger_id"] } == (1...4).map { "part_present:\($0)" })
            #expect(run.summary.triggers["wait_timeouts"] == 1)
            for (row, played) in zip(run.frames, try Self.played("missing")) {
                #expect(Self.edgeDelay.contains(try Self.edge(row, run) - played))
            }
        }
    }
}
