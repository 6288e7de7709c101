import Devices
import Foundation
import Notation
import Recipes
import TestSupport
import Testing
import Timebase

@testable import Records

struct RunRefitTests {
    /// A run of a camera that streams freely, 30 ms from frame to frame, with timestamps up to 50 µs late, and realtime
    /// read every tenth of a second.
    private static func record(
        at path: String, realtimeStep: Int64 = 0
    ) throws -> [Instant<Monotonic>] {
        var random = SeededGenerator(seed: 8)
        let run = try SampleRun(
            Sample.plan(program: [.capture(count: 60, settings: 0, lights: 0, step: 0)]), at: path)
        var truth: [Instant<Monotonic>] = []
        for slot: Int64 in 0..<60 {
            let time = Sample.epoch + .milliseconds(30 * slot + 40)
            truth.append(time)
            let delay = random.number(0...49)
            if slot % 3 == 0 {
                let before = time.nanoseconds - random.number(200...900)
                let shown = before + 1_700_000_000_000_000_000 + (slot >= 30 ? realtimeStep : 0)
                run.record.append(
                    .clockSample(
                        ClockSample(
                            before: Instant(nanoseconds: before), ClockTime(.realtime, shown + 150),
                            after: Instant(nanoseconds: before + random.number(160...900)))),
                    at: Instant(nanoseconds: slot))
            }
            var row = Sample.row(slot)
            row.rawTimestamp = time + .microseconds(delay)
            // As the engine has it: 8 ms up to between the timestamp less 50 µs and the timestamp and 1 µs.
            let middle = time + .nanoseconds(delay * 1_000 - 50_000 + 25_500)
            let end = Instant<Session>(nanoseconds: (middle - Sample.epoch).nanoseconds)
            row.exposureTime = ExposureTime(
                start: end - .milliseconds(8), mid: end - .milliseconds(4), end: end,
                halfWidth: .nanoseconds(25_501))
            run.frame(row)
        }
        _ = try run.finish()
        return truth
    }

    private static func table(_ path: String) throws -> [[String: String]] {
        let text = try String(contentsOfFile: path + "/refit.csv", encoding: .utf8)
        let lines = text.split(separator: "\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        return lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(lines[0], $0)) }
    }

    @Test func `afterwards times are known better, and the truth is within`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/run"
        let truth = try Self.record(at: path)
        let ledger = try Data(contentsOf: URL(filePath: path + "/ledger.csv"))
        let refit = try RunRefit(path)
        try refit.write()
        #expect(try Data(contentsOf: URL(filePath: path + "/ledger.csv")) == ledger)

        let rows = try Self.table(path)
        #expect(rows.count == 60)
        for (row, time) in zip(rows, truth) {
            func number(_ name: String) throws -> Int64 {
                try #require(row[name].flatMap { Int64($0) }, "\(name)")
            }
            let error = try number("fitted_timestamp_ns") - time.nanoseconds
            #expect(error.magnitude <= (try number("fitted_half_width_ns")).magnitude)
            // Session time of the middle, and the same in UTC.
            let mid = (time - Sample.epoch).nanoseconds - 4_000_000
            let width = try number("session_half_width_ns")
            #expect((try number("session_mid_ns") - mid).magnitude <= width.magnitude)
            #expect(width < 12_000)
            let realtime = time.nanoseconds - 4_000_000 + 1_700_000_000_000_000_000
            #expect(
                (try number("CLOCK_REALTIME_mid_ns") - realtime).magnitude
                    <= (try number("CLOCK_REALTIME_half_width_ns")).magnitude)
        }
        let clock = try #require(refit.json["clocks"]?["CLOCK_REALTIME"])
        #expect(clock["readings"] == 20)
        #expect(clock["segments"]?.arrayValue?.count == 1)
        let period = try #require(refit.json["frames"]?["shortest_period_fs"]?.integerValue)
        #expect((29_999_000_000_000...30_000_000_000_000).contains(period))
        #expect(refit.text.contains("CLOCK_REALTIME: 20 readings, median half-width "))
        #expect(refit.text.contains("60 slots, 60 with times, 60 better known than recorded"))
    }

    @Test func `a step of realtime is a break in its relation`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/run"
        _ = try Self.record(at: path, realtimeStep: -3_000_000_000)
        let refit = try RunRefit(path)
        let kinds = refit.json["clocks"]?["CLOCK_REALTIME"]?["segments"]?.arrayValue?.compactMap {
            $0["kind"]?.stringValue
        }
        #expect(kinds == ["steady", "break", "steady"])
        #expect(refit.text.contains("1 break"))
    }

    @Test func `verify knows a fit, and one that is of another record`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/run"
        _ = try Self.record(at: path)
        try RunRefit(path).write()
        // Sample rows promise other pixels' times than the plan; only what concerns the fit counts here.
        let before = try RunVerifier.verify(path, scope: []).problems.filter {
            $0.file.hasPrefix("refit")
        }
        #expect(before == [])
        let table = path + "/refit.csv"
        let text = try String(contentsOfFile: table, encoding: .utf8)
        try Data((text + "\n").utf8).write(to: URL(filePath: table))
        let found = try RunVerifier.verify(path, scope: []).problems.filter {
            $0.file == "refit.json"
        }
        let message = "it is not of this refit.csv: `framelock refit` makes it again"
        #expect(found.map(\.message) == [message])
        try Data("{}".utf8).write(to: URL(filePath: path + "/refit.json"))
        #expect(
            try RunVerifier.verify(path, scope: []).problems.contains {
                $0.message == "this is no fit of this version of framelock"
            })
    }

    @Test func `a relation is read as it was written`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/run"
        _ = try Self.record(at: path, realtimeStep: 5_000_000_000)
        let json = try #require(try RunRefit(path).json["clocks"]?["CLOCK_REALTIME"]?["segments"])
        let form = JSONForm<ClockSegments<Monotonic, DeviceClock>>.segments
        let relation = try form.read(json)
        #expect(form.write(relation) == json)
        #expect(relation.breaks.count == 1)
        #expect(throws: JSONFault.self) { try form.read([["kind": "steady"]]) }
        #expect(throws: JSONFault.self) {
            try form.read([["kind": "steady", "knots_ns": [[0, 9, 8]]]])
        }
    }
}
