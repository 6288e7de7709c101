import Foundation
import Testing
import Timebase

@testable import Records

/// What a power cut leaves: files are on the disk before what speaks of them, and so are their names.
struct SyncOrderTests {
    private static let shard = "run/frames.zarr/0/c/0/0/0"

    /// A path without symbolic links, as the kernel names what is synced.
    private static func realPath(_ folder: TemporaryFolder) -> String {
        URL(filePath: folder.path).resolvingSymlinksInPath().path
    }

    @Test func `a flush brings frames to the disk, then their index, events, and the rows last`()
        throws
    {
        let temporary = try TemporaryFolder()
        let root = Self.realPath(temporary)
        let run = try SampleRun(Sample.plan(), at: root + "/run", isDurable: true)
        run.record.append(.streamStarted, at: Instant(nanoseconds: 0))
        run.frame(Sample.row(0))
        let first = try SyncLog.synced(under: root) { try run.record.flush() }
        #expect(
            first == [
                Self.shard, "run/frames.zarr/0/c/0/0", "run/frames.zarr/0/c/0",
                "run/frames.zarr/0/c", "run/frames.zarr/0", "run/frames.zarr",
                Self.shard, "run/events.jsonl", "run/ledger.csv",
            ])
        // Names stay; only what is new has to follow.
        run.record.append(.frameDamaged(sequence: 1), at: Instant(nanoseconds: 1))
        run.frame(Sample.row(1))
        let second = try SyncLog.synced(under: root) { try run.record.flush() }
        #expect(second == [Self.shard, Self.shard, "run/events.jsonl", "run/ledger.csv"])
    }

    @Test func `a run that has begun keeps its name, and the folder's it was made in`() throws {
        let temporary = try TemporaryFolder()
        let root = Self.realPath(temporary)
        let synced = try SyncLog.synced(under: root) {
            _ = try SampleRun(Sample.plan(), at: root + "/run", isDurable: true)
        }
        #expect(synced.suffix(4) == ["run/run.json.new", "run", "run", "."])
    }

    @Test func `folders that are made on the way keep their names`() throws {
        let temporary = try TemporaryFolder()
        let root = Self.realPath(temporary)
        let synced = try SyncLog.synced(under: root) { try Folder.create(root + "/a/b/run") }
        #expect(synced == [".", "a"])
    }

    @Test func `a text that takes another's place is on the disk before its name is`() throws {
        let temporary = try TemporaryFolder()
        let root = Self.realPath(temporary)
        let synced = try SyncLog.synced(under: root) {
            try WholeFile.replace(root + "/text", Array("new".utf8))
        }
        #expect(synced == ["text.new", "."])
    }

    @Test func `who does not wait for the disk syncs nothing`() throws {
        let temporary = try TemporaryFolder()
        let root = Self.realPath(temporary)
        let synced = try SyncLog.synced(under: root + "/run") {
            let run = try SampleRun(Sample.plan(), at: root + "/run")
            run.frame(Sample.row(0))
            try run.record.flush()
        }
        #expect(synced == [])
    }
}
