import Devices
import Foundation
import Recipes
import TestSupport
import Testing
import Timebase
import Tracking

@testable import Records

/// A record on a disk that refuses, loses what it was given, or is looked at while it is written.
struct DiskTroubleTests {
    /// Puts another file behind a descriptor, and the first one back at the end.
    private func replacing(_ file: OpenFile, by path: String, _ work: () throws -> Void) throws {
        let kept = dup(file.descriptor)
        let other = open(path, O_RDONLY)
        try #require(kept >= 0 && other >= 0 && dup2(other, file.descriptor) >= 0)
        defer {
            _ = dup2(kept, file.descriptor)
            close(kept)
            close(other)
        }
        try work()
    }

    @Test func `a sync that failed once fails for ever, since the kernel forgets`() throws {
        let temporary = try TemporaryFolder()
        let file = try OpenFile.create(temporary.path + "/file")
        // A device that can't be synced.
        try replacing(file, by: "/dev/null") {
            #expect(throws: StorageError.self) { try file.sync() }
        }
        let again = #expect(throws: StorageError.self) { try file.sync() }
        #expect(again?.errno == EINVAL)
    }

    @Test func `a record that was not synced once is not finalised`() throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/run"
        let run = try SampleRun(Sample.plan(), at: path, isDurable: true)
        run.record.append(.streamStarted, at: Instant(nanoseconds: 0))
        try run.record.flush()
        // Written and not yet synced.
        run.record.append(.streamStopped, at: Instant(nanoseconds: 1))
        try run.record.events.write()
        try replacing(run.record.events.file, by: "/dev/null") {
            #expect(throws: StorageError.self) { try run.record.flush() }
        }
        #expect(throws: StorageError.self) { try run.finish() }
        let report = try RunVerifier.verify(path, scope: [])
        #expect(!report.isFinalised)
    }

    @Test func `no row is written before its events are`() throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/run"
        let run = try SampleRun(Sample.plan(), at: path)
        run.record.append(.frameDamaged(sequence: 0), at: Instant(nanoseconds: 0))
        var row = Sample.hole(0, .damaged)
        row.deviceSequence = 0
        run.hole(row)
        try replacing(run.record.events.file, by: "/dev/null") {
            #expect(throws: StorageError.self) { try run.record.flush() }
        }
        var report = try RunVerifier.verify(path, scope: [])
        #expect(report.slots == 0 && report.problems.isEmpty)
        try run.record.flush()
        report = try RunVerifier.verify(path, scope: [])
        #expect(report.slots == 1 && report.problems.isEmpty)
    }

    @Test func `a run is consistent whenever somebody looks`() throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/run"
        let plan = try Sample.plan(
            width: 8, height: 4,
            program: [
                .loop(count: 200, every: .zero, end: 3, step: 0),
                .waitForEdge(line: 0, within: .zero, step: 0),
                .capture(count: 1, settings: 0, lights: 0, step: 0), .endLoop(start: 0),
            ], lines: [Sample.line])
        // Unsafe: nothing but the thread touches it.
        nonisolated(unsafe) let run = try SampleRun(plan, at: path)
        let writer = Thread {
            for slot in 0..<200 as Range<Int64> {
                let number = UInt32(slot) + 1
                let time = Instant<Session>(nanoseconds: slot)
                run.record.append(
                    .edge(
                        LineEdge(
                            line: 0, isRising: true, timestamp: Instant(nanoseconds: slot),
                            lineSequence: number)), at: time)
                var row = Sample.row(slot)
                row.trigger = TriggerReference(
                    line: 0, lineSequence: number, delay: nil, outcome: .matched)
                run.frame(row)
                try? run.record.flush()
            }
        }
        writer.start()
        while !writer.isFinished {
            let report = try RunVerifier.verify(path, scope: [])
            #expect(report.problems.isEmpty)
            #expect(report.exitCode == 84)
        }
        #expect(try RunVerifier.verify(path, scope: []).slots == 200)
    }

    /// Bytes of the disk that belong to a file.
    private func allocated(_ path: String) throws -> Int {
        var status = stat()
        try #require(stat(path, &status) == 0, "\(path)")
        return Int(status.st_blocks) * 512
    }

    @Test func `a run keeps room on the disk for what it has still to write, and gives it back`()
        throws
    {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/run"
        let run = try SampleRun(Sample.plan(), at: path, isDurable: true)
        // From the first moment on: some thousand rows and events, and everything that the end of a run writes.
        for (name, least) in [
            ("ledger.csv", 1 << 19), ("events.jsonl", 1 << 19), ("ledger.csv.new", 1 << 20),
            ("checksums.new", 1 << 19), ("run.json.new", 1 << 18),
        ] {
            #expect(try allocated("\(path)/\(name)") >= least, "\(name)")
        }
        try run.finish()
        for name in ["ledger.csv", "events.jsonl", "checksums", "run.json"] {
            #expect(try allocated("\(path)/\(name)") <= 1 << 16, "\(name)")
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: path)
        #expect(!left.contains { $0.hasSuffix(".new") })
    }

    @Test func `what a disk that refuses for long makes us forget is counted`() throws {
        let temporary = try TemporaryFolder()
        let file = try AppendFile(creating: temporary.path + "/log")
        file.append { $0 += Array("kept\n".utf8) }
        file.append { $0 += [UInt8](repeating: 0, count: AppendFile.maximumPendingBytes) }
        file.append { $0 += Array("and this\n".utf8) }
        #expect(file.lostByteCount == AppendFile.maximumPendingBytes)
        try file.write()
        #expect(try WholeFile.read(file.path) == Array("kept\nand this\n".utf8))
    }

    @Test func `folders that had to be made on the way are told, so that their names are synced`()
        throws
    {
        let temporary = try TemporaryFolder()
        let root = temporary.path
        #expect(try Folder.create(root + "/a/b/run") == [root + "/a", root + "/a/b"])
        #expect(try Folder.create(root + "/a/b/other") == [])
    }
}
