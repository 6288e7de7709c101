import Devices
import Testing

/// What a person is told about recipes that this camera can't run.
struct PlanDiagnosticTests {
    private typealias Case = PlanComplaint

    @Test func `a profile that pins what the recipe sets is refused`() {
        var profile = PlanFixtures.camera
        let recipe = PlanFixtures.recipe("  - capture: 1")
        profile.pinned = [ControlValue(.horizontalFlip, 1)]
        #expect(PlanFixtures.complaint(recipe, profile: profile) == "compiled")
        profile.pinned.append(ControlValue(PlanFixtures.gainControl, 128))
        #expect(
            PlanFixtures.complaint(recipe, profile: profile) == """
                recipe.yaml:4:8: error: camera profile `test` pins gain, which the recipe sets [pinned-setting]
                    4 |   use: simulated
                      |        ^~~~~~~~~
                hint: take it out of `pinned` of the profile, or out of the recipe
                """)
        let free = PlanFixtures.recipe("  - capture: 1", lock: "exposure: {duration: 8 ms}")
        #expect(PlanFixtures.complaint(free, profile: profile) == "compiled")
    }

    @Test(arguments: cases)
    private func `the complaint names the place, the limit and a way out`(_ example: PlanComplaint)
    {
        #expect(example.found == example.says)
    }

    /// 100 years of 365 days: 876,000 hours.
    @Test func `a loop lasts a hundred years at most, and one that never ends as long as it likes`()
    {
        func complaint(_ rounds: String) -> String {
            PlanFixtures.complaint(
                PlanFixtures.recipe(
                    "  - repeat: \(rounds)\n    every: 1 h\n    do:\n      - capture: 1"))
        }
        #expect(complaint("876000") == "compiled")
        #expect(complaint("876001").contains("[loop-too-long]"))
        #expect(complaint("876001").contains("876001 rounds, one every 3600 s, take more than"))
        #expect(complaint("forever") == "compiled")
    }

    private static let cases = [
        Case(
            "a misspelt camera", PlanFixtures.recipe("  - capture: 1", use: "inspektion"),
            rig: PlanFixtures.rig,
            says: """
                recipe.yaml:4:8: error: rig `bench` (rig.yaml) has no camera `inspektion` [unknown-camera]
                    4 |   use: inspektion
                      |        ^~~~~~~~~~
                hint: did you mean `inspection`?
                """),
        Case(
            "a camera that the rig does not have",
            PlanFixtures.recipe("  - capture: 1", use: "xyz"), rig: PlanFixtures.rig,
            says: """
                recipe.yaml:4:8: error: rig `bench` (rig.yaml) has no camera `xyz` [unknown-camera]
                    4 |   use: xyz
                      |        ^~~
                hint: its cameras are inspection, overview
                """),
        Case(
            "a name without a rig", PlanFixtures.recipe("  - capture: 1", use: "inspection"),
            says: """
                recipe.yaml:4:8: error: no rig is given, so there is no camera `inspection` [unknown-camera]
                    4 |   use: inspection
                      |        ^~~~~~~~~~
                hint: name a rig with --rig FILE (hardware/rigs/simulated.yaml needs no hardware), or use `simulated` or a stable id as `framelock devices` prints it
                """),
        Case(
            "a rig without cameras", PlanFixtures.recipe("  - capture: 1", use: "inspection"),
            rig: "framelock_rig: 1\nname: empty\n",
            says: """
                recipe.yaml:4:8: error: rig `empty` (rig.yaml) has no camera `inspection` [unknown-camera]
                    4 |   use: inspection
                      |        ^~~~~~~~~~
                hint: it has no cameras: add one under `cameras`
                """),
        Case(
            "pixels that the camera does not offer",
            PlanFixtures.recipe("  - capture: 1", format: "pixels: YUYV, size: 640x480"),
            says: """
                recipe.yaml:5:20: error: camera `test` does not offer YUYV [pixel-format-not-offered]
                    5 |   format: {pixels: YUYV, size: 640x480}
                      |                    ^~~~
                hint: it offers SRGGB12, Y12
                """),
        Case(
            "a size that it does not offer with these pixels",
            PlanFixtures.recipe("  - capture: 1", format: "pixels: SRGGB12, size: 1920x1080"),
            says: """
                recipe.yaml:5:35: error: camera `test` does not offer SRGGB12 at 1920x1080 [size-not-offered]
                    5 |   format: {pixels: SRGGB12, size: 1920x1080}
                      |                                   ^~~~~~~~~
                hint: it offers 1456x1088, 640x480
                """),
        Case(
            "a rate that it does not offer at this size",
            PlanFixtures.recipe(
                "  - capture: 1", format: "pixels: SRGGB12, size: 640x480, rate: 25 fps"),
            says: """
                recipe.yaml:5:50: error: camera `test` does not offer 25 fps at 640x480 SRGGB12 [rate-not-offered]
                    5 |   format: {pixels: SRGGB12, size: 640x480, rate: 25 fps}
                      |                                                  ^~~~~~
                hint: it offers 60 fps, 30 fps, 10 fps
                """),
        Case(
            "a region of another size than the frame",
            PlanFixtures.recipe("  - capture: 1", camera: "region: 320x240+10+20"),
            says: """
                recipe.yaml:6:11: error: the region's size 320x240 is not the frame size 640x480 [region-size]
                    6 |   region: 320x240+10+20
                      |           ^~~~~~~~~~~~~
                hint: the frame is the region: give both the same size
                """),
        Case(
            "an exposure longer than the frame interval, told once",
            PlanFixtures.recipe(
                "  - bracket: {exposure: [8 ms, 40 ms]}\n  - repeat: 2\n    do:\n      - bracket: {exposure: [8 ms, 40 ms]}"
            ),
            says: """
                recipe.yaml:8:32: error: exposure 40 ms is longer than the 33.333333 ms from frame to frame at 30 fps [exposure-exceeds-interval]
                    8 |   - bracket: {exposure: [8 ms, 40 ms]}
                      |                                ^~~~~
                hint: use a shorter exposure, or a lower frame rate
                """),
        Case(
            "every setting out of range at once",
            PlanFixtures.recipe(
                "  - capture: 1",
                lock:
                    "exposure: {duration: 10 us, iso: 3200}, white_balance: {red: 9, green: 1, blue: 1}"
            ),
            says: """
                recipe.yaml:6:29: error: exposure 10 us is outside 20 us to 2 s (exposure_time_absolute of camera profile `test`) [exposure-out-of-range]
                    6 | lock: {exposure: {duration: 10 us, iso: 3200}, white_balance: {red: 9, green: 1, blue: 1}}
                      |                             ^~~~~
                hint: use an exposure in that range
                recipe.yaml:6:41: error: gain 32x is outside 1x to 16x (gain of camera profile `test`; ISO 100 is 1x) [gain-out-of-range]
                    6 | lock: {exposure: {duration: 10 us, iso: 3200}, white_balance: {red: 9, green: 1, blue: 1}}
                      |                                         ^~~~
                hint: use a gain in that range
                recipe.yaml:6:63: error: the red gain, 9x over green 1x, is outside 0.25x to 4x (camera profile `test`) [white-balance-out-of-range]
                    6 | …tion: 10 us, iso: 3200}, white_balance: {red: 9, green: 1, blue: 1}}
                      |                                          ^~~~~~~~~~~~~~~~~~~~~~~~~~~
                hint: use a gain in that range
                """),
        Case(
            "a camera without controls",
            PlanFixtures.recipe(
                "  - capture: 1",
                lock:
                    "exposure: {duration: 8 ms, iso: 100}, focus: {lens: 0.5}, white_balance: current"
            ), profile: PlanFixtures.bare,
            says: """
                recipe.yaml:6:29: error: camera profile `bare` has no exposure that can be set [setting-unsupported]
                    6 | lock: {exposure: {duration: 8 ms, iso: 100}, focus: {lens: 0.5}, white_balance: current}
                      |                             ^~~~
                hint: leave exposure out of the recipe, or use another camera
                recipe.yaml:6:40: error: camera profile `bare` has no gain that can be set [setting-unsupported]
                    6 | lock: {exposure: {duration: 8 ms, iso: 100}, focus: {lens: 0.5}, white_balance: current}
                      |                                        ^~~
                hint: leave gain out of the recipe, or use another camera
                recipe.yaml:6:60: error: camera profile `bare` has no lens that can be set [setting-unsupported]
                    6 | lock: {exposure: {duration: 8 ms, iso: 100}, focus: {lens: 0.5}, white_balance: current}
                      |                                                            ^~~
                hint: leave lens out of the recipe, or use another camera
                recipe.yaml:6:81: error: camera profile `bare` has no white balance that can be set [setting-unsupported]
                    6 | …00}, focus: {lens: 0.5}, white_balance: current}
                      |                                          ^~~~~~~
                hint: leave white balance out of the recipe, or use another camera
                """),
        Case(
            "ISO on a camera without gain, told once",
            PlanFixtures.recipe(
                "  - for: {iso: [100, 200, 400]}\n    do:\n      - capture: 1", lock: ""),
            profile: PlanFixtures.bare,
            says: """
                recipe.yaml:7:17: error: camera profile `bare` has no gain that can be set [setting-unsupported]
                    7 |   - for: {iso: [100, 200, 400]}
                      |                 ^~~
                hint: leave gain out of the recipe, or use another camera
                """),
        Case(
            "tint on a camera that has none",
            PlanFixtures.recipe(
                "  - capture: 1", lock: "white_balance: {temperature: 5200 K, tint: 4}"),
            says: """
                recipe.yaml:6:23: error: camera profile `test` has a control for temperature but none for tint [tint-unsupported]
                    6 | lock: {white_balance: {temperature: 5200 K, tint: 4}}
                      |                       ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
                hint: leave out tint, or give gains if the camera takes them
                """),
        Case(
            "a temperature out of range",
            PlanFixtures.recipe("  - capture: 1", lock: "white_balance: {temperature: 9000 K}"),
            says: """
                recipe.yaml:6:23: error: 9000 K is outside 2800 K to 6500 K (white_balance_temperature of camera profile `test`) [white-balance-out-of-range]
                    6 | lock: {white_balance: {temperature: 9000 K}}
                      |                       ^~~~~~~~~~~~~~~~~~~~~
                hint: use a temperature in that range
                """),
        Case(
            "a light without a colour temperature",
            PlanFixtures.recipe("  - capture: 1", lock: "white_balance: {x: 0.7, y: 0.29}"),
            says: """
                recipe.yaml:6:23: error: a light of that chromaticity has no colour temperature from 1000 K to 100000 K: it is too far from daylight and lamps [white-balance-out-of-range]
                    6 | lock: {white_balance: {x: 0.7, y: 0.29}}
                      |                       ^~~~~~~~~~~~~~~~~
                hint: give gains
                """),
        Case(
            "a sweep that leaves the range, told once",
            PlanFixtures.recipe(
                "  - for: {gain: {from: 1x, to: 20x, steps: 20}}\n    do:\n      - capture: 1"),
            says: """
                recipe.yaml:8:17: error: gain 17x is outside 1x to 16x (gain of camera profile `test`; ISO 100 is 1x); so are 3 other values [gain-out-of-range]
                    8 |   - for: {gain: {from: 1x, to: 20x, steps: 20}}
                      |                 ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
                hint: use a gain in that range
                """),
        Case(
            "a kind of white balance that the camera has no control for",
            PlanFixtures.recipe(
                "  - capture: 1", lock: "white_balance: {red: 2, green: 1, blue: 2}"),
            profile: PlanFixtures.onlyTemperature,
            says: """
                recipe.yaml:6:23: error: camera profile `kelvin` has no control that takes gains [white-balance-unsupported]
                    6 | lock: {white_balance: {red: 2, green: 1, blue: 2}}
                      |                       ^~~~~~~~~~~~~~~~~~~~~~~~~~~
                hint: give a temperature, or leave white balance out
                """),
    ]
}
