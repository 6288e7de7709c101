import Foundation
import Testing

extension InTheBench {
    /// Runs behind raw sensors: pipelined brackets, in which every frame has settings of its own.
    @Suite struct RawSensorRuns {
        /// A board of the CSI bench, and what is run on it.
        struct Board: Sendable, CustomTestStringConvertible {
            var name: String
            var usesStreams = false
            var runs: [Run]

            init(_ name: String, usesStreams: Bool = false, _ runs: Run...) {
                (self.name, self.usesStreams, self.runs) = (name, usesStreams, runs)
            }

            var testDescription: String { name + (usesStreams ? " with streams" : "") }
        }

        /// A run on a board.
        struct Run: Sendable {
            var sensor: String
            var profile: String
            var pixels: String
            var size: String
            /// Frames a second.
            var rate: Int
            var gains = "4.0x,2.5x,2.0x,1.5x,1.0x"
            /// Groups of five frames.
            var brackets = 40
            /// Lines on the bus before the image.
            var linesBefore = 0
            /// How exposure and gain are known.
            var isKnownBy = "read-back"
            /// Whether the graph is first left as libcamera leaves it.
            var isLeft = false

            init(_ sensor: String, _ pixels: String, _ size: String, rate: Int) {
                (self.sensor, profile) = (sensor, sensor)
                (self.pixels, self.size, self.rate) = (pixels, size, rate)
            }

            /// The same with something else.
            func with<Value>(_ path: WritableKeyPath<Run, Value>, _ value: Value) -> Run {
                var run = self
                run[keyPath: path] = value
                return run
            }

            var name: String { sensor + (isLeft ? "-left" : "") }
            var bits: Int { pixels.contains("12") ? 12 : pixels.contains("10") ? 10 : 8 }
            var line: String {
                "\(name) \(sensor) \(profile) \(pixels) \(size) \(rate) \(gains) \(brackets)"
                    + (isLeft ? " left" : "")
            }
        }

        private static let imx219 = Run("imx219", "SRGGB10P", "640x480", rate: 60)
            .with(\.brackets, 200)
        private static let imx477 = Run("imx477", "SRGGB12P", "2028x1080", rate: 30)
            .with(\.isKnownBy, "metadata")
        private static let imx708 = Run("imx708", "SRGGB10P", "1536x864", rate: 60)
            .with(\.isKnownBy, "metadata")

        static let boards: [Board] = [
            Board("imx219", imx219),
            Board("imx290", Run("imx290", "SRGGB12P", "1280x720", rate: 30)),
            Board("imx296", Run("imx296", "SBGGR10P", "1456x1088", rate: 60)),
            Board("ov5647", Run("ov5647", "SBGGR10P", "640x480", rate: 45)),
            Board("ov9281", Run("ov9281", "Y10P", "640x400", rate: 100)),
            Board("imx219-imx296", imx219, Run("imx296", "SBGGR10P", "1456x1088", rate: 30)),
            Board("imx219-cfe", imx219, imx219.with(\.isLeft, true)),
            Board("imx219-legacy", imx219),
            Board("imx219-cfe-mainline", usesStreams: true, imx219),
            Board("imx219-cfe-debian", imx219),
            Board("imx477-cfe", imx477, imx477.with(\.isLeft, true)),
            Board("imx708-cfe", imx708),
            Board("imx708-legacy", imx708),
        ]

        private static func play(_ board: Board) -> Result<Scenario, any Error> {
            var options = Bench.Options(timeoutSeconds: 400)
            options.csi = CSIBoard(board.name, streams: board.usesStreams)
            let settings = board.runs.map(\.line).joined(separator: "\n") + "\n"
            return Scenario.play(
                "csi-bracket", options, files: ["settings.txt": settings],
                as: "csi-\(board.name)\(board.usesStreams ? "-streams" : "")")
        }

        @Test(arguments: boards)
        func `frames that follow one another have what their rows say`(board: Board) throws {
            let scenario = try Self.play(board).get()
            for run in board.runs {
                let report = try scenario.run(run.name)
                report.expectWhole(exitCode: 0, "trustworthy", slots: 5 * run.brackets)
                let contradictions = try report.contradictions(
                    bits: run.bits, linesBefore: run.linesBefore)
                #expect(contradictions.isEmpty, "\(run.name): \(contradictions.prefix(5))")
                for column in ["exposure_known_by", "gain_known_by"] {
                    let ways = Set(report.frames.map { $0[column[...]] })
                    #expect(ways == [run.isKnownBy], "\(run.name)")
                }
                // Pipelined: settle-then-shoot would take latency + 2 frames for each.
                let first = try #require(report.rows.first).required("device_sequence")
                let last = try #require(report.rows.last).required("device_sequence")
                #expect(last - first + 1 <= report.rows.count * 11 / 10, "\(run.name)")
            }
        }
    }
}
