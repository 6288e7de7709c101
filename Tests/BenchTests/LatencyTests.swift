import Foundation
import Testing

extension InTheBench {
    /// Latencies of the bench's USB camera, measured through the kernel's driver.
    @Suite(.serialized) struct Latencies {
        private static let scenario = Scenario.play("latency", .init(timeoutSeconds: 400))

        /// What the camera was built to, by scenario.
        static let built: [String: [String: Int]] = [
            "bus": frames(exposure: 2, gain: 1, focus: 1, components: 1, temperature: 1),
            "burst": frames(exposure: 3, gain: 0, focus: 4, components: 2, temperature: 5),
            "quick": frames(exposure: 1, gain: 5, focus: 2, components: 6, temperature: 0),
        ]

        private static func frames(
            exposure: Int, gain: Int, focus: Int, components: Int, temperature: Int
        ) -> [String: Int] {
            [
                "exposure_time_absolute": exposure, "gain": gain, "focus_absolute": focus,
                "red_balance": components, "blue_balance": components,
                "white_balance_temperature": temperature,
            ]
        }

        @Test(arguments: ["bus", "burst", "quick"])
        func `each control is found to show after the frames that it is built to`(
            name: String
        ) throws {
            let scenario = try Self.scenario.get()
            #expect(try scenario.exitCode(name) == 0)
            let report = try scenario.decode(LatencyReport.self, "\(name).json")
            let found = Dictionary(uniqueKeysWithValues: report.controls.map { ($0.control, $0) })
            #expect(found.mapValues(\.frames) == Self.built[name])
            for control in report.controls {
                #expect(control.exact && control.least_frames == control.frames)
                #expect(control.trials == 20)
            }
            #expect(report.skipped.isEmpty)
            #expect(report.flash?.changes == 10 && report.flash?.flashes == 0)
        }

        @Test(arguments: ["bus", "burst", "quick"])
        func `the profile has the figures, and the camera is as it was`(name: String) throws {
            let scenario = try Self.scenario.get()
            let built = try #require(Self.built[name])
            let lines = try scenario.text("\(name).yaml").split(separator: "\n").map(String.init)
            for (key, control) in [
                ("exposure:", "exposure_time_absolute"), ("gain:", "gain"),
                ("focus:", "focus_absolute"),
            ] {
                let frames = try #require(built[control])
                let line = try #require(lines.first { $0.hasPrefix(key) })
                #expect(line.contains("latency: {frames: \(frames), measured: 20"))
            }
            let balance = try #require(lines.first { $0.hasPrefix("  latency:") })
            let both = [built["red_balance"] ?? 0, built["white_balance_temperature"] ?? 0].sorted()
            let least = both[0] < both[1] ? "least: \(both[0]), " : ""
            #expect(balance.contains("{frames: \(both[1]), \(least)measured: 20"))
            #expect(
                lines.contains {
                    $0.hasPrefix("# measured exposure.latency: exposure_time_absolute:")
                })
            // As the camera starts: automatic.
            #expect(try scenario.text("\(name).after.json").contains("automatic"))
        }

        @Test func `a control without effect, a refused one and a dark scene give no figure`()
            throws
        {
            let scenario = try Self.scenario.get()
            #expect(try scenario.exitCode("broken") == 69)
            let report = try scenario.decode(LatencyReport.self, "broken.json")
            #expect(report.controls.isEmpty)
            #expect(report.skipped.map(\.subject) == ["gain", "focus"])
            #expect(report.skipped[0].reason.contains("gain has no effect that shows"))
            #expect(report.skipped[1].reason.contains("refused focus_absolute"))
            #expect(try scenario.exitCode("dark") == 76)
            #expect(try scenario.text("dark.stderr").contains("there is too little light"))
        }
    }
}
