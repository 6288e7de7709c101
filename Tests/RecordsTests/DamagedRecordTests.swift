import Foundation
import TestSupport
import Testing

@testable import Records

/// Whatever is in a record's files, `verify` and `show` come to an end and say what they found.
struct DamagedRecordTests {
    /// Numbers at the ends of everything that numbers are kept in.
    private static let numbers = [
        "-1", "0", "2147483647", "2147483648", "4294967295", "4294967296", "4294967297",
        "9223372036854775807", "-9223372036854775808", "18446744073709551615", "1e99", "0.5", "",
    ]

    /// Damages a text as a disk, an editor or a hand would: in numbers, lines and bytes.
    private func damaged(_ text: String, _ random: inout SeededGenerator) -> [UInt8] {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        for _ in 0...random.below(3) {
            let line = random.below(lines.count)
            switch random.below(6) {
            case 0: lines.remove(at: line)
            case 1: lines.insert(random.element(of: lines), at: line)
            case 2: lines.swapAt(line, random.below(lines.count))
            default: changeNumber(&lines[line], &random)
            }
            if lines.isEmpty { return [] }
        }
        var bytes = Array(lines.joined(separator: "\n").utf8)
        if !bytes.isEmpty, random.chance(20) {
            bytes[random.below(bytes.count)] = UInt8(random.below(256))
        }
        if random.chance(10) { bytes.removeLast(random.below(bytes.count + 1)) }
        return bytes
    }

    private func changeNumber(_ line: inout String, _ random: inout SeededGenerator) {
        let found = line.ranges(of: /-?[0-9]+/)
        guard !found.isEmpty else { return }
        line.replaceSubrange(random.element(of: found), with: random.element(of: Self.numbers))
    }

    @Test func `a plan that lost a member is a plan that was changed, not one of another version`()
        throws
    {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/run"
        _ = try TriggeredSample.record(at: path)
        let plan = URL(filePath: "\(path)/plan.json")
        let text = try String(contentsOf: plan, encoding: .utf8)
        try Data(text.replacing("\"steps\"", with: "\"stepz\"").utf8).write(to: plan)
        let error = #expect(throws: UnreadableRun.self) {
            _ = try RunVerifier.verify(path, scope: [])
        }
        #expect(error?.isDamaged == true)
        #expect(error?.message.contains("was changed or cut") == true)
    }

    @Test(arguments: ["events.jsonl", "ledger.csv", "checksums", "plan.json", "run.json"])
    func `no damage makes verify or show crash or hang`(file: String) throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/run"
        _ = try TriggeredSample.record(at: path)
        let target = URL(filePath: "\(path)/\(file)")
        let manifest = URL(filePath: path + "/run.json")
        let finalised = try String(contentsOf: manifest, encoding: .utf8)
        let whole = try String(contentsOf: target, encoding: .utf8)
        for seed in 1...60 as ClosedRange<UInt64> {
            var random = SeededGenerator(seed: seed)
            // One that goes on is read in other ways.
            let goesOn = random.chance(50)
            let state =
                goesOn
                ? finalised.replacing("\"finalised\"", with: "\"running\"") : finalised
            try Data(state.utf8).write(to: manifest)
            let bytes = damaged(file == "run.json" ? state : whole, &random)
            try Data(bytes).write(to: target)
            guard let report = try? RunVerifier.verify(path, scope: []) else {
                #expect(file == "plan.json" || file == "run.json", "seed \(seed)")
                continue
            }
            let isSame = bytes == Array((file == "run.json" ? state : whole).utf8)
            // The lines of `checksums` may stand in any order.
            if !goesOn, !isSame, file != "checksums" {
                #expect(report.exitCode != 0, "seed \(seed)")
            }
            _ = try? RunSummary.read(path)
            _ = try? SlotTimes(path, slot: 1, rows: [0]).text
            _ = try? RunRefit(path).text
        }
    }

    @Test(arguments: ["epoch_ns", "embedded_lines", "count", "exposure_end_ns"])
    func `no number of a manifest makes a slot's times trap`(member: String) throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/run"
        _ = try TriggeredSample.record(at: path)
        let manifest = URL(filePath: path + "/run.json")
        let text = try String(contentsOf: manifest, encoding: .utf8)
        let place = try Regex("\"\(member)\": ?-?[0-9]+")
        for number in Self.numbers where Int64(number) != nil {
            let damaged = text.replacing(place, with: "\"\(member)\": \(number)")
            #expect(damaged != text || text.contains(": \(number)"))
            try Data(damaged.utf8).write(to: manifest)
            _ = try? SlotTimes(path, slot: 0, rows: [0]).json
        }
    }

    @Test(arguments: [
        ("frames-skipped", "9223372036854775807"), ("frames-skipped", "-5"),
        ("frames-missing", "0"), ("frames-missing", "4294967297"),
    ])
    func `an event about more frames than there are numbers is none`(
        event: String, count: String
    ) throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/run"
        _ = try TriggeredSample.record(at: path)
        let file = URL(filePath: path + "/events.jsonl")
        var lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            .map(String.init)
        let line = try #require(lines.firstIndex { $0.contains(event) })
        lines[line].replace(/"count":[0-9]+/, with: "\"count\":\(count)")
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
        let report = try RunVerifier.verify(path, scope: [])
        #expect(
            report.problems.contains {
                $0.description == "events.jsonl:\(line + 1): not an event of this plan"
            })
    }
}
