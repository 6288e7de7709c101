import Foundation
import Imaging
import Recipes
import TestSupport
import Testing
import Timebase

@testable import Records

struct RunRecordTests {
    @Test func `a finished run has every file and a verdict`() throws {
        let folder = try TemporaryFolder()
        let run = try SampleRun(Sample.plan(), at: folder.path + "/deep/run")
        for slot in 0..<5 as Range<Int64> { run.frame(Sample.row(slot)) }
        let judgement = try run.finish()
        #expect(judgement.verdict == .trustworthy)
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path + "/deep/run")
        #expect(
            files.sorted() == [
                "checksums", "events.jsonl", "frames.zarr", "frames.zarr/0", "frames.zarr/0/c",
                "frames.zarr/0/c/0", "frames.zarr/0/c/0/0", "frames.zarr/0/c/0/0/0",
                "frames.zarr/0/zarr.json", "frames.zarr/zarr.json", "ledger.csv", "plan.json",
                "recipe.yaml", "run.json",
            ])
    }

    /// The exit status of `sha256sum` over the checksums of a run.
    private static func checkSums(_ path: String) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/sha256sum")
        process.arguments = ["--check", "--strict", "--status", "checksums"]
        process.currentDirectoryURL = URL(fileURLWithPath: path)
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Shards whose slots all have frames, with holes at every place, and the last one shorter than planned.
    @Test(arguments: [[], [0], [3], [127], [128], [130], [130, 299], [299]] as [[Int64]])
    func `sha256sum agrees with the checksums, which cover every file, frames too`(
        holes: [Int64]
    ) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/run"
        let plan = try Sample.plan(
            program: [.capture(count: 300, settings: 0, lights: 0, step: 0)])
        let run = try SampleRun(plan, at: path)
        run.record.append(.streamStarted, at: Instant(nanoseconds: 0))
        for slot in 0..<300 as Range<Int64> {
            if holes.contains(slot) {
                run.hole(Sample.hole(slot, .droppedByDriver))
            } else {
                run.frame(Sample.row(slot))
            }
        }
        try run.finish()
        #expect(try Self.checkSums(path) == 0)
        let listed = try String(contentsOfFile: path + "/checksums", encoding: .utf8)
            .split(separator: "\n").map { String($0.dropFirst(66)) }
        let files = try FileManager.default.subpathsOfDirectory(atPath: path).filter {
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: "\(path)/\($0)", isDirectory: &isFolder)
                && !isFolder.boolValue
        }
        #expect((listed + ["checksums"]).sorted() == files.sorted())
        let problems = try RunVerifier.verify(path, scope: []).problems.map(\.description)
        #expect(problems.filter { $0.contains("SHA-256") || $0.contains("listed") } == [])
    }

    @Test func `a bit of a pixel that has changed is found by sha256sum, and by verify`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/run"
        let run = try SampleRun(Sample.plan(), at: path)
        for slot in 0..<5 as Range<Int64> { run.frame(Sample.row(slot)) }
        try run.finish()
        let shard = path + "/frames.zarr/0/c/0/0/0"
        var bytes = try Data(contentsOf: URL(fileURLWithPath: shard))
        bytes[4_096 + 7] ^= 1
        try bytes.write(to: URL(fileURLWithPath: shard))
        #expect(try Self.checkSums(path) != 0)
        let problems = try RunVerifier.verify(path, scope: []).problems.map(\.description)
        #expect(
            problems.contains(
                "frames.zarr/0/c/0/0/0: the SHA-256 is not the one in checksums"), "\(problems)")
    }

    @Test func `a frame that the disk refuses becomes a hole that verify accepts`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/run"
        let run = try SampleRun(Sample.plan(), at: path)
        let obstacle = path + "/frames.zarr/0/c"
        try Data().write(to: URL(fileURLWithPath: obstacle))
        guard case .storageFailed(let error) = run.frame(Sample.row(0)) else {
            Issue.record("the frame can't have been written")
            return
        }
        #expect(error.errno == ENOTDIR)
        try FileManager.default.removeItem(atPath: obstacle)
        for slot in 1..<5 as Range<Int64> {
            #expect(run.frame(Sample.row(slot)) == .recorded)
        }
        let judgement = try run.finish()
        #expect(judgement.verdict == .missingFrames)
        #expect(run.record.tally.holes == [.storageFailed: 1])
        let report = try RunVerifier.verify(path, scope: [])
        #expect(report.isConsistent, "\(report.text)")
    }

    @Test(arguments: [true, false])
    func `nothing waits longer than a second for its flush`(isDurable: Bool) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/run"
        let run = try SampleRun(Sample.plan(), at: path, isDurable: isDurable)
        func rows() throws -> Int {
            try String(contentsOfFile: path + "/ledger.csv", encoding: .utf8)
                .split(separator: "\n").count - 1
        }
        run.frame(Sample.row(0))
        try run.record.flushIfDue(at: Instant(nanoseconds: 899_999_999))
        #expect(try rows() == 0)
        try run.record.flushIfDue(at: Instant(nanoseconds: 1_000_000_000))
        #expect(try rows() == 1)
        run.frame(Sample.row(1))
        try run.record.flushIfDue(at: Instant(nanoseconds: 1_800_000_000))
        #expect(try rows() == 1)
        try run.record.flushIfDue(at: Instant(nanoseconds: 2_000_000_000))
        #expect(try rows() == 2)
    }

    @Test func `no more than 64 frames wait for their flush`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/run"
        let run = try SampleRun(
            Sample.plan(program: [.capture(count: 100, settings: 0, lights: 0, step: 0)]), at: path,
            isDurable: true)
        func rows() throws -> Int {
            try String(contentsOfFile: path + "/ledger.csv", encoding: .utf8)
                .split(separator: "\n").count - 1
        }
        for slot in 0..<64 as Range<Int64> {
            try run.record.flushIfDue(at: Instant(nanoseconds: 0))
            #expect(try rows() == 0)
            run.frame(Sample.row(slot))
        }
        try run.record.flushIfDue(at: Instant(nanoseconds: 0))
        #expect(try rows() == 64)
    }

    @Test func `two runs of the same frames are the same to the byte`() throws {
        let folder = try TemporaryFolder()
        for name in ["first", "second"] {
            let run = try SampleRun(Sample.plan(), at: "\(folder.path)/\(name)", seed: 9)
            for slot in 0..<5 as Range<Int64> { run.frame(Sample.row(slot)) }
            try run.finish()
        }
        for file in RunFolder.hashedFiles(.omeZarr) + ["checksums", "frames.zarr/0/c/0/0/0"] {
            let contents = try ["first", "second"].map {
                try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/\($0)/\(file)"))
            }
            #expect(contents[0] == contents[1], "\(file)")
        }
    }

    @Test(arguments: 0..<12 as Range<UInt64>)
    func `any run of frames and holes is consistent and counted right`(seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/run"
        var random = SeededGenerator(seed: seed)
        let count = Int64.random(in: 1...300, using: &random)
        let pixels = ["GREY", "SRGGB10", "YUYV", "RGB24"][Int(seed % 4)]
        let plan = try Sample.plan(
            pixels: pixels, width: 8, height: 4,
            program: [.capture(count: count, settings: 0, lights: 0, step: 0)])
        let run = try SampleRun(plan, at: path, seed: seed)
        var sequence = UInt32.max - UInt32.random(in: 0...200, using: &random)
        var holes: [HoleReason: Int64] = [:]
        for slot in 0..<count {
            if Int.random(in: 0..<4, using: &random) == 0,
                let reason = HoleReason.allCases.randomElement(using: &random)
            {
                var hole = Sample.hole(slot, reason)
                let event = Self.event(of: reason, slot: slot, sequence: sequence &+ 1)
                // Only a frame that got as far as the driver has a number.
                if reason.hasNumber, event != nil || reason == .buffersFull {
                    sequence &+= 1
                    hole.deviceSequence = sequence
                }
                if let event { run.record.append(event, at: Instant(nanoseconds: slot)) }
                holes[reason, default: 0] += 1
                run.hole(hole)
            } else {
                sequence &+= 1
                run.frame(Sample.row(slot, sequence: sequence))
            }
            try run.record.flushIfDue(at: Instant(nanoseconds: slot * 100_000_000))
        }
        try run.finish()
        #expect(run.record.tally.holes == holes)
        #expect(run.record.tally.frames == count - holes.values.reduce(0, +))
        let report = try RunVerifier.verify(path, scope: [])
        #expect(report.isConsistent, "\(report.text)")
        #expect(report.slots == count)
        #expect(report.frames == run.record.tally.frames)
    }

    /// What the log says of a lost frame with a number; slots without a turn have none.
    private static func event(of reason: HoleReason, slot: Int64, sequence: UInt32) -> RunEvent? {
        switch reason {
        case .droppedByDriver, .droppedByDevice, .hostStalled, .dropped, .uncertain:
            .framesMissing(count: 1, before: sequence &+ 1, reason: reason)
        case .damaged: .frameDamaged(sequence: sequence)
        case .storageFailed where slot % 2 == 0: .storageFailed(slot: slot, errno: 5)
        default: nil
        }
    }
}
