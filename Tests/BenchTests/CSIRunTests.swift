import Foundation
import Testing

extension InTheBench {
    /// Runs behind raw sensors: pipelined brackets, in which every frame has settings of its own.
    @Suite(.serialized) struct RawSensorRuns {
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
            /// Groups of five frames; `FRAMELOCK_BRACKETS` replaces them all, for a longer look.
            var brackets = 40 {
                didSet { brackets = Self.wanted ?? brackets }
            }
            /// Lines on the bus before the image; nil for a global shutter.
            var linesBefore: Int? = 0
            /// How far the sensor's pixel rate is from what its driver rounds it to, in parts per million.
            var ratePerMillion = 0.0
            /// How exposure and gain are known.
            var isKnownBy = "read-back"
            /// Whether the graph is first left as libcamera leaves it.
            var isLeft = false
            /// Whether it goes on while the board's next run does.
            var isBesideNext = false

            init(_ sensor: String, _ pixels: String, _ size: String, rate: Int) {
                (self.sensor, profile) = (sensor, sensor + "-exact")
                (self.pixels, self.size, self.rate) = (pixels, size, rate)
                brackets = Self.wanted ?? brackets
            }

            private static let wanted =
                ProcessInfo.processInfo.environment["FRAMELOCK_BRACKETS"].flatMap { Int($0) }

            /// The same with something else.
            func with<Value>(_ path: WritableKeyPath<Run, Value>, _ value: Value) -> Run {
                var run = self
                run[keyPath: path] = value
                return run
            }

            /// Whether the profile knows how long settings take to show; else it only knows a bound.
            var knowsLatencies: Bool { profile.hasSuffix("-exact") }
            var name: String {
                sensor + (isLeft ? "-left" : "") + (isBesideNext ? "-beside" : "")
                    + (knowsLatencies ? "" : "-shipped")
            }
            var bits: Int { pixels.contains("12") ? 12 : pixels.contains("10") ? 10 : 8 }
            var line: String {
                "\(name) \(sensor) \(profile) \(pixels) \(size) \(rate) \(gains) \(brackets)"
                    + (isLeft ? " left" : "") + (isBesideNext ? " beside" : "")
            }
        }

        private static let imx219 = Run("imx219", "SRGGB10P", "640x480", rate: 60)
            .with(\.brackets, 200).with(\.linesBefore, 2)
        /// With good embedded data, which a real one does not have.
        private static let embeddedIMX219 = Run("imx219", "SRGGB10P", "1640x1232", rate: 40)
            .with(\.brackets, 8).with(\.linesBefore, 2).with(\.isKnownBy, "metadata")
        private static let imx296 = Run("imx296", "SBGGR10P", "1456x1088", rate: 30)
            .with(\.brackets, 8).with(\.linesBefore, nil)
        private static let imx477 = Run("imx477", "SRGGB12P", "2028x1080", rate: 30)
            .with(\.brackets, 8).with(\.linesBefore, 1).with(\.isKnownBy, "metadata")
        private static let imx708 = Run("imx708", "SRGGB10P", "1536x864", rate: 60)
            .with(\.brackets, 8).with(\.linesBefore, 2).with(\.isKnownBy, "metadata")
            .with(\.gains, "4.0x,2.5x,2.0x,1.5x,1.25x")

        /// All boards, or those that `FRAMELOCK_BOARDS` names, separated by commas.
        static let boards: [Board] = {
            let wanted = ProcessInfo.processInfo.environment["FRAMELOCK_BOARDS"]?.split(
                separator: ",")
            return all.filter { board in wanted?.contains { $0 == board.name } ?? true }
        }()

        private static let all: [Board] = [
            Board("imx219", imx219, imx219.with(\.profile, "imx219").with(\.brackets, 20)),
            Board("imx290", Run("imx290", "SRGGB12P", "1280x720", rate: 30).with(\.brackets, 8)),
            Board("imx296", imx296),
            Board(
                "ov5647",
                Run("ov5647", "SBGGR10P", "640x480", rate: 45).with(\.ratePerMillion, 6)),
            Board("ov9281", Run("ov9281", "Y10P", "640x400", rate: 100).with(\.linesBefore, nil)),
            Board(
                "imx219-imx296",
                imx219.with(\.brackets, 20).with(\.isBesideNext, true), imx296.with(\.brackets, 10)),
            Board("imx219-imx477-cfe", embeddedIMX219.with(\.isBesideNext, true), imx477),
            Board("imx219-unicam-streams", usesStreams: true, embeddedIMX219),
            Board("imx219-cfe", embeddedIMX219, embeddedIMX219.with(\.isLeft, true)),
            Board("imx219-legacy", embeddedIMX219),
            Board("imx219-legacy-video", embeddedIMX219),
            Board("imx219-cfe-mainline", usesStreams: true, embeddedIMX219),
            Board("imx219-cfe-debian", embeddedIMX219.with(\.isKnownBy, "read-back")),
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

        /// From the first frame to the last, in nanoseconds of CLOCK_MONOTONIC.
        private static func time(of report: RunReport) throws -> Range<Int> {
            let ends = try report.frames.map { try $0.required("session_end_ns") }
            return try #require(ends.first)
                + report.epochNanoseconds..<(try #require(ends.last)
                + report.epochNanoseconds)
        }

        private static let played = Scenario.playAll(boards, play)

        @Test(arguments: boards)
        func `frames that follow one another have what their rows say`(board: Board) throws {
            let scenario = try #require(Self.played[board.testDescription]).get()
            for run in board.runs {
                let report = try scenario.run(run.name)
                report.expectWhole(exitCode: 0, "trustworthy", slots: 5 * run.brackets)
                let contradictions = try report.contradictions(
                    bits: run.bits, linesBefore: run.linesBefore, ratePerMillion: run.ratePerMillion
                )
                #expect(contradictions.isEmpty, "\(run.name): \(contradictions.prefix(5))")
                for column in ["exposure_known_by", "gain_known_by"] {
                    let ways = Set(report.frames.map { $0[column[...]] })
                    // Pixels show some of what no metadata report; where they can't, the driver's word is left.
                    let hasMetadata = run.isKnownBy == "metadata"
                    #expect(
                        ways.isSubset(of: hasMetadata ? ["metadata"] : ["pixels", "read-back"]),
                        "\(run.name)")
                }
                // Pipelined, where it is known when settings show: settle-then-shoot would take latency + 2 frames for
                // each.
                let first = try #require(report.rows.first).required("device_sequence")
                let last = try #require(report.rows.last).required("device_sequence")
                if run.knowsLatencies {
                    #expect(last - first + 1 <= report.rows.count * 11 / 10, "\(run.name)")
                }
            }
            for (run, next) in zip(board.runs, board.runs.dropFirst()) where run.isBesideNext {
                let times = try [run, next].map { try Self.time(of: scenario.run($0.name)) }
                let shared = times[0].clamped(to: times[1]).count
                #expect(2 * shared >= times.map(\.count).min()!, "\(times): one after the other")
            }
        }
    }
}
