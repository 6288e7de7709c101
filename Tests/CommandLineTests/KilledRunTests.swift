import Foundation
import Glibc
import Testing

/// Runs that are killed before or soon after they began.
@Suite struct KilledRunTests {
    @Test(arguments: [0, 10, 20, 30, 45, 60, 80, 120, 200, 350, 600, 950, 1_300] as [UInt32])
    func `a killed run is not finalised, and never damaged`(milliseconds: UInt32) throws {
        let folder = try TemporaryFolder()
        let run = "\(folder.path)/run"
        let started = try FramelockProgram.Started(
            try FramelockProgram.file(),
            ["run", try folder.recipe(StoppedRunTests.endless), "--real-time", "--output", run])
        // Some are killed right after their folder was made, wherever the machine is by then.
        if milliseconds % 20 == 0 {
            while started.process.isRunning, !FileManager.default.fileExists(atPath: run) {
                usleep(200)
            }
        }
        usleep(milliseconds * 1_000)
        kill(started.process.processIdentifier, SIGKILL)
        #expect(try started.result().status == -SIGKILL)
        let verified = try FramelockProgram.run("verify", run)
        // 64: there is no such folder yet.
        let hasBegun = FileManager.default.fileExists(atPath: run)
        #expect(
            verified.status == (hasBegun ? 84 : 64), "\(verified.stdout)\(verified.stderr)")
        // By itself, or with all others.
        let recovered = try FramelockProgram.run(
            milliseconds > 300 ? ["recover", "--runs-in", folder.path] : ["recover", run])
        guard FileManager.default.fileExists(atPath: "\(run)/run.json") else {
            return #expect(recovered.status == (hasBegun ? 84 : 64))
        }
        #expect(recovered.status == 0, "\(recovered.stdout)\(recovered.stderr)")
        #expect(try FramelockProgram.run("verify", run).status == 0)
        let shown = try FramelockProgram.run("show", run)
        #expect(shown.stdout.contains("the run ended early (cut)"))
        let files = try FileManager.default.contentsOfDirectory(atPath: run)
        #expect(files.allSatisfy { !$0.hasSuffix(".new") })
    }

    @Test func `a run that goes on can't be recovered, and one that ended need not be`() throws {
        let folder = try TemporaryFolder()
        let run = "\(folder.path)/run"
        let started = try FramelockProgram.Started(
            try FramelockProgram.file(),
            ["run", try folder.recipe(StoppedRunTests.endless), "--real-time", "--output", run])
        while started.process.isRunning,
            !FileManager.default.fileExists(atPath: "\(run)/run.json")
        {
            usleep(200)
        }
        let refused = try FramelockProgram.run("recover", run)
        #expect(refused.status == 64)
        #expect(refused.stdout.contains("the run still goes on"))
        let others = try FramelockProgram.run("recover", "--runs-in", folder.path)
        #expect(others.status == 0)
        #expect(others.stdout == "no run was recovered in \(folder.path)\n")
        kill(started.process.processIdentifier, SIGINT)
        #expect(try started.result().status == 130)
        let again = try FramelockProgram.run("recover", run)
        #expect(again.status == 0)
        #expect(again.stdout.contains("finalised already"))
    }
}
