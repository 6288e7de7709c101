import Foundation
import Testing

extension InTheBench {
    /// `framelock calibrate timing` on raw sensors, with the bench's light: bounds hold, and are narrow enough to be
    /// used.
    @Suite struct RawSensorTiming {
        /// A sensor, the mode in which it is timed, and how long a row takes there.
        struct Sensor: Sendable, CustomTestStringConvertible {
            var name: String
            var board: String
            var mode: String
            /// Pixels of a line, and pixels a second.
            var line: (pixels: Double, rate: Double)
            /// Lines on the bus before the image; nil for a global shutter.
            var linesBefore: Int? = 0
            /// By how much an exposure is longer than its lines, in nanoseconds.
            var offset = 0.0

            /// From row to row in nanoseconds.
            var row: Double { line.pixels * 1e9 / line.rate }
            var testDescription: String { board }
        }

        static let sensors = [
            Sensor(
                name: "imx219", board: "imx219", mode: "SRGGB10P 640x480 60",
                line: (3448, 182_400_000), linesBefore: 2),
            Sensor(
                name: "imx290", board: "imx290", mode: "SRGGB12P 1280x720 30",
                line: (3300, 148_500_000)),
            Sensor(
                name: "imx296", board: "imx296", mode: "SBGGR10P 1456x1088 60",
                line: (1760, 118_800_000), linesBefore: nil, offset: 14_260),
            Sensor(
                name: "ov5647", board: "ov5647", mode: "SBGGR10P 640x480 45",
                line: (1852, 175_000_000 / 3)),
            Sensor(
                name: "ov9281", board: "ov9281", mode: "Y10P 640x400 100",
                line: (1530, 160_000_000), linesBefore: nil),
            // A receiver that waits for every node that is linked, and a sensor with embedded data.
            Sensor(
                name: "imx477", board: "imx477-cfe", mode: "SRGGB12P 2028x1080 30",
                line: (12_740, 840_000_000), linesBefore: 1),
        ]

        private struct Timing: Decodable {
            var shutter: String
            var is_flipped: Bool
            var row_ps: [Double]?
            var exposure_offset_ns: [Double]?
            var delay_ns: [Double]
        }

        private static func play(_ sensor: Sensor) throws -> Scenario {
            try Scenario.play(
                "csi-timing", .init(timeoutSeconds: 400, csi: CSIBoard(sensor.board)),
                files: ["settings.txt": "\(sensor.name) \(sensor.mode)\n"],
                as: "csi-timing-\(sensor.board)"
            ).get()
        }

        @Test(arguments: sensors)
        func `rows and exposures are what the sensor is built to, within the bounds stated`(
            sensor: Sensor
        ) throws {
            let scenario = try Self.play(sensor)
            let stderr = try scenario.text("timing.stderr")
            #expect(try scenario.exitCode("timing") == 0, "\(stderr)")
            let timing = try scenario.decode(Timing.self, "timing.json")
            let messages = try scenario.text("set.stderr")
            #expect(try scenario.exitCode("set") == 0, "\(messages)")
            #expect(!timing.is_flipped)
            if sensor.linesBefore == nil {
                #expect(timing.shutter == "global" && timing.row_ps == nil)
            } else {
                #expect(timing.shutter == "rolling")
                let row = try #require(timing.row_ps).map { $0 / 1_000 }
                #expect(row[0] <= sensor.row && sensor.row <= row[1], "\(row), is \(sensor.row)")
                #expect(row[1] - row[0] < sensor.row / 100, "\(row)")
            }
            let offset = try #require(timing.exposure_offset_ns)
            #expect(
                offset[0] <= sensor.offset && sensor.offset <= offset[1],
                "\(offset), is \(sensor.offset)")
            #expect(offset[1] - offset[0] < max(sensor.row, 20_000), "\(offset)")
            // The receiver's timestamp is the frame's start, cut off to microseconds: these lines and up to 1 us
            // earlier.
            let before = Double(sensor.linesBefore ?? 0) * sensor.row
            #expect(timing.delay_ns[0] <= -before - 1_000 + 1, "\(timing.delay_ns)")
            #expect(-before <= timing.delay_ns[1], "\(timing.delay_ns)")
            #expect(timing.delay_ns[1] - timing.delay_ns[0] < 2 * sensor.row + 10_000)
        }
    }
}
