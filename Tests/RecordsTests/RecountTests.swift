import Foundation
import Notation
import Testing
import Timebase

@testable import Records

/// What `verify` makes of a manifest whose counts and clocks are not those of ledger and log.
struct RecountTests {
    /// A run of five frames, with readings of two clocks.
    private static func record(at path: String) throws {
        let run = try SampleRun(Sample.plan(), at: path)
        for slot: Int64 in 0..<5 {
            let now = Sample.epoch + .milliseconds(33 * slot)
            for (clock, offset) in [
                (ClockSource.realtime, 1_700_000_000_000_000_000), (.monotonicRaw, 1_000 * slot),
            ] {
                run.record.append(
                    .clockSample(
                        ClockSample(
                            before: now, ClockTime(clock, now.nanoseconds + 200 + offset),
                            after: now + .nanoseconds(400))),
                    at: Instant(nanoseconds: slot))
            }
            run.frame(Sample.row(slot))
        }
        _ = try run.finish()
    }

    /// What `verify` finds in a run with another manifest, but for the manifest's hash.
    private static func problems(
        _ path: String, _ change: (inout JSONObject) throws -> Void
    ) throws -> [String] {
        let file = URL(filePath: path + "/run.json")
        let json = try JSONReader.read(Array(Data(contentsOf: file)), name: "run.json")
        var object = try #require(json.objectValue)
        try change(&object)
        try Data(JSONValue.object(object).utf8(.pretty)).write(to: file)
        return try RunVerifier.verify(path, scope: []).problems.map(\.description).filter {
            !$0.contains("SHA-256")
        }
    }

    @Test func `the clocks' relations are what the readings in the log give`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/run"
        try Self.record(at: path)
        #expect(try RunVerifier.verify(path, scope: []).problems == [])
        let file = URL(filePath: path + "/run.json")
        let good = try Data(contentsOf: file)

        let knots = try Self.problems(path) { object in
            let clocks = try #require(object["clocks"])
            // One nanosecond more at the last knot of all.
            let text = clocks.text()
            let latest = try #require(
                clocks["CLOCK_MONOTONIC_RAW"]?["segments"]?[0]?["knots_ns"]?[0]?[2]?.integerValue)
            let doctored = text.replacing("\(latest)", with: "\(latest + 1)")
            #expect(doctored != text)
            object["clocks"] = try JSONReader.read(Array(doctored.utf8), name: "clocks")
        }
        #expect(
            knots == [
                "run.json: clock `CLOCK_MONOTONIC_RAW` is not what the readings in the log give"
            ])

        try good.write(to: file)
        let names = try Self.problems(path) { object in
            var clocks = try #require(object["clocks"]?.objectValue)
            clocks["CLOCK_TAI"] = clocks["CLOCK_REALTIME"]
            clocks["CLOCK_REALTIME"] = nil
            object["clocks"] = .object(clocks)
        }
        #expect(
            names == [
                "run.json: clock `CLOCK_REALTIME` is missing, the log has readings of it",
                "run.json: clock `CLOCK_TAI` has no reading in the log",
            ])
    }

    @Test func `a reading that is missing in the log is found`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/run"
        try Self.record(at: path)
        let log = URL(filePath: path + "/events.jsonl")
        var lines = try String(contentsOf: log, encoding: .utf8).split(separator: "\n")
        let index = try #require(lines.lastIndex { $0.contains("CLOCK_REALTIME") })
        lines.remove(at: index)
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: log)
        #expect(
            try Self.problems(path) { _ in } == [
                "run.json: clock `CLOCK_REALTIME` is not what the readings in the log give"
            ])
    }

    @Test(arguments: ["clocks", "edges_by_class", "temperature", "disputed_gaps", "findings"])
    func `a member that is missing is found`(name: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/run"
        _ = try TriggeredSample.record(at: path)
        let problems = try Self.problems(path) { object in
            #expect(object[name] != nil)
            object[name] = nil
        }
        #expect(problems.count == 1)
        #expect(problems.first?.contains("`\(name)` is missing") == true)
    }
}
