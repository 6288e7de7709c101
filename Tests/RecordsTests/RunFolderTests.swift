import Foundation
import Synchronization
import TestSupport
import Testing
import Timebase

@testable import Records

struct RunFolderTests {
    @Test(arguments: [
        (1_795_183_402, "2026-11-20T140322Z-gel-bracket"),
        (0, "1970-01-01T000000Z-gel-bracket"),
        (951_782_399, "2000-02-28T235959Z-gel-bracket"),
        (951_782_400, "2000-02-29T000000Z-gel-bracket"),
        (4_107_542_400, "2100-03-01T000000Z-gel-bracket"),
        (-1, "1969-12-31T235959Z-gel-bracket"),
    ])
    func `a run is named by UTC and its recipe`(second: Int64, name: String) {
        let time = Instant<Realtime>(nanoseconds: second * 1_000_000_000 + 999_999_999)
        #expect(RunFolder.defaultName(recipe: "gel-bracket", at: time) == name)
    }

    @Test func `dates agree with another calendar`() {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? .current
        var random = SeededGenerator(seed: 3)
        for _ in 0..<500 {
            let second = Int64.random(in: 0...8_000_000_000, using: &random)
            let parts = calendar.dateComponents(
                [.year, .month, .day, .hour, .minute, .second],
                from: Date(timeIntervalSince1970: TimeInterval(second)))
            let expected = String(
                format: "%04d-%02d-%02dT%02d:%02d:%02d.000000007Z", parts.year ?? 0,
                parts.month ?? 0, parts.day ?? 0, parts.hour ?? 0, parts.minute ?? 0,
                parts.second ?? 0)
            #expect(
                UTCTime(Instant(nanoseconds: second * 1_000_000_000 + 7)).text == expected)
        }
    }

    @Test func `parents are made, and a folder that exists is refused`() throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/a/b/run/"
        let folder = try RunFolder.create(at: path)
        #expect(folder.path == temporary.path + "/a/b/run")
        let error = #expect(throws: StorageError.self) { try RunFolder.create(at: path) }
        #expect(error?.errno == EEXIST)
        #expect(
            error?.description
                == "can't create \(folder.path): File exists (EEXIST); nothing is overwritten: choose another name"
        )
    }

    @Test func `runs of one second and recipe are numbered`() throws {
        let temporary = try TemporaryFolder()
        let second = Instant<Realtime>(nanoseconds: 1_795_183_402_000_000_000)
        let names = try (0..<3).map { _ in
            try RunFolder.create(in: temporary.path + "/runs", recipe: "gel-bracket", at: second)
                .path.split(separator: "/").last
        }
        #expect(
            names == [
                "2026-11-20T140322Z-gel-bracket", "2026-11-20T140322Z-gel-bracket-2",
                "2026-11-20T140322Z-gel-bracket-3",
            ])
        try Data().write(to: URL(fileURLWithPath: temporary.path + "/file"))
        let error = #expect(throws: StorageError.self) {
            try RunFolder.create(in: temporary.path + "/file", recipe: "any", at: second)
        }
        #expect(error?.errno == ENOTDIR)
    }

    @Test func `a file of that name is not overwritten either`() throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/run"
        try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
        #expect(throws: StorageError.self) { try RunFolder.create(at: path) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("mine".utf8))
    }

    @Test func `of many runs that start at once only one gets the folder`() throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/parents/run"
        let winners = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 16) { _ in
            if (try? RunFolder.create(at: path)) != nil { winners.withLock { $0 += 1 } }
        }
        #expect(winners.withLock { $0 } == 1)
    }

    @Test func `a path below a file says so`() throws {
        let temporary = try TemporaryFolder()
        try Data().write(to: URL(fileURLWithPath: temporary.path + "/file"))
        let error = #expect(throws: StorageError.self) {
            try RunFolder.create(at: temporary.path + "/file/run")
        }
        #expect(error?.errno == ENOTDIR)
    }
}
