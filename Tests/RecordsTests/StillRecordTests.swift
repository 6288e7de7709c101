import Foundation
import Imaging
import Notation
import Recipes
import Testing
import Timebase

@testable import Records

/// Stills in the run folder: hashed, counted, verified; a missing one is a finding.
struct StillRecordTests {
    /// A run of six frames whose step asks for DNGs.
    private static func run(
        at path: String, missed: [Int64] = [], tamper: (RunRecord) throws -> Void = { _ in }
    ) throws -> Judgement {
        var plan = try Sample.plan(
            program: [
                .capture(count: 6, settings: 0, lights: 0, step: 0),
                .capture(count: 2, settings: 0, lights: 0, step: 1),
            ], require: Requirements(dropped: nil))
        plan.stills = [PlannedStill(step: 0, format: .dng)]
        let run = try SampleRun(plan, at: path)
        let stills = try #require(run.record.stills)
        for slot in 0..<6 as Range<Int64> {
            if slot == 4 {
                var hole = Sample.hole(slot, .droppedByDriver)
                hole.deviceSequence = 4
                run.record.append(
                    .framesMissing(count: 1, before: 5, reason: .droppedByDriver),
                    at: Instant(nanoseconds: 9))
                run.hole(hole)
                continue
            }
            run.frame(Sample.row(slot))
            if missed.contains(slot) {
                run.record.append(.stillMissed(slot: slot, errno: 0), at: Instant(nanoseconds: 9))
            } else {
                try stills.write(slot: slot, .dng, [1, 2, UInt8(slot)])
            }
        }
        for slot in 6..<8 as Range<Int64> {
            var row = Sample.row(slot)
            row.step = 1
            run.frame(row)
        }
        try tamper(run.record)
        return try run.finish()
    }

    @Test func `every still is a file by its slot, in checksums, counted and verified`() throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/run"
        _ = try Self.run(at: path)
        let names = try FileManager.default.contentsOfDirectory(atPath: path + "/stills").sorted()
        #expect(names == [0, 1, 2, 3, 5].map { "00000\($0).dng" })
        let checksums = try String(contentsOfFile: path + "/checksums", encoding: .utf8)
        for name in names { #expect(checksums.contains("  stills/\(name)\n")) }
        let report = try RunVerifier.verify(path, scope: [])
        #expect(report.isConsistent, "\(report.text)")
        let summary = try RunSummary.read(path)
        #expect(summary.json["stills"] == 5)
        #expect(summary.json["missed_stills"] == 0)
    }

    @Test func `a missed still is a finding and no hole`() throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/run"
        let judgement = try Self.run(at: path, missed: [2, 5])
        let finding = try #require(judgement.findings.first { $0.id == "missed-stills" })
        #expect(finding.message == "2 stills missing; the frames are recorded")
        #expect(!finding.isOverLimit)
        #expect(judgement.verdict == .trustworthy)
        let report = try RunVerifier.verify(path, scope: [])
        #expect(report.isConsistent, "\(report.text)")
        #expect(report.frames == 7)
        #expect(try RunSummary.read(path).json["stills"] == 3)
    }

    @Test func `verify notices a changed still, a missing one and one too many`() throws {
        let temporary = try TemporaryFolder()
        func problems(_ name: String, _ change: (String) throws -> Void) throws -> [String] {
            let path = temporary.path + "/" + name
            _ = try Self.run(at: path)
            try change(path)
            return try RunVerifier.verify(path, scope: []).problems.map(\.description)
        }
        #expect(
            try problems("changed") {
                try Data([9]).write(to: URL(filePath: $0 + "/stills/000003.dng"))
            } == ["stills/000003.dng: the SHA-256 is not the one in checksums"])
        let missing = try problems("missing") {
            try FileManager.default.removeItem(atPath: $0 + "/stills/000003.dng")
        }
        #expect(missing.count == 1 && missing[0].hasPrefix("stills/000003.dng: can't open"))
        func edit(_ path: String, _ change: (inout [String]) -> Void) throws {
            let file = path + "/checksums"
            var lines = try String(contentsOfFile: file, encoding: .utf8)
                .split(separator: "\n").map(String.init)
            change(&lines)
            try (lines.joined(separator: "\n") + "\n").write(
                toFile: file, atomically: true, encoding: .utf8)
        }
        #expect(
            try problems("unlisted") {
                try edit($0) { $0.removeAll { $0.hasSuffix("000001.dng") } }
            } == [
                "checksums: stills/000001.dng is not listed, and no event reports it as missing"
            ])
        #expect(
            try problems("stranger") {
                try edit($0) {
                    $0.append(String(repeating: "0", count: 64) + "  stills/000007.dng")
                }
            } == ["checksums: stills/000007.dng is listed, and the ledger has no such still"])
        // Which `sha256sum -c` passes over.
        #expect(
            try problems("unspaced") {
                try edit($0) {
                    $0 = $0.map { $0.replacing("  stills/000003", with: " $stills/000003") }
                }
            } == ["checksums: ` $stills/000003.dng` has not two spaces before the name"])
    }

    @Test func `a still that the disk refuses leaves nothing behind`() throws {
        let temporary = try TemporaryFolder()
        _ = try Self.run(at: temporary.path + "/run", missed: [0]) { record in
            try FileManager.default.createDirectory(
                atPath: record.folder.stills + "/000000.dng", withIntermediateDirectories: false)
            let error = #expect(throws: StorageError.self) {
                try record.stills?.write(slot: 0, .dng, [1])
            }
            #expect(error?.errno == EEXIST)
        }
    }

    @Test func `a plan without stills makes no folder and no counts`() throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/run"
        let run = try SampleRun(try Sample.plan(), at: path)
        for slot in 0..<5 as Range<Int64> { run.frame(Sample.row(slot)) }
        try run.finish()
        #expect(!FileManager.default.fileExists(atPath: path + "/stills"))
        #expect(try RunSummary.read(path).json["stills"] == nil)
    }
}
