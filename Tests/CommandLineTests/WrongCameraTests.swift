import Testing

/// Cameras that acknowledge settings and do something else all the time: no verdict rests on what their pixels refute.
@Suite struct WrongCameraTests {
    /// A recipe of one sequence, with what goes wrong.
    struct Story: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var faults: String
        var sequence: String

        var recipe: String {
            """
            framelock: 1
            name: wrong
            camera: {use: simulated, format: {pixels: Y12, size: 320x240, rate: 30 fps}}
            lines:
              light_red: {direction: out}
              light_green: {direction: out}
            lock: {exposure: {duration: 500 us, gain: 2x}}
            sequence:
            \(sequence)
            """
        }
    }

    /// Exposures of a bracket and gains that make an order of brightness which any tone curve could make, too.
    private static let both = """
          - repeat: 15
            do:
              - bracket: {exposure: [12 ms, 3 ms, 6 ms], gain: [4x, 8x, 1x]}
        """
    private static let waiting = """
          - repeat: 20
            every: 1 s
            do:
              - bracket: {exposure: [2 ms, 8 ms, 4 ms]}
        """

    static let stories = [
        Story(
            testDescription: "a gain without effect, where brightness keeps its order",
            faults: "ignored-control=gain", sequence: both),
        Story(
            testDescription: "an exposure without effect", faults: "ignored-control=exposure",
            sequence: waiting),
        Story(
            testDescription: "a late camera that has its first setting in time, after a wait",
            faults: "reaction=+2", sequence: waiting),
        Story(
            testDescription: "a camera late by one frame, after a wait", faults: "reaction=+1",
            sequence: waiting),
    ]

    @Test(arguments: stories, [21, 22])
    func `no row says by pixels what its frame did not have, and the run is not trusted`(
        story: Story, seed: Int
    ) throws {
        let run = try SimulatedRun(story.recipe, story.faults, "--seed", "\(seed)")
        #expect(run.status == 81)
        let wrong = try Self.wrongRows(run)
        #expect(wrong.byPixels == 0)
        // What is not known to be wrong rests on the camera's word, and is hardly ever left.
        #expect(wrong.reported <= 1)
    }

    /// The first frames were written to the ledger before the exposure changed at all.
    @Test func `a control without effect leaves its rows nothing that was read back`() throws {
        let story = Story(
            testDescription: "", faults: "ignored-control=exposure",
            sequence: """
                  - capture: 90
                  - repeat: 20
                    do:
                      - bracket: {exposure: [2 ms, 8 ms, 4 ms]}
                """)
        let run = try SimulatedRun(story.recipe, story.faults, "--seed", "23")
        #expect(run.event("control-unresponsive").count == 1)
        #expect(run.frames.allSatisfy { $0["exposure_known_by"] == "none" })
        // It may be a flash, which refutes nothing that is said of the gain.
        #expect(run.frames.contains { $0["gain_known_by"] == "read-back" })
    }

    /// The filter doubts a third of these frames, which alone would be no reason not to trust the run.
    @Test(arguments: [202_611_302, 41, 42])
    func `a late camera is seen over the whole run, through a light that flickers`(seed: Int) throws
    {
        let story = Story(
            testDescription: "", faults: "reaction=+4,lost-write=2%",
            sequence: """
                  - repeat: 6
                    do:
                      - for: {gain: [1x, 2x, 4x]}
                        do:
                          - bracket: {exposure: [2 ms, 4 ms, 8 ms]}
                """)
        let run = try SimulatedRun(
            story.recipe, story.faults, "--seed", "\(seed)", "--scene", "flicker=99.9Hz:50%")
        #expect(run.status == 81)
        for setting in ["exposure", "gain"] {
            let late = run.event("settings-late").filter { $0["setting"] as? String == setting }
            #expect(late.count == 1)
            #expect(try SimulatedRun.number(late[0]["frames"]) == 4)
            #expect(run.frames.allSatisfy { $0["\(setting)_known_by"] == "none" })
        }
        #expect(try Self.wrongRows(run) == (0, 0))
    }

    /// The record is held against its counts by ``SimulatedRun``.
    @Test func `a frame that the disk refused counts for nothing, also of a late camera`() throws {
        let story = Story(
            testDescription: "", faults: "reaction=+3,disk-error=5%",
            sequence: """
                  - repeat: 24
                    do:
                      - bracket: {exposure: [1 ms, 2 ms, 4 ms, 8 ms]}
                """)
        let run = try SimulatedRun(story.recipe, story.faults, "--seed", "5")
        #expect(!run.event("settings-late").isEmpty)
        #expect(run.rows.contains { $0["reason"] == "storage-failed" })
    }

    /// ``SimulatedRun`` verifies the record: what was written ahead for slots that were not begun bears on the last rows.
    @Test(arguments: [
        ("stop@1374ms", "flicker=7Hz:20%", 202_611_269_9032),
        ("unplug@1119ms", "drift=100%/s", 202_611_269_9020),
        ("stop@2029ms,lost-write=10%", "drift=100%/s", 202_611_269_9009),
    ])
    func `a run that ended early comes out again as it was`(
        faults: String, scene: String, seed: Int
    ) throws {
        let recipe = """
            framelock: 1
            name: early
            camera:
              use: simulated
              format: {pixels: Y12, size: 320x240, rate: 60 fps}
            lock:
              exposure: {duration: 1982 us, gain: 2x}
            sequence:
              - capture: 4
              - repeat: 20
                do:
                  - bracket: {bias: [-2 EV, 0 EV, 1 EV]}
                  - for: {gain: [3x, 2x], exposure: [3342 us, 2510 us, 9474 us]}
                    do:
                      - capture: 2
            on_lost: retake
            require: {dropped: any, lock_violations: any, clock_uncertainty: 20 ms}
            """
        let run = try SimulatedRun(recipe, faults, "--seed", "\(seed)", "--scene", scene)
        #expect(run.rows.contains { !($0["last_slot"] ?? "").isEmpty })
    }

    /// A lost write leaves a bracket of lights with the exposure of the bracket before.
    @Test(arguments: [31, 32, 33])
    func `writes that are lost in brackets of lights are found`(seed: Int) throws {
        let story = Story(
            testDescription: "", faults: "lost-write=10%",
            sequence: """
                  - repeat: 20
                    do:
                      - bracket: {exposure: [2 ms, 5 ms]}
                      - bracket: {light: [light_red, light_green, none]}
                """)
        let run = try SimulatedRun(story.recipe, story.faults, "--seed", "\(seed)")
        let found = run.event("setting-contradicted").count
        #expect(run.status == 81 && found > 0)
        #expect(try Self.wrongRows(run).reported == 0)
    }

    /// Half of the series is saturated: of these frames brightness shows nothing.
    @Test(arguments: [51, 52, 53])
    func `a camera whose word was refuted is no evidence of what pixels cannot show`(
        seed: Int
    ) throws {
        let story = Story(
            testDescription: "", faults: "lost-write=15%",
            sequence: """
                  - repeat: 4
                    do:
                      - for: {exposure: {from: 1 ms, to: 30 ms, steps: 12}}
                        do:
                          - capture: 2
                """)
        let options = ["--seed", "\(seed)", "--scene", "brightness=150%"]
        let run = try SimulatedRun(story.recipe, story.faults, options)
        #expect(run.status == 81 && !run.event("setting-contradicted").isEmpty)
        #expect(run.frames.allSatisfy { $0["exposure_known_by"] != "read-back" })
        #expect(run.frames.allSatisfy { $0["gain_known_by"] != "read-back" })
        #expect(try Self.wrongRows(run) == (0, 0))
        // The log has what each of them said.
        let withdrawn = run.event("setting-doubted").filter {
            $0["known_by"] as? String == "read-back" && $0["setting"] as? String == "exposure"
        }
        #expect(withdrawn.count >= run.frames.count { $0["exposure_known_by"] == "none" } / 2)

        let honest = try SimulatedRun(story.recipe, "", options)
        #expect(honest.frames.contains { $0["exposure_known_by"] == "read-back" })
    }

    /// Brightness tells of exposures only; what it says of the camera is true of its lens as well.
    @Test(arguments: [61, 62, 63])
    func `a camera that is caught losing writes is not believed about its lens and white balance`(
        seed: Int
    ) throws {
        let story = Story(
            testDescription: "", faults: "lost-write=15%",
            sequence: """
                  - repeat: 12
                    do:
                      - for: {lens: [0.2, 0.5, 0.8]}
                        do:
                          - bracket: {exposure: [1 ms, 4 ms]}
                """)
        let recipe = story.recipe.replacing(
            "gain: 2x}}",
            with: "gain: 2x}, white_balance: {temperature: 5000 K}, focus: {lens: 0.2}}")
        let run = try SimulatedRun(recipe, story.faults, "--seed", "\(seed)")
        #expect(run.status == 81 && !run.event("setting-contradicted").isEmpty)
        for setting in ["lens", "white_balance"] {
            #expect(run.frames.allSatisfy { $0["\(setting)_known_by"] == "none" })
            let told = run.event("setting-doubted").filter { $0["setting"] as? String == setting }
            #expect(told.count == run.frames.count)
        }
        let honest = try SimulatedRun(recipe, "", "--seed", "\(seed)")
        #expect(honest.frames.allSatisfy { $0["lens_known_by"] == "read-back" })
    }

    @Test func `a camera that does what it says is believed`() throws {
        for (sequence, proven) in [
            (Self.both, "gain_known_by"), (Self.waiting, "exposure_known_by"),
        ] {
            let story = Story(testDescription: "", faults: "", sequence: sequence)
            let run = try SimulatedRun(story.recipe, "", "--seed", "23")
            #expect(run.status == 0)
            #expect(run.frames.count { $0[proven] == "pixels" } > run.frames.count * 9 / 10)
        }
    }

    /// Rows whose exposure or gain is none that the frame had, by how it is said to be known.
    private static func wrongRows(_ run: SimulatedRun) throws -> (byPixels: Int, reported: Int) {
        var had: [String: (exposure: Int64, gain: Double)] = [:]
        for frame in run.delivered {
            had["\(try SimulatedRun.number(frame["sequence"]))"] = (
                try SimulatedRun.number(frame["exposure_time_absolute"]) * 1_000,
                Double(try SimulatedRun.number(frame["gain"])) / 64
            )
        }
        var wrong = (byPixels: 0, reported: 0)
        for row in run.frames {
            let truth = try #require(row["device_sequence"].flatMap { had[$0] })
            let exposure = row["applied_exposure_ns"].flatMap { Int64($0) }
            let gain = row["applied_gain"].flatMap { Double($0) }
            for (isWrong, knownBy) in [
                (exposure.map { $0 != truth.exposure } ?? false, row["exposure_known_by"]),
                (gain.map { abs($0 / truth.gain - 1) > 0.01 } ?? false, row["gain_known_by"]),
            ] where isWrong {
                if knownBy == "pixels" { wrong.byPixels += 1 } else { wrong.reported += 1 }
            }
        }
        return wrong
    }
}
