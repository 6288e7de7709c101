import Foundation
import Testing

extension InTheBench {
    /// Latencies of raw sensors, measured through their real drivers and the real receiver.
    @Suite struct RawSensorLatencies {
        /// A sensor and the mode in which it is measured.
        struct Sensor: Sendable, CustomTestStringConvertible {
            var name: String
            var pixels: String
            var size: String
            /// Frames a second.
            var rate: Int
            /// Whether its driver lets the length of lines be set; the bench's sensors take it over with that of
            /// frames.
            var hasLineLength = false

            init(
                _ name: String, _ pixels: String, _ size: String, _ rate: Int,
                hasLineLength: Bool = false
            ) {
                (self.name, self.pixels, self.size) = (name, pixels, size)
                (self.rate, self.hasLineLength) = (rate, hasLineLength)
            }

            var testDescription: String { name }
        }

        /// How many frames later a sensor is built to show its settings; the rig's options of these names.
        struct Latencies: Sendable {
            var name: String
            var exposure: Int
            var gain: Int
            /// Frames from the one whose length it is to be; that length ends when the next frame starts.
            var vblank: Int

            /// By control, in frames as framelock counts them: a frame's length shows in the next one's timestamp.
            func found(of sensor: Sensor) -> [String: Int] {
                var found = [
                    "exposure": exposure, "analogue_gain": gain, "vertical_blanking": vblank + 1,
                ]
                if sensor.hasLineLength { found["horizontal_blanking"] = vblank + 1 }
                return found
            }
        }

        static let built = [
            Latencies(name: "usual", exposure: 1, gain: 0, vblank: 0),
            Latencies(name: "later", exposure: 2, gain: 1, vblank: 1),
            Latencies(name: "crossed", exposure: 0, gain: 3, vblank: 2),
        ]

        static let sensors = [
            Sensor("imx219", "SRGGB10P", "640x480", 60),
            Sensor("imx290", "SRGGB12P", "1280x720", 60, hasLineLength: true),
            Sensor("imx296", "SBGGR10P", "1456x1088", 60),
            Sensor("ov5647", "SBGGR10P", "640x480", 60),
            Sensor("ov9281", "Y10P", "640x400", 100),
        ]

        @Test(arguments: sensors)
        func `each setting is found to show after the frames that the sensor is built to`(
            sensor: Sensor
        ) throws {
            let ways = Self.built.map { "\($0.name) \($0.exposure) \($0.gain) \($0.vblank)\n" }
            let mode = "\(sensor.name) \(sensor.pixels) \(sensor.size) \(sensor.rate)\n"
            let scenario = try Scenario.play(
                "csi-latency", .init(timeoutSeconds: 400, csi: CSIBoard(sensor.name)),
                files: ["settings.txt": mode + ways.joined()], as: "csi-latency-\(sensor.name)"
            ).get()
            for way in Self.built {
                let stderr = try scenario.text("\(way.name).stderr")
                #expect(try scenario.exitCode(way.name) == 0, "\(way.name): \(stderr)")
                let report = try scenario.decode(LatencyReport.self, "\(way.name).json")
                let found = Dictionary(
                    uniqueKeysWithValues: report.controls.map { ($0.control, $0.frames) })
                #expect(found == way.found(of: sensor), "\(way.name)")
                #expect(
                    report.controls.allSatisfy {
                        $0.exact && $0.least_frames == $0.frames && $0.trials == 10
                    }, "\(way.name)")
                #expect(report.skipped.isEmpty, "\(way.name)")
                #expect(report.flash?.flashes == 0, "\(way.name)")
                let lines = try scenario.text("\(way.name).yaml").split(separator: "\n")
                for (key, frames) in [("exposure:", way.exposure), ("gain:", way.gain)] {
                    let line = try #require(lines.first { $0.hasPrefix(key) })
                    #expect(line.contains("latency: {frames: \(frames), measured: 20"), "\(line)")
                }
            }
        }
    }
}
