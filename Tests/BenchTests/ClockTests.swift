import Foundation
import Testing

extension InTheBench {
    /// Where a frame's time comes from, and whether it holds the truth that the camera wrote into the picture.
    @Suite(.serialized) struct Clocks {
        private static let scenario = Scenario.play("clocks", .init(timeoutSeconds: 400))
        /// A driver that claims one clock and uses another.
        private static let realtime = Scenario.play(
            "clocks-realtime",
            .init(timeoutSeconds: 200, kernelArguments: ["uvcvideo.clock=CLOCK_REALTIME"]))

        private struct Event: Decodable {
            var event: String
            var clock: String?
            var claimed: String?
            var found: String?
        }

        private static func events(_ run: String, in scenario: Scenario) throws -> [Event] {
            // Other events have members of the same names and other types.
            let lines = try scenario.text("\(run)/events.jsonl").split(separator: "\n").filter {
                $0.contains("\"clock-") || $0.contains("\"timestamp-clock\"")
            }
            return try lines.map {
                try JSONDecoder().decode(Event.self, from: Data($0.utf8))
            }
        }

        /// How far the ends of exposures lie from the truth, and how far the ledger says that they may.
        private static func errors(_ run: RunReport) throws -> [(error: Int, halfWidth: Int)] {
            try zip(run.frames, run.truths()).map { row, truth in
                let end = try run.epochNanoseconds + row.required("session_end_ns")
                return (
                    end - truth.readoutStartNanoseconds, try row.required("session_half_width_ns")
                )
            }
        }

        @Test(arguments: ["arrival", "own", "fast-300", "fast300", "burst"])
        func `each exposure lies within its bound`(name: String) throws {
            let run = try Self.scenario.get().run(name)
            run.expectWhole(exitCode: 0, "trustworthy", slots: 150)
            for (slot, item) in try Self.errors(run).enumerated() {
                #expect(
                    abs(item.error) <= item.halfWidth,
                    "\(name) slot \(slot): \(item.error) ns off, ±\(item.halfWidth) ns")
            }
        }

        @Test(arguments: ["own", "fast-300", "fast300", "burst"])
        func `the camera's own clock knows better than the arrival of packets`(name: String) throws
        {
            let scenario = try Self.scenario.get()
            let arrival = try Self.errors(scenario.run("arrival"))
            let own = try Self.errors(scenario.run(name))
            // Packets come 1.4 to 4.1 ms late, so that nothing better than ±2.5 ms can be said.
            #expect(arrival.allSatisfy { $0.halfWidth >= 2_500_000 })
            #expect(
                own.allSatisfy { $0.halfWidth <= 800_000 }, "\(own.map(\.halfWidth).max() ?? 0)")
            #expect(own.allSatisfy { abs($0.error) <= 800_000 })
        }

        @Test func `every clock of the host is recorded each second`() throws {
            let samples = try Self.events("own", in: Self.scenario.get()).filter {
                $0.event == "clock-sample"
            }
            for clock in ["CLOCK_REALTIME", "CLOCK_TAI", "CLOCK_BOOTTIME", "CLOCK_MONOTONIC_RAW"] {
                #expect((5...9).contains(samples.count { $0.clock == clock }), "\(clock)")
            }
            #expect((4...8).contains(samples.count { $0.clock == "camera" }))
            #expect(
                try Self.events("own", in: Self.scenario.get()).contains {
                    $0.event == "clock-discipline"
                })
        }

        @Test func `a hardware clock that is not there is refused before anything is recorded`()
            throws
        {
            let scenario = try Self.scenario.get()
            #expect(try scenario.exitCode("no-ptp") == 69)
            #expect(!scenario.has("no-ptp"))
            let message = try scenario.text("no-ptp.stderr")
            #expect(message.contains("clock `grandmaster`: there is no /dev/ptp0"))
        }

        private struct Slot: Decodable {
            struct Line: Decodable {
                struct Reading: Decodable {
                    var reading_ns: Int
                    var half_width_ns: Int
                }
                var session_mid_ns: Int
                var half_width_ns: Int
                var mid: [String: Reading]
            }
            var lines: [Line]
        }

        @Test func `a slot's time is told on every clock`() throws {
            let scenario = try Self.scenario.get()
            let slot = try scenario.decode(Slot.self, "slot.json")
            let run = try scenario.run("own")
            #expect(slot.lines.count == 3)
            let centre = slot.lines[0]
            #expect(try run.frames[100].required("session_mid_ns") == centre.session_mid_ns)
            let boottime = try #require(centre.mid["CLOCK_BOOTTIME"])
            // Nothing sleeps in the bench: the two clocks are one.
            #expect(
                abs(boottime.reading_ns - run.epochNanoseconds - centre.session_mid_ns)
                    <= boottime.half_width_ns)
            #expect(boottime.half_width_ns - centre.half_width_ns <= 10_000)
            // The bench's clock begins with 2026.
            let realtime = try #require(centre.mid["CLOCK_REALTIME"])
            #expect(UTC.year(nanoseconds: realtime.reading_ns) == 2026)
        }

        @Test func `a driver that timestamps with another clock than it claims is found out`()
            throws
        {
            let scenario = try Self.realtime.get()
            #expect(try scenario.text("parameter").contains("REALTIME"))
            let run = try scenario.run("own")
            run.expectWhole(exitCode: 0, "trustworthy", slots: 150)
            #expect(run.frames.allSatisfy { $0["clock"] == "CLOCK_REALTIME" })
            #expect(run.summary.findings.map(\.id).contains("timestamp-clock"))
            let found = try Self.events("own", in: scenario).filter {
                $0.event == "timestamp-clock"
            }
            #expect(found.map(\.claimed) == ["CLOCK_MONOTONIC"])
            #expect(found.map(\.found) == ["CLOCK_REALTIME"])
            for (slot, item) in try Self.errors(run).enumerated() {
                #expect(
                    abs(item.error) <= item.halfWidth,
                    "slot \(slot): \(item.error) ns off, ±\(item.halfWidth) ns")
                #expect(item.halfWidth <= 800_000)
            }
        }
    }
}

/// The calendar of the C library, for checks.
private enum UTC {
    static func year(nanoseconds: Int) -> Int {
        var seconds = time_t(nanoseconds / 1_000_000_000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        return Int(parts.tm_year) + 1900
    }
}
