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

            var testDescription: String { name + (usesStreams ? " with streams" : "") }
        }

        /// A run on a board.
        struct Run: Sendable {
            var name: String
            var sensor: String
            var profile: String
            var pixels: String
            var size: String
            var rate: Int
            var gains = "4.0x,2.5x,2.0x,1.5x,1.0x"
            var bits = 10
            /// Lines on the bus before the image.
            var linesBefore = 0
            /// How exposure and gain are known.
            var isKnownBy = "read-back"
            /// Whether the graph is first left as libcamera leaves it.
            var isLeft = false

            var line: String {
                "\(name) \(sensor) \(profile) \(pixels) \(size) \(rate) \(gains)\(isLeft ? " left" : "")"
            }
        }

        static let boards: [Board] = [
            Board(
                name: "imx219",
                runs: [
                    Run(
                        name: "imx219", sensor: "imx219", profile: "imx219", pixels: "SRGGB10P",
                        size: "640x480", rate: 60)
                ])
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
        func `a thousand frames at full rate have what their rows say`(board: Board) throws {
            let scenario = try Self.play(board).get()
            for run in board.runs {
                let report = try scenario.run(run.name)
                report.expectWhole(exitCode: 0, "trustworthy", slots: 1_000)
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
