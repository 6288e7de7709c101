import Foundation
import Testing

/// What `framelock verify` makes of runs that somebody rewrote: what belongs together at once, counts and hashes too.
@Suite struct RewrittenRunTests {
    /// The rewritings that begin like one of some words and that `verify` does not find.
    ///
    /// - Parameters:
    ///   - sequence: the recipe's steps.
    ///   - profile: of the simulated camera.
    ///   - faults: as `--faults` takes them.
    private static func unfound(
        _ only: [String], sequence: String, profile: String = "simulated", faults: String
    ) throws -> [String] {
        let folder = try TemporaryFolder()
        let run = "\(folder.path)/run"
        let isRaw = profile.hasPrefix("simulated-raw")
        let recipe = """
            framelock: 1
            name: rewritten
            camera:
              use: simulated
              profile: \(profile)
              format: {pixels: \(isRaw ? "SRGGB12, size: 640x480" : "Y12, size: 320x240"), rate: 30 fps}
            lock:
              exposure: {duration: 8 ms, gain: 2.0x}
            lines:
              part: {direction: in, edge: rising}
              light_red: {direction: out}
              strobe: {direction: out}
            sequence:
            \(sequence)
            require: {dropped: any, lock_violations: any, unmatched_triggers: any}
            """
        let simulated = try FramelockProgram.run(
            "simulate", try folder.recipe(recipe), "--faults", faults, "--output", run)
        try #require(simulated.status != 64 && simulated.status != 65, "\(simulated.stderr)")
        let verified = try FramelockProgram.run("verify", run)
        try #require(verified.status == 0, "\(verified.stdout)")
        return try ChangedRun.unfound(only, in: run, by: "rewrite_run.py")
    }

    private static let bracket = """
          - capture: 6
          - repeat: 8
            do:
              - bracket: {exposure: [2 ms, 8 ms, 16 ms]}
        """

    private static let parts = """
          - capture: 3
          - repeat: 6
            do:
              - wait: {edge: part, within: 2 s}
              - pulse: {line: strobe, with: exposure}
              - capture: 1
              - pulse: {line: light_red, for: 5 ms}
        """

    @Test(arguments: ["", "jitter=5ms", "drop=5%,lost-write=5%"])
    func `times and bounds follow from timestamps, whatever shows the settings`(
        faults: String
    ) throws {
        #expect(
            try Self.unfound(
                ["times", "half widths", "timestamps"], sequence: Self.bracket,
                faults: faults.isEmpty ? "drop=0%" : faults) == [])
    }

    @Test func `a raw sensor's times lie where its timestamps let them`() throws {
        #expect(
            try Self.unfound(
                ["times", "half widths", "timestamps"], sequence: Self.bracket,
                profile: "simulated-raw", faults: "late-interrupt=5%") == [])
    }

    @Test(arguments: ["simulated", "simulated-metadata", "simulated-raw-metadata"])
    func `a frame has another value than its settings only if an event has it of this frame`(
        profile: String
    ) throws {
        #expect(
            try Self.unfound(
                ["applied"], sequence: Self.bracket, profile: profile, faults: "lost-write=12%")
                == [])
    }

    @Test func `pixels show settings of the plan, of frames that came`() throws {
        #expect(
            try Self.unfound(
                ["setting-contradicted", "settings-written"], sequence: Self.bracket,
                faults: "lost-write=12%") == [])
    }

    @Test(arguments: [
        "drop=0%", "lost-write=12%", "lost-write=30%,lost-write-run=4", "ignored-control=exposure",
        "drop=5%,lost-write=5%", "late-write=20%",
    ])
    func `what brightness shows comes out again, whatever rows, log and counts say`(
        faults: String
    ) throws {
        #expect(try Self.unfound(["evidence"], sequence: Self.bracket, faults: faults) == [])
    }

    @Test(arguments: ["simulated", "simulated-raw"])
    func `frames are missing for which there are numbers, or time`(profile: String) throws {
        #expect(
            try Self.unfound(
                ["frames-missing"], sequence: "  - capture: 90", profile: profile,
                faults: "drop=4%,device-drop=4%") == [])
    }

    @Test func `a frame that no slot took has no row`() throws {
        let sequence = """
              - repeat: 4
                every: 1 s
                do:
                  - capture: 3
            """
        #expect(try Self.unfound(["frames-skipped"], sequence: sequence, faults: "drop=0%") == [])
    }

    @Test func `every wait of the plan ended with its edge, and every pulse was given`() throws {
        #expect(
            try Self.unfound(
                ["edge-accepted", "output-set"], sequence: Self.parts, faults: "drop=0%") == [])
    }
}
