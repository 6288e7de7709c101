import Testing

extension InTheBench {
    /// The bench's USB camera by hand: what is set is in the frames from the sync time on, and no later than need be.
    @Suite(.serialized) struct LiveCamera {
        private static let scenario = Scenario.play("live", .init(timeoutSeconds: 200))

        private struct Report: Decodable {
            struct Settings: Decodable {
                var exposure_ns: Int
                var gain_millionths: Int
                var lens_millionths: Int
            }
            struct Sync: Decodable {
                var sequence: Int
                var timestamp_ns: Int
            }
            struct Request: Decodable {
                var subjects: [String]
                var sync: Sync
            }
            var settings: Settings
            var automatic: [String]?
            var applied: [Request]?
        }

        private static func report(_ name: String) throws -> Report {
            try scenario.get().decode(Report.self, "\(name).json")
        }

        @Test
        func `E4 F3 W6 the sync time is a frame that shows what was set, by the camera's own log`()
            throws
        {
            let set = try Self.report("set")
            let applied = try #require(set.applied)
            #expect(applied.map(\.subjects) == [["exposure"], ["focus"], ["white balance"]])
            #expect(set.settings.exposure_ns == 3_000_000)
            #expect(set.settings.gain_millionths == 2_000_000)
            #expect(set.settings.lens_millionths == 520_000)
            let rows = try Self.scenario.get().table("set.truth").rows
            func hasShown(_ request: Report.Request, _ row: Table.Row) -> Bool {
                switch request.subjects {
                case ["exposure"]: row["exposure_ns"] == "3000000" && row["gain"] == "32"
                case ["focus"]: row["focus"] == "120"
                default: row["temperature"] == "5200"
                }
            }
            for request in applied {
                // The timestamp lies 0 to 5 ms after the readout's true start.
                let place = try #require(
                    rows.lastIndex { row in
                        row.number("readout_start_ns").map { $0 <= request.sync.timestamp_ns }
                            ?? false
                    })
                let start = try rows[place].required("readout_start_ns")
                #expect(request.sync.timestamp_ns - start <= 5_000_000)
                #expect(hasShown(request, rows[place]), "\(request.subjects)")
                // A timestamp that may be late costs a frame at most.
                let first = try #require(rows.firstIndex { hasShown(request, $0) })
                #expect(place - first <= 1, "\(request.subjects)")
            }
        }

        @Test func `status reads what the camera has, and which automatics drive it`() throws {
            let before = try Self.report("before")
            #expect(before.automatic == ["exposure", "focus", "white balance"])
            let after = try Self.report("after")
            #expect(after.automatic == [])
            #expect(after.settings.exposure_ns == 3_000_000)
            #expect(after.settings.lens_millionths == 520_000)
        }

        @Test func `the printed block stands in a recipe as it is`() throws {
            let checked = try Self.scenario.get().text("check.stdout")
            #expect(checked.contains("recipe.yaml: good"))
            #expect(
                try Self.scenario.get().text("block.yaml").contains(
                    "exposure: {duration: 3 ms, gain: 2x}"))
        }

        @Test
        func `E2 an exposure longer than a frame is refused, naming the rate that forbids it`()
            throws
        {
            #expect(try Self.scenario.get().exitCode("too-long") == 65)
            let text = try Self.scenario.get().text("too-long.stderr")
            #expect(text.contains("exposure 40 ms is longer than the 33.333333 ms"))
        }

        @Test func `unlock gives everything back, and lock takes only what it names`() throws {
            #expect(
                try Self.report("unlocked").automatic == ["exposure", "focus", "white balance"])
            #expect(try Self.report("end").automatic == ["white balance"])
        }

        private struct Light: Decodable {
            struct Triple: Decodable {
                var exposure_ns: Int
                var iso_thousandths: Int
            }
            var offset_thousandths_ev: Int
            var exposure: Triple
        }

        @Test func `E1 E6 the metered exposure puts the flat field at the target`() throws {
            let light = try Self.scenario.get().decode(Light.self, "meter.json")
            #expect(light.offset_thousandths_ev.magnitude <= 100)
        }
    }
}
