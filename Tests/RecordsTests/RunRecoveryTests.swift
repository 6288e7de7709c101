import Foundation
import Imaging
import Notation
import Recipes
import Testing
import Timebase

@testable import Records

/// `framelock recover`: what a cut left becomes a record that is ended.
struct RunRecoveryTests {
    /// A plan of ten frames with stills.
    private static func plan() throws -> Plan {
        var plan = try Sample.plan(
            program: [.capture(count: 10, settings: 0, lights: 0, step: 0)],
            require: Requirements(dropped: nil))
        plan.stills = [PlannedStill(step: 0, format: .dng)]
        return plan
    }

    /// A run that was cut behind its fourth frame; the fifth one has no row yet.
    private static func cut(at path: String) throws {
        let run = try SampleRun(plan(), at: path)
        let stills = try #require(run.record.stills)
        for slot in 0..<4 as Range<Int64> {
            run.frame(Sample.row(slot))
            if slot != 2 { try stills.write(slot: slot, .dng, [1, 2, UInt8(slot)]) }
        }
        try run.record.flush()
        let ledger = try Data(contentsOf: URL(filePath: path + "/ledger.csv"))
        run.frame(Sample.row(4))
        try run.record.flush()
        try ledger.write(to: URL(filePath: path + "/ledger.csv"))
        try Data("half".utf8).write(to: URL(filePath: path + "/stills/000005.dng.new"))
        try stills.write(slot: 4, .dng, [1, 2, 4])
    }

    @Test func `rows and their frames stay, slots without a row are cut, and all of it fits`()
        throws
    {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/run"
        try Self.cut(at: path)
        let recovery = try RunRecovery(path, scope: [])
        #expect(recovery.outcome == .recovered)
        #expect(recovery.exitCode == 0, "\(recovery.text)")
        #expect(recovery.unrecordedFrames == 1)
        #expect(recovery.judgement?.verdict == .partial)
        #expect(
            recovery.judgement?.findings.first?.message
                == "the run ended early (cut) after 4 of 10 slots")
        let report = try RunVerifier.verify(path, scope: [])
        #expect(report.text == "\(path): consistent (4 slots, 4 frames)")
        let rows = try String(contentsOfFile: path + "/ledger.csv", encoding: .utf8)
            .split(separator: "\n")
        #expect(rows.count == 6)
        #expect(rows[5].hasPrefix("4,sequence[0],not-reached,cut,"))
        #expect(rows[5].hasSuffix(",9,,,"))
        // The still that was not made has its event, and half a one is gone.
        let summary = try RunSummary.read(path).json
        #expect(summary["stills"] == 3)
        #expect(summary["missed_stills"] == 1)
        #expect(summary["ending"] == "cut")
        let names = try FileManager.default.contentsOfDirectory(atPath: path + "/stills").sorted()
        #expect(names == [0, 1, 3].map { "00000\($0).dng" })
        #expect(try RunRecovery(path, scope: []).outcome == .alreadyFinalised)
    }

    @Test(arguments: [
        "4,sequence[0],fra", String(repeating: "\0", count: 3_000),
        // A sector that was not written, and one behind it that was.
        "4,seq\0\0\0\0,,,\n5,sequence[0],hole,dropped,,,,,,,,8000000,,2,,,,,,,,,0,0.42\n",
    ])
    func `what a cut left of a last line is taken off, and told`(rest: String) throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/run"
        try Self.cut(at: path)
        for name in ["ledger.csv", "events.jsonl"] {
            let file = try FileHandle(forWritingTo: URL(filePath: "\(path)/\(name)"))
            try file.seekToEnd()
            try file.write(contentsOf: Data(rest.utf8))
        }
        let recovery = try RunRecovery(path, scope: [])
        #expect(recovery.exitCode == 0, "\(recovery.text)")
        #expect(recovery.cutByteCount == Int64(rest.utf8.count * 2))
        let log = try String(contentsOfFile: path + "/events.jsonl", encoding: .utf8)
        #expect(
            log.contains(
                #""event":"record-recovered","frames":1,"bytes":\#(rest.utf8.count * 2)}"#))
    }

    /// A change that no cut makes, and what is said of it.
    static let damages: [(file: String, from: String, to: String, message: String)] = [
        ("ledger.csv", "\n2,sequence[0]", "\n2,sequence?0]", "line 4 is damaged"),
        ("ledger.csv", "\n3,sequence[0]", "\n3,sequence?0]", "line 5 is damaged"),
        ("ledger.csv", "\n", "\r\n", "line 1 is damaged"),
        ("ledger.csv", "slot,step", "slot,step\0", "line 1 is damaged"),
        ("ledger.csv", "\n3,", "\n-1,", "the row is slot -1, expected 3"),
        ("ledger.csv", "\n3,", "\n9223372036854775807,", "the row is slot 9223372036854775807"),
        ("ledger.csv", "\n3,", "\n1000000000000000,", "the row is slot 1000000000000000"),
        ("plan.json", "\"name\":\"", "\"name\":\"x", "SHA-256"),
        ("recipe.yaml", "framelock", "framelack", "SHA-256"),
    ]

    @Test(arguments: damages)
    func `what no cut does is refused, and nothing is changed`(
        file: String, from: String, to: String, message: String
    ) throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/run"
        try Self.cut(at: path)
        let url = URL(filePath: "\(path)/\(file)")
        let text = try String(contentsOf: url, encoding: .utf8)
        try #require(text.contains(from))
        let damaged = text.replacing(from, with: to)
        try Data(damaged.utf8).write(to: url)
        let shard = URL(filePath: path + "/frames.zarr/0/c/0/0/0")
        let frames = try Data(contentsOf: shard)
        let error = #expect(throws: UnreadableRun.self) { _ = try RunRecovery(path, scope: []) }
        #expect(error?.exitCode == 65)
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
        #expect(error?.message.contains("nothing was changed") == true || file == "plan.json")
        #expect(try String(contentsOf: url, encoding: .utf8) == damaged)
        #expect(try Data(contentsOf: shard) == frames)
    }

    @Test(arguments: [(60, true), (70, false)])
    func `zeros with more rows behind them than one flush writes are damage`(
        behind: Int, isCut: Bool
    ) throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/run"
        do {
            let run = try SampleRun(
                Sample.plan(program: [.capture(count: 200, settings: 0, lights: 0, step: 0)]),
                at: path)
            for slot in 0..<100 as Range<Int64> { run.frame(Sample.row(slot)) }
            try run.record.flush()
        }
        let file = URL(filePath: path + "/ledger.csv")
        var lines = try String(contentsOf: file, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        let place = lines.count - 2 - behind
        lines[place] = Substring(String(repeating: "\0", count: lines[place].utf8.count))
        let damaged = Data(lines.joined(separator: "\n").utf8)
        try damaged.write(to: file)
        guard !isCut else {
            let recovery = try RunRecovery(path, scope: [])
            #expect(recovery.exitCode == 0, "\(recovery.text)")
            return #expect(recovery.unrecordedFrames == Int64(behind) + 1)
        }
        let error = #expect(throws: UnreadableRun.self) { _ = try RunRecovery(path, scope: []) }
        #expect(error?.message.contains("zeros stand before 70 rows") == true)
        #expect(try Data(contentsOf: file) == damaged)
    }

    @Test func `a run that still goes on is left alone`() throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/run"
        let run = try SampleRun(Self.plan(), at: path)
        run.frame(Sample.row(0))
        try run.record.flush()
        let refused = try RunRecovery(path, scope: [])
        #expect(refused.outcome == .running)
        #expect(refused.exitCode == 64)
        #expect(refused.text.contains("in use: the run still goes on"))
        run.frame(Sample.row(1))
        _ = try run.finish()
        #expect(try RunRecovery(path, scope: []).outcome == .alreadyFinalised)
    }

    @Test(arguments: [
        (12_288, "has another CRC-32C than the row"), (0, "the shard's index is damaged"),
    ])
    func `frames that are not there any more are not hidden`(
        offset: UInt64, message: String
    ) throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/run"
        try Self.cut(at: path)
        let shard = try FileHandle(
            forWritingTo: URL(filePath: path + "/frames.zarr/0/c/0/0/0"))
        try shard.seek(toOffset: offset)
        try shard.write(contentsOf: Data([0xFF, 0xFE, 0xFD]))
        let error = #expect(throws: UnreadableRun.self) { _ = try RunRecovery(path, scope: []) }
        #expect(error?.exitCode == 65)
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }

    @Test func `what a cut at the very end left beside a finished run goes`() throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/run"
        try Self.cut(at: path)
        _ = try RunRecovery(path, scope: [])
        try Data("x".utf8).write(to: URL(filePath: path + "/ledger.csv.new"))
        #expect(try RunRecovery(path, scope: []).outcome == .alreadyFinalised)
        #expect(!FileManager.default.fileExists(atPath: path + "/ledger.csv.new"))
    }

    @Test func `an endless run ends with the rows that it has`() throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/run"
        do {
            let run = try SampleRun(
                Sample.plan(program: [
                    .loop(count: -1, every: .zero, end: 2, step: 0),
                    .capture(count: 1, settings: 0, lights: 0, step: 0), .endLoop(start: 0),
                ]), at: path)
            for slot in 0..<70 as Range<Int64> { run.frame(Sample.row(slot)) }
            try run.record.flush()
        }
        let recovery = try RunRecovery(path, scope: [])
        #expect(recovery.exitCode == 0, "\(recovery.text)")
        let array = try String(contentsOfFile: path + "/frames.zarr/0/zarr.json", encoding: .utf8)
        #expect(array.contains("70,"))
        #expect(recovery.judgement?.verdict == .partial)
    }
}
