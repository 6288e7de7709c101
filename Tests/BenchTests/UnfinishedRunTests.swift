import Foundation
import Testing

extension InTheBench {
    /// Runs on the kernel's test camera that do not reach their end, or can't begin.
    @Suite(.serialized) struct UnfinishedRuns {
        private static let scenario = Scenario.play(
            "vivid-ends", .init(timeoutSeconds: 400, vivid: 1))

        @Test("D8 a camera that is disconnected in mid-run leaves a finalised run")
        func disconnected() throws {
            let run = try Self.scenario.get().run("disconnect")
            run.expectWhole(exitCode: 84, "partial", slots: 300)
            #expect(run.summary.ending == "device-lost")
            #expect(!run.frames.isEmpty)
            Self.expectRest(run, "device-lost")
        }

        @Test("D8 a stream that breaks is an event with its reason, and the run is finalised")
        func brokenStream() throws {
            let scenario = try Self.scenario.get()
            let run = try scenario.run("broken")
            run.expectWhole(exitCode: 84, "partial", slots: 300)
            #expect(!run.frames.isEmpty)
            Self.expectRest(run, "device-lost")
            // EIO
            #expect(
                try scenario.text("broken/events.jsonl").contains(
                    #""event":"stream-failed","errno":5}"#))
        }

        @Test(arguments: ["interrupted", "terminated"])
        func `a run that is asked to stop is finalised`(name: String) throws {
            let run = try Self.scenario.get().run(name)
            run.expectWhole(exitCode: 130, "partial", slots: 300)
            #expect(run.summary.ending == "interrupted")
            #expect(!run.frames.isEmpty)
            Self.expectRest(run, "interrupted")
        }

        @Test func `a run on a disk that others fill keeps its rows, and ends with its manifest`()
            throws
        {
            let scenario = try Self.scenario.get()
            let run = try scenario.run("full")
            run.expectWhole(exitCode: 84, "partial", slots: 300)
            #expect(run.summary.ending == "storage-failed")
            #expect(!run.frames.isEmpty)
            #expect(!run.holes.isEmpty)
            #expect(run.holes.allSatisfy { $0["reason"] == "storage-failed" })
            #expect(run.notReached?["reason"] == "storage-failed")
            #expect(try !scenario.text("full/checksums").isEmpty)
        }

        @Test("D5 a camera in use is refused, with whose it is, and keeps running") func inUse()
            throws
        {
            let scenario = try Self.scenario.get()
            #expect(try scenario.exitCode("second") == 75)
            #expect(!scenario.has("second"))
            let message = try scenario.text("second.stderr")
            #expect(message.contains("vivid:platform:vivid-000 is in use by process "))
        }

        @Test func `a folder that is there is never touched`() throws {
            let scenario = try Self.scenario.get()
            #expect(try scenario.exitCode("taken") == 74)
            #expect(try scenario.text("taken.list") == "note\n")
            #expect(try scenario.text("taken/note") == "mine\n")
            #expect(try scenario.text("taken.stderr").contains("File exists"))
        }

        @Test("D1 a camera that was never there is said so, with those that are") func absent()
            throws
        {
            let scenario = try Self.scenario.get()
            #expect(try scenario.exitCode("absent") == 69)
            #expect(!scenario.has("absent"))
            let message = try scenario.text("absent.stderr")
            #expect(message.contains("`usb:framelock-bench-0001`"))
            #expect(message.contains("attached: vivid:platform:vivid-000"))
        }

        @Test func `after all that the camera works again`() throws {
            let run = try Self.scenario.get().run("again")
            run.expectWhole(exitCode: 0, "trustworthy", slots: 10)
        }

        /// Checks that frames come first, then at most one hole, and that nothing else was reached, for one reason.
        private static func expectRest(_ run: RunReport, _ reason: String) {
            #expect(run.rows.prefix(run.frames.count).allSatisfy { $0["status"] == "frame" })
            #expect(run.holes.count <= 1 && run.holes.allSatisfy { $0["reason"] == reason })
            #expect(run.notReached?["reason"] == reason)
        }
    }
}
