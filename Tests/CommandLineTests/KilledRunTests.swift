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
    }
}
