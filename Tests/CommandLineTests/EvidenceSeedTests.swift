import Foundation
import Testing

/// Runs in which brightness was once taken for evidence of what frames did not have, with the seeds that showed it.
@Suite struct EvidenceSeedTests {
    private static func recipe(_ format: String, _ exposure: String, _ steps: String) -> String {
        """
        framelock: 1
        name: seed
        camera: {use: simulated, format: \(format)}
        lock:
          exposure: \(exposure)
          focus: {lens: 0.42}
          white_balance: {red: 1.92, green: 1.0, blue: 1.64}
        sequence:
        \(steps)
        require: {dropped: any, late_rounds: any}
        """
    }

    /// All writes between two brackets are lost, and the first frame, with the settings of the last one, is as bright as
    /// its own would make it.
    @Test func `a frame as bright as its own settings make it is not proven to have had them`()
        throws
    {
        let recipe = Self.recipe(
            "{pixels: SRGGB12, size: 320x240, rate: 10 fps}", "{duration: 125 us, gain: 1.0x}",
            """
              - repeat: 12
                every: 1 s
                do:
                  - bracket: {exposure: [4 ms, 500 us, 2 ms], gain: [2.0x, 6.0x, 4.0x]}
            """)
        let run = try SimulatedRun(
            recipe, "lost-write=5%",
            ["--seed", "2026112874000874", "--scene", "brightness=3%,drift=10%/s"])
        #expect(try run.wronglyShown() == [])
    }

    /// The frames at the change are saturated; those before and behind it show it.
    @Test func `a gain that is lost for half of a series in drifting light is known in no row`()
        throws
    {
        let recipe = Self.recipe(
            "{pixels: SRGGB12, size: 320x240, rate: 10 fps}", "{duration: 500 us, gain: 1.0x}",
            """
              - for:
                  gain: [1.0x, 4.0x]
                  exposure: {from: 500 us, to: 90 ms, steps: 20}
                do:
                  - capture: 2
            """)
        let run = try SimulatedRun(
            recipe, "lost-write=20%",
            ["--seed", "2026112891000", "--scene", "brightness=100%,drift=10%/s"])
        #expect(run.status == 81)
        #expect(run.frames.allSatisfy { $0["gain_known_by"] == "none" })
        #expect(try run.wronglyShown() == [])
    }

    /// The first frames are at full scale in most of the picture, and those behind them nowhere.
    @Test
    func `a raw sensor whose run begins overexposed has its settings proven, and its losses found`()
        throws
    {
        let recipe = """
            framelock: 1
            name: seed
            camera: {use: simulated, profile: simulated-raw, format: {pixels: SRGGB12, size: 320x240, rate: 30 fps}}
            lock: {exposure: {duration: 23338 us, gain: 1.0x}}
            sequence:
              - capture: 7
              - repeat: 3
                do:
                  - for: {gain: [1.25x, 1.25x, 1.25x]}
                    do: [capture: 1]
                  - for: {exposure: [367 us, 2634 us, 536 us, 25624 us, 3778 us]}
                    do: [capture: 3]
              - capture: 8
            require: {dropped: any, lock_violations: 0}
            """
        let run = try SimulatedRun(
            recipe, "lost-write=5%",
            ["--seed", "2026113050200940", "--scene", "brightness=213%"])
        #expect(run.frames.count { $0["exposure_known_by"] == "pixels" } == 61)
        #expect(run.frames.suffix(8).allSatisfy { $0["exposure_known_by"] == "none" })
        #expect(try run.wronglyShown() == [])
    }
}
