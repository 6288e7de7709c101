import Testing

extension InTheBench {
    /// Locked settings on the bench's USB camera, which starts with every automatic on: plan, read-back and pixels
    /// agree.
    @Suite(.serialized) struct USBCamera {
        private static let scenario = Scenario.play("usb", .init(timeoutSeconds: 400))
        private static let automatics = [
            "auto_exposure", "focus_automatic_continuous", "white_balance_automatic",
        ]

        /// What `usb-lock.yaml` asks for, in the camera's own units: 100 us, sixteenths, focus codes.
        private struct Wanted: Hashable {
            var exposure = 83
            var gain = 32
            var focus = 120
        }

        private static let wanted: [Wanted] =
            [Wanted](repeating: Wanted(), count: 10)
            + [5, 10, 30, 40, 80, 150].map { Wanted(exposure: $0) }
            // 3.3 is between 52/16 and 53/16, and nearer to the latter.
            + [16, 24, 40, 53].map { Wanted(gain: $0) }
            // 250 is the nearest, 0 the farthest.
            + [200, 200, 150, 150, 100, 100, 50, 50].map { Wanted(focus: $0) }
            + [Wanted](repeating: Wanted(), count: 3)

        private struct Planned: Decodable {
            struct Slot: Decodable {
                struct Settings: Decodable {
                    var exposure_ns: Int
                    var gain_millionths: Int
                    var lens_millionths: Int
                }
                var requested: Settings
                var quantised: Settings
            }
            var slots: [Slot]
            var plan_sha256: String
        }

        @Test func `the automatics are on before and off afterwards`() throws {
            for (name, codes) in [("before", [3, 1, 1]), ("after", [1, 0, 0])] {
                let devices = try Self.scenario.get().decode(DeviceList.self, "\(name).json")
                let camera = try #require(
                    devices.cameras.first { $0.id == "usb:framelock-bench-0001" })
                func control(_ name: String) throws -> DeviceList.Control {
                    try #require(camera.controls.first { $0.control == name })
                }
                #expect(try Self.automatics.map { try control($0).value } == codes)
                #expect(try control("exposure_time_absolute").inactive == (name == "before"))
                #expect(try control("focus_absolute").inactive == (name == "before"))
            }
        }

        @Test func `read-back is what the plan said the camera would make of it`() throws {
            let run = try Self.scenario.get().run("locked")
            run.expectWhole(exitCode: 0, "trustworthy", slots: 31)
            let plan = try Self.scenario.get().decode(Planned.self, "plan.json")
            #expect(run.summary.planDigest == plan.plan_sha256)
            try #require(plan.slots.count == 31)
            for (row, slot) in zip(run.rows, plan.slots) {
                #expect(try row.required("requested_exposure_ns") == slot.requested.exposure_ns)
                #expect(try row.required("applied_exposure_ns") == slot.quantised.exposure_ns)
                let gain = try #require(Double(row["applied_gain"]))
                #expect(Int((gain * 1_000_000).rounded()) == slot.quantised.gain_millionths)
                let lens = try #require(Double(row["applied_lens_position"]))
                #expect(Int((lens * 1_000_000).rounded()) == slot.quantised.lens_millionths)
            }
            // 8.33 ms is no value of this camera, and neither is 2.96 ms.
            #expect(try run.rows[0].required("requested_exposure_ns") == 8_330_000)
            #expect(try run.rows[0].required("applied_exposure_ns") == 8_300_000)
            #expect(try run.rows[12].required("applied_exposure_ns") == 3_000_000)
        }

        @Test(arguments: ["locked", "ignore", "accept", "slow"])
        func `each frame was exposed with exactly what its row says`(name: String) throws {
            let run = try Self.scenario.get().run(name)
            run.expectWhole(exitCode: 0, "trustworthy", slots: 31)
            let truths = try run.truths()
            let found = truths.map {
                Wanted(exposure: $0.exposureNanoseconds / 100_000, gain: $0.gain, focus: $0.focus)
            }
            #expect(found == Self.wanted)
            #expect(truths.allSatisfy { $0.temperature == 5200 })
            for (row, truth) in zip(run.rows, truths) {
                #expect(try row.required("applied_exposure_ns") == truth.exposureNanoseconds)
                #expect(Double(row["applied_gain"]) == Double(truth.gain) / 16)
                let halfWidth = try row.required("session_half_width_ns")
                let end = try run.epochNanoseconds + row.required("session_end_ns")
                #expect(abs(end - truth.readoutStartNanoseconds) <= halfWidth)
            }
        }

        @Test(arguments: ["locked", "slow"])
        func `brightness is proportional to exposure times gain`(name: String) throws {
            let run = try Self.scenario.get().run(name)
            let pixels = try run.pixels()
            for row in run.rows {
                let slot = try row.required("slot")
                let frame = try #require(try pixels.frame(slot: slot))
                let mean = TruthPattern.flatMean(frame: frame, width: 640, height: 480)
                let exposure = try Double(row.required("applied_exposure_ns")) / 100_000
                let gain = try #require(Double(row["applied_gain"]))
                // The camera's scene gives 0.6 counts for 100 us over a black level of 16, and rounds.
                #expect(abs((mean - 16) - 0.6 * exposure * gain) <= 0.5, "slot \(slot)")
            }
        }

        @Test func `the truth log tells the same as the pixels`() throws {
            let run = try Self.scenario.get().run("locked")
            let log = try Self.scenario.get().table("locked.truth").rows
            for truth in try run.truths() {
                let logged = try #require(
                    log.first {
                        $0.number("stream") == truth.stream && $0.number("counter") == truth.counter
                    })
                #expect(logged.number("readout_start_ns") == truth.readoutStartNanoseconds)
                #expect(logged.number("exposure_ns") == truth.exposureNanoseconds)
                #expect(logged["delivered"] == "1")
            }
        }

        @Test("E2 what this camera can't do is refused before anything is recorded, with its range")
        func weak() throws {
            let scenario = try Self.scenario.get()
            #expect(try scenario.exitCode("weak") == 65)
            #expect(!scenario.has("weak"))
            let message = try scenario.text("weak.stderr")
            #expect(
                message.contains(
                    "gain 3.3x is outside 1x to 2x (gain of camera usb:framelock-bench-0001 itself")
            )
        }
    }
}
