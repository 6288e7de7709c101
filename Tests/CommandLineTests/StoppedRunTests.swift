import Foundation
import Glibc
import Testing

/// An endless run that somebody stops, in real time on the simulated camera.
@Suite struct StoppedRunTests {
    /// Goes on until it is stopped.
    static let endless = """
        framelock: 1
        name: endless
        camera:
          use: simulated
          format: {pixels: SRGGB12, size: 320x240, rate: 30 fps}
        sequence:
          - repeat: forever
            do:
              - capture: 1
        """

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `a stopped run is finalised, and says that it was stopped`(signal: Int32) throws {
        // Under nohup it would be ignored, as it should be.
        Glibc.signal(SIGHUP, SIG_DFL)
        let folder = try TemporaryFolder()
        let run = "\(folder.path)/run"
        let started = try FramelockProgram.Started(
            try FramelockProgram.file(),
            ["run", try folder.recipe(Self.endless), "--real-time", "--output", run])
        // The record can be read while it grows: wait for its first rows, then stop it.
        while started.process.isRunning, (try? Self.rows(folder)) ?? 0 < 2 { usleep(20_000) }
        // What the manifest says was granted is in force for as long as the run takes.
        let status = try String(
            contentsOfFile: "/proc/\(started.process.processIdentifier)/status", encoding: .utf8)
        let locked = status.split(separator: "\n").first { $0.hasPrefix("VmLck:") } ?? ""
        let hasLocked = locked.contains { ("1"..."9").contains($0) }
        struct Manifest: Decodable {
            struct Host: Decodable { var granted: [String] }; var host: Host
        }
        let manifest = try JSONDecoder().decode(
            Manifest.self, from: Data(folder.text("run/run.json").utf8))
        let granted = manifest.host.granted
        #expect(hasLocked == granted.contains("memory locked"), "\(locked): \(granted)")
        kill(started.process.processIdentifier, signal)
        let result = try started.result()
        #expect(result.status == 130, "\(result.stderr)")
        let shown = try FramelockProgram.run("show", run, "--json")
        #expect(shown.stdout.contains("\"state\": \"finalised\""))
        #expect(shown.stdout.contains("\"ending\": \"interrupted\""))
        #expect(shown.stdout.contains("\"exit_code\": 130"))
        #expect(try Self.rows(folder) >= 2)
        let verified = try FramelockProgram.run("verify", run)
        #expect(verified.status == 0, "\(verified.stdout)")
        #expect(!verified.stdout.contains("not finalised"))
    }

    @Test func `stopping an endless run does not hide that frames are missing`() throws {
        let folder = try TemporaryFolder()
        let run = "\(folder.path)/run"
        let started = try FramelockProgram.Started(
            try FramelockProgram.file(),
            [
                "run", try folder.recipe(Self.endless), "--real-time", "--simulate-drops", "30",
                "--output", run,
            ])
        while started.process.isRunning,
            (try? folder.text("run/ledger.csv"))?.contains(",hole,") != true
        {
            usleep(20_000)
        }
        kill(started.process.processIdentifier, SIGINT)
        #expect(try started.result().status == 80)
        let shown = try FramelockProgram.run("show", run, "--json")
        #expect(shown.stdout.contains("\"verdict\": \"missing-frames\""))
        #expect(shown.stdout.contains("\"ending\": \"interrupted\""))
        #expect(try FramelockProgram.run("verify", run).status == 0)
    }

    @Test func `a run that is killed can be shown and verified as far as it is there`() throws {
        let folder = try TemporaryFolder()
        let run = "\(folder.path)/run"
        let started = try FramelockProgram.Started(
            try FramelockProgram.file(),
            ["run", try folder.recipe(Self.endless), "--real-time", "--output", run])
        while started.process.isRunning, (try? Self.rows(folder)) ?? 0 < 2 { usleep(20_000) }
        kill(started.process.processIdentifier, SIGKILL)
        #expect(try started.result().status == -SIGKILL)
        let shown = try FramelockProgram.run("show", run, "--json")
        #expect(shown.status == 0, "\(shown.stderr)")
        #expect(shown.stdout.contains("\"verdict\": \"partial\""))
        let verified = try FramelockProgram.run("verify", run)
        #expect(verified.status == 84, "\(verified.stdout)")
        #expect(verified.stdout.contains("not finalised"))
    }

    /// Rows that are in the ledger by now.
    private static func rows(_ folder: TemporaryFolder) throws -> Int {
        try folder.text("run/ledger.csv").count { $0 == "\n" } - 1
    }
}
