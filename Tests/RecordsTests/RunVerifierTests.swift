import Devices
import Foundation
import Notation
import Recipes
import Testing
import Timebase

@testable import Records

struct RunVerifierTests {
    @Test func `a good run is consistent`() throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/run"
        let judgement = try TriggeredSample.record(at: path)
        #expect(judgement.verdict == .missingFrames)
        #expect(judgement.exitCode == 80)
        let report = try RunVerifier.verify(path, scope: [])
        #expect(report.text == "\(path): consistent (20 slots, 18 frames)")
        #expect(report.exitCode == 0)
        #expect(report.json["consistent"] == true)
    }

    /// A change to a file of the run, and what must be said about it.
    struct Damage: Sendable, CustomTestStringConvertible {
        let file: String
        let change: @Sendable (inout String) -> Void
        let problem: String

        init(
            _ file: String, _ problem: String, _ change: @escaping @Sendable (inout String) -> Void
        ) {
            self.file = file
            self.problem = problem
            self.change = change
        }

        var testDescription: String { problem }
    }

    static let damages = [
        Damage("recipe.yaml", "recipe.yaml: the SHA-256 is not the one in run.json") { $0 += "\n" },
        Damage("recipe.yaml", "recipe.yaml: the SHA-256 is not the one in checksums:6") {
            $0 += " "
        },
        Damage("ledger.csv", "ledger.csv: the SHA-256 is not the one in checksums:4") {
            replace(&$0, "25000", "25001")
        },
        Damage("ledger.csv", "ledger.csv: the rows from slot 19 on are missing") { text in
            text.removeLast()
            text = text[...(text.lastIndex(of: "\n") ?? text.startIndex)].description
        },
        Damage("ledger.csv", "ledger.csv:4: the row is slot 3, expected 2") { text in
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            text = (lines[..<3] + lines[4...]).joined(separator: "\n")
        },
        Damage("ledger.csv", "ledger.csv:21: the line is cut short") { $0.removeLast() },
        Damage("ledger.csv", "ledger.csv:7: the frame of slot 5 is missing") { text in
            var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            lines[6] =
                "5,sequence[0],frame,,8,,,,,,,8000000,,2,,,,,1.000,00000000,,0.000000,0,0.42"
                + ",,,,,,,none,none,none,none,,,,,,"
            text = lines.joined(separator: "\n")
        },
        Damage("ledger.csv", "ledger.csv:2: slot 0 is a hole and has a frame") { text in
            var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            lines[1] =
                "0,sequence[0],hole,damaged,,,,,,,,8000000,,2,,,,,,,,,0,0.42,,,,,,,none,none,none,none,,,,,,"
            text = lines.joined(separator: "\n")
        },
        Damage("ledger.csv", "ledger.csv:5: device_sequence 5 does not follow 5") {
            replace(&$0, "3,sequence[0],frame,,6", "3,sequence[0],frame,,5")
        },
        Damage(
            "ledger.csv",
            "ledger.csv:13: exposure (ns) was 500001, the plan has 500000, and no event explains it"
        ) { replace(&$0, ",500000,500000,", ",500000,500001,", after: "11,sequence") },
        Damage("ledger.csv", "ledger.csv:12: edge part_present:99 is not among the events") {
            replace(&$0, "part_present:1,", "part_present:99,")
        },
        Damage("ledger.csv", "ledger.csv:3: luma_mean or saturated_fraction is not the frame's") {
            replace(&$0, ",0.000000,0,", ",0.500000,0,", after: "\n1,sequence")
        },
        Damage("ledger.csv", "ledger.csv:3: raw_timestamp_ns is not later than the frame's before")
        { replace(&$0, ",5047333333,", ",47333333,") },
        Damage("events.jsonl", "events.jsonl:2: not an event of this plan") {
            replace(&$0, "startup", "boredom")
        },
        Damage("events.jsonl", "ledger.csv:6: no event reports that frame 7 was lost") { text in
            removeLines(of: "frames-missing", from: &text)
        },
        Damage(
            "events.jsonl",
            "ledger.csv:12: 37 of the frames between device_sequence 12 and 50 are neither holes nor"
        ) { text in removeLines(of: "frames-skipped", from: &text) },
        Damage("events.jsonl", "ledger.csv:12: edge part_present:1 is not among the events") {
            replace(&$0, "\"number\":1,\"edge\"", "\"number\":77,\"edge\"")
        },
        Damage("events.jsonl", "run.json: `triggers` is") {
            replace(&$0, "\"event\":\"edge\"", "\"event\":\"door\"")
        },
        Damage("run.json", "run.json: `frames` is 19, a recount gives 18") {
            replace(&$0, "\"frames\": 18", "\"frames\": 19")
        },
        Damage("run.json", "run.json: `verdict` is \"trustworthy\", a recount gives") {
            replace(&$0, "missing-frames", "trustworthy")
        },
        Damage("run.json", "run.json: `frames_lost` is 12, a recount gives 2") {
            replace(&$0, "\"frames_lost\": 2", "\"frames_lost\": 12")
        },
        Damage("events.jsonl", "slots are taken again, and the plan makes holes of lost frames") {
            $0 +=
                #"{"at_ns":7,"event":"slot-retaken","slot":1,"sequence":9,"reason":"damaged"}"#
                + "\n"
        },
        Damage("run.json", "run.json: `ending` is missing") { replace(&$0, "completed", "fine") },
        Damage("checksums", "checksums: run.json is not listed") { replace(&$0, "run.json", "x") },
        Damage("checksums", "checksums: frames.zarr/0/c/0/0/0 is not listed") {
            removeLines(of: "/c/0/", from: &$0)
        },
        Damage("frames.zarr/0/zarr.json", "zarr.json: this is not the metadata of such frames") {
            replace(&$0, "uint16", "uint8")
        },
        Damage("frames.zarr/zarr.json", "zarr.json: this is not the metadata of such frames") {
            replace(&$0, "RGGB", "BGGR")
        },
    ]

    /// A row of slots that were not reached, with what the plan asks of another one.
    private static func notReached(_ slots: ClosedRange<Int64>, like row: Substring) -> String {
        let fields = row.split(separator: ",", omittingEmptySubsequences: false)
        return LedgerColumn.allCases.enumerated().map { place, column in
            switch column {
            case .slot: "\(slots.lowerBound)"
            case .lastSlot: "\(slots.upperBound)"
            case .status: "not-reached"
            case .reason: "interrupted"
            case .exposureKnownBy, .gainKnownBy, .lensKnownBy, .whiteBalanceKnownBy: "none"
            case .step, .settings, .requestedExposure, .requestedGain, .requestedLensPosition,
                .requestedTemperature, .requestedRedGain, .requestedBlueGain, .label, .lights,
                .rounds:
                String(fields[place])
            default: ""
            }
        }.joined(separator: ",")
    }

    @Test(
        arguments: [
            (19...19, nil),
            (19...18_000, "ledger.csv:21: the last slot is 18000, the plan's is 19"),
            (18...19, "ledger.csv:21: the row is slot 18, expected 19"),
        ] as [(ClosedRange<Int64>, String?)])
    func `what was not reached is all that is left of the plan`(
        slots: ClosedRange<Int64>, problem: String?
    ) throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/run"
        _ = try TriggeredSample.record(at: path)
        var lines = try String(contentsOfFile: path + "/ledger.csv", encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false)
        lines[20] = Self.notReached(slots, like: lines[20])[...]
        try lines.joined(separator: "\n").write(
            toFile: path + "/ledger.csv", atomically: false, encoding: .utf8)
        let report = try RunVerifier.verify(path, scope: [])
        let said = report.problems.map(\.description).filter { $0.hasPrefix("ledger.csv:") }
        if let problem {
            #expect(said.contains(problem), "\(report.text)")
        } else {
            #expect(
                said == ["ledger.csv: the SHA-256 is not the one in checksums:4"], "\(report.text)")
        }
        #expect(report.slots == 19)
    }

    @Test(arguments: damages)
    func `whatever is changed is found, with file and line`(damage: Damage) throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/run"
        _ = try TriggeredSample.record(at: path)
        let file = "\(path)/\(damage.file)"
        let before = try String(contentsOfFile: file, encoding: .utf8)
        var after = before
        damage.change(&after)
        try #require(after != before, "the damage did nothing")
        try after.write(toFile: file, atomically: false, encoding: .utf8)
        let report = try RunVerifier.verify(path, scope: [])
        #expect(report.exitCode == 65)
        #expect(
            report.problems.contains { $0.description.contains(damage.problem) },
            "\(report.text)")
    }

    @Test(arguments: [4_096, 4_096 * 3 + 1_279])
    func `a single bit of a frame is found`(offset: Int) throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/run"
        _ = try TriggeredSample.record(at: path)
        try flip(path + "/frames.zarr/0/c/0/0/0", at: offset)
        let report = try RunVerifier.verify(path, scope: [])
        let slot = (offset - 4_096) / 4_096
        #expect(
            report.problems.map(\.description) == [
                "ledger.csv:\(slot + 2): the frame of slot \(slot) has another CRC-32C than the row",
                "frames.zarr/0/c/0/0/0: the SHA-256 is not the one in checksums",
            ])
    }

    @Test func `a damaged index is two problems, a missing shard one more than it has frames`()
        throws
    {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/run"
        _ = try TriggeredSample.record(at: path)
        let shard = path + "/frames.zarr/0/c/0/0/0"
        try flip(shard, at: 5)
        var report = try RunVerifier.verify(path, scope: [])
        #expect(
            report.problems.map(\.description) == [
                "frames.zarr/0/c/0/0/0: the shard's index is damaged",
                "frames.zarr/0/c/0/0/0: the SHA-256 is not the one in checksums",
            ])
        try FileManager.default.removeItem(atPath: shard)
        report = try RunVerifier.verify(path, scope: [])
        #expect(report.problemCount == 19)
        #expect(
            report.problems.first?.description == "ledger.csv:2: the frame of slot 0 is missing")
    }

    @Test func `problems are listed up to a hundred and counted beyond`() throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/run"
        let plan = try Sample.plan(
            program: [.capture(count: 130, settings: 0, lights: 0, step: 0)])
        let run = try SampleRun(plan, at: path)
        for slot in 0..<130 as Range<Int64> { run.frame(Sample.row(slot)) }
        try run.finish()
        try FileManager.default.removeItem(atPath: path + "/frames.zarr/0/c")
        let report = try RunVerifier.verify(path, scope: [])
        // One for each frame, and one for each of the five shards.
        #expect(report.problemCount == 135)
        #expect(report.problems.count == 100)
        #expect(report.text.contains("\n… and 35 problems more\n"))
    }

    @Test func `a folder that is no run, and a run without its ledger, are unreadable`() throws {
        let temporary = try TemporaryFolder()
        let none = #expect(throws: UnreadableRun.self) {
            try RunVerifier.verify(temporary.path + "/nothing", scope: [])
        }
        #expect(none?.message.contains("No such file") == true)
        let path = temporary.path + "/run"
        _ = try TriggeredSample.record(at: path)
        try FileManager.default.removeItem(atPath: path + "/ledger.csv")
        let report = try RunVerifier.verify(path, scope: [])
        #expect(report.exitCode == 74)
    }

    private static func removeLines(of event: String, from text: inout String) {
        text = text.split(separator: "\n").filter { !$0.contains(event) }.map { $0 + "\n" }
            .joined()
    }

    private static func replace(
        _ text: inout String, _ old: String, _ new: String, after mark: String = ""
    ) {
        let start = mark.isEmpty ? text.startIndex : text.range(of: mark)?.upperBound
        guard let start, let range = text.range(of: old, range: start..<text.endIndex) else {
            return
        }
        text.replaceSubrange(range, with: new)
    }

    private func flip(_ path: String, at offset: Int) throws {
        var data = try Data(contentsOf: URL(fileURLWithPath: path))
        data[offset] ^= 0x01
        try data.write(to: URL(fileURLWithPath: path))
    }
}
