import Testing

extension InTheBench {
    /// A sensor behind a media graph, with controls on parts of their own.
    @Suite(.serialized) struct RawSensor {
        private static let scenario = Scenario.play(
            "raw-sensor", .init(timeoutSeconds: 300, vimc: true))

        private static func lens(_ name: String) throws -> Int? {
            let devices = try scenario.get().decode(DeviceList.self, "\(name).json")
            let camera = try #require(devices.cameras.first { $0.id == "vimc:platform:vimc" })
            return try #require(camera.controls.first { $0.control == "focus_absolute" }).value
        }

        @Test("F2 a lens that hangs on the sensor is locked through its own device file")
        func lensIsLocked() throws {
            let run = try Self.scenario.get().run("locked")
            run.expectWhole(exitCode: 0, "trustworthy", slots: 63)
            // 0.5 lies between two codes: 1023 … 0.
            let positions = run.rows.map { $0["applied_lens_position"] }
            #expect(positions.prefix(60).allSatisfy { $0 == positions[0] })
            #expect(abs((Double(positions[0]) ?? 0) - 0.5) < 0.001)
            #expect(positions.last == "1")
            #expect(try Self.lens("after") == 0)
            #expect(try Self.scenario.get().changes("locked").isEmpty)
        }

        @Test("D5 a lens that another program moves is recorded, and the run is not trusted")
        func lensIsMoved() throws {
            let scenario = try Self.scenario.get()
            let run = try scenario.run("moved")
            run.expectWhole(exitCode: 81, "lock-violated", slots: 63)
            let changes = try scenario.changes("moved")
            #expect(changes.map(\.control) == ["focus_absolute"])
            #expect(changes.map(\.found) == [17])
            let sequence = try #require(changes.first?.sequence)
            let touched = try run.frames.filter { try $0.required("device_sequence") < sequence }
            #expect(!touched.isEmpty)
            #expect(
                touched.allSatisfy {
                    $0["applied_lens_position"] == run.rows[0]["applied_lens_position"]
                })
            #expect(run.frames.contains { $0["applied_lens_position"].isEmpty })
            // (1023 − 17) / 1023
            #expect(run.frames[59]["applied_lens_position"] == "0.983382")
        }
    }
}
